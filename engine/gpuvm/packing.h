// Packs all programs of a machine into two flat buffers, described in docs/gpuvm.md.
#pragma once

#include "base/result.h"
#include "gpuvm/encode.h"
#include "gpuvm/host_rule.h"
#include "gpuvm/image.h"

#include <span>
#include <vector>

namespace blockloom::gpuvm {

/// What the host keeps about a packed program.
struct PackedProgram {
    InstanceImage image; ///< without its page bytes, which are in the data
    Places places;
    std::uint32_t record = 0;     ///< word of the data
    std::uint32_t page_words = 0; ///< where the image's pages begin in the data
    /// For each position in its code, the program's instruction that may trap there, and the first
    /// of those that were fused: where the fuel of a block is checked.
    std::vector<std::uint32_t> origin, first;

    /// The function that contains a position of the shared code, and the module offset of what
    /// trapped there: the instruction itself, or the block for which there was not enough fuel.
    [[nodiscard]] std::uint32_t function_at(std::uint32_t pc) const;
    [[nodiscard]] std::uint32_t offset_at(std::uint32_t pc, bool no_fuel) const;
    /// The bytes of an image page, or nothing if it is zero.
    [[nodiscard]] ByteView page(std::span<const std::uint32_t> data, std::uint32_t number) const;
};

/// No room for another program.
inline constexpr ErrorCode program_full{80};

class Packing {
public:
    /// The most instructions of all programs together: pc and depth share a word when lanes choose.
    static constexpr std::uint32_t most_code = 1u << 24;

    [[nodiscard]] Result<std::uint32_t> add(InstanceImage image, std::span<const HostRule> rules);

    [[nodiscard]] const std::vector<DeviceWord>& code() const noexcept { return code_; }
    [[nodiscard]] const std::vector<std::uint32_t>& data() const noexcept { return data_; }
    [[nodiscard]] const std::vector<PackedProgram>& programs() const noexcept { return programs_; }

private:
    std::uint32_t append(std::span<const std::uint32_t> words);
    std::uint32_t append_bytes(ByteView bytes);
    std::uint32_t append_rules(const InstanceImage& image, std::span<const HostRule> rules);
    std::uint32_t append_pages(const InstanceImage& image, std::uint32_t& table_pages,
                               std::uint32_t& page_words);
    std::uint32_t append_tables(const InstanceImage& image);
    std::uint32_t append_segments(const InstanceImage& image);
    void append_code(const wasm::Program& program, const FusedProgram& fused,
                     PackedProgram& packed);

    std::vector<DeviceWord> code_;
    std::vector<std::uint32_t> data_;
    std::vector<PackedProgram> programs_;
};

} // namespace blockloom::gpuvm
