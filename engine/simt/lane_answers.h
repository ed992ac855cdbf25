// What answers the imports of a lane: rules, then the tape of the host's earlier answers; a call
// that neither answers stops the lane.
#pragma once

#include "gpuvm/invocation.h"
#include "native/lanes/lane_code.h"
#include "simt/compiled_program.h"
#include "simt/known_values.h"
#include "simt/lane_memory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::simt {

/// An answer of the host to a call, with what it wrote.
struct TapeEntry {
    std::uint32_t import = 0;
    std::vector<wasm::Cell> arguments, results;
    std::uint64_t fee = 0;
    bool values = true;                      ///< false: from here on value rules yield
    std::uint32_t pages = 0;                 ///< new size in pages of 64 KiB; 0: unchanged
    std::vector<std::uint32_t> page_numbers; ///< small pages that it wrote
    std::vector<Byte> page_bytes;
    std::optional<std::string> bytes; ///< gpuvm::HostReply::bytes
};

/// A call that waits for the host.
struct PendingCall {
    std::uint32_t import = 0, pc = 0;
    std::vector<wasm::Cell> arguments;
    std::uint64_t fuel_left = 0;
};

/// What a lane has done in its last run.
struct LaneRecord {
    std::vector<std::uint32_t> reads; ///< ids of values
    bool fuel_read = false;
    std::uint64_t least_left = 0;
    std::size_t played = 0; ///< entries of the tape
    std::optional<PendingCall> pending;
};

/// Of one run of a lane, from its beginning.
class LaneAnswers final : public native::LaneImports {
public:
    /// `held_back`: fuel that the lane has beside what its code is given. `read_log`: entries.
    LaneAnswers(const CompiledProgram& program, const native::LanePlan& plan,
                const KnownValues& values, const gpuvm::Invocation& invocation,
                const std::vector<TapeEntry>& tape, std::uint64_t held_back, std::uint32_t read_log,
                LaneRecord& record);

    [[nodiscard]] native::Exit answer(std::span<Byte> frame, std::uint64_t& fuel,
                                      std::uint32_t function, wasm::Cell* cells,
                                      std::uint32_t pc) override;

private:
    /// What a rule found; `none`: it yields.
    struct Found {
        std::uint64_t answer = 0;
        std::uint64_t counted = 0; ///< bytes that the fee counts
        bool copies = false;
        std::uint32_t to = 0; ///< where a copy goes: length, then bytes
        ByteView bytes;
        const gpuvm::KnownValue* value = nullptr;
    };
    [[nodiscard]] std::optional<Found> look(const gpuvm::HostRule& rule, const LaneMemory& memory,
                                            const wasm::Cell* cells, std::uint64_t left,
                                            native::Exit& exit);
    /// False: the host answers.
    [[nodiscard]] bool by_rule(const gpuvm::HostRule& rule, const LaneMemory& memory,
                               std::uint64_t& fuel, wasm::Cell* cells, native::Exit& exit);
    [[nodiscard]] native::Exit by_tape(const LaneMemory& memory, std::uint64_t& fuel,
                                       std::uint32_t function, wasm::Cell* cells);
    /// The bytes that a pointer refers to; none: not all of them are in memory.
    [[nodiscard]] std::optional<ByteView> text_at(const LaneMemory& memory, std::uint32_t pointer,
                                                  std::uint32_t most, native::Exit& exit);

    const CompiledProgram& program_;
    const native::LanePlan& plan_;
    const KnownValues& values_;
    const gpuvm::Invocation& invocation_;
    const std::vector<TapeEntry>& tape_;
    std::uint64_t held_back_;
    std::uint32_t read_log_;
    LaneRecord& record_;
    bool use_values_;
    const std::string* given_ = nullptr; ///< for `given_copy`; null: none yet
    std::array<Byte, 8> fuel_bytes_{};
    std::array<Byte, 1024> text_{};
};

} // namespace blockloom::simt
