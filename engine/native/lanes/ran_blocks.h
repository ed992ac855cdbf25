// What of a program ran, as code of this processor records it: the rest of the program need not be
// translated for a GPU.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wasm/program.h"

#include <atomic>
#include <vector>

namespace blockloom::native {

/// What lanes have done of a program.
struct RanCode {
    std::vector<bool> blocks; ///< by instruction: whether a block that begins there has run
    /// By instruction, of loads and stores: a bit for each small page (4 KiB) of the addresses,
    /// which it shares with others: `bit_of`. Of indirect calls: the element, modulo 64. 0: not
    /// known.
    std::vector<std::uint64_t> pages;
    /// The same bits, of what memory.copy and host functions read.
    std::uint64_t pages_copied = 0;
    /// By function: how many calls that close its circle (LanePlan::rounds) a lane was in at once
    /// when the last of them called it.
    std::vector<std::uint8_t> rounds;

    /// Nothing is known.
    [[nodiscard]] bool empty() const noexcept { return blocks.empty(); }
    /// Both have run.
    void add(const RanCode& more);
    [[nodiscard]] bool operator==(const RanCode&) const = default;

    static constexpr std::uint32_t page_bits = 12;
    /// So that what lies at round addresses far from each other has different bits.
    static constexpr std::uint32_t far_bits = 20, far_step = 21;
    [[nodiscard]] static constexpr std::uint32_t bit_of(std::uint64_t address) {
        return static_cast<std::uint32_t>(
            ((address >> page_bits) + (address >> far_bits) * far_step) % 64);
    }
};

/// Written by lanes while they run, read by any thread. What lanes write at the same time may be
/// lost: it is a profile.
class RanBlocks {
public:
    explicit RanBlocks(const wasm::Program& program)
        : blocks_(program.code.size()), pages_(program.code.size()),
          rounds_(program.functions.size()) {}

    [[nodiscard]] RanCode so_far() const;
    /// A byte an instruction: code sets that of a block's first one when it begins the block.
    [[nodiscard]] const void* blocks() const noexcept { return blocks_.data(); }
    /// 8 bytes an instruction, 8 bytes, and a byte a function: as in RanCode.
    [[nodiscard]] const void* pages() const noexcept { return pages_.data(); }
    [[nodiscard]] const void* pages_copied() const noexcept { return &pages_copied_; }
    [[nodiscard]] const void* rounds() const noexcept { return rounds_.data(); }

private:
    std::vector<std::atomic<Byte>> blocks_;
    std::vector<std::atomic<std::uint64_t>> pages_;
    std::atomic<std::uint64_t> pages_copied_{0};
    std::vector<std::atomic<Byte>> rounds_;
    static_assert(sizeof(std::atomic<Byte>) == 1 && sizeof(std::atomic<std::uint64_t>) == 8);
};

/// By instruction: whether the block that it is in has run. Fails as `ControlGraph::of`.
[[nodiscard]] Result<std::vector<bool>> live_instructions(const wasm::Program& program,
                                                          const std::vector<bool>& ran);

} // namespace blockloom::native
