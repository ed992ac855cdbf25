// What a batch holds on the device, and the host's view of it.
#pragma once

#include "gpuvm/codes.h"
#include "gpuvm/invocation.h"
#include "gpuvm/machine_state.h"

#include <array>
#include <cstring>
#include <map>

namespace blockloom::gpuvm {

struct BatchState {
    explicit BatchState(MachineState& made_by) : machine(made_by) {}

    MachineState& machine;
    std::uint32_t lanes = 0, waves = 0; ///< lanes: a multiple of the wave
    std::uint32_t count = 0;            ///< invocations
    std::uint32_t exchange_cells = 0;   ///< the most that any of its programs needs
    Push push;

    compute::BufferPtr state, exchange, cells, frames, page_table, pool, inputs, books;
    compute::BufferPtr clocks;   ///< of waves and lanes; null: not recorded
    compute::BufferPtr upload;   ///< state, then exchange
    compute::BufferPtr download; ///< the same, then the page counters, then checksums of all three,
                                 ///< then the clocks
    compute::BufferPtr checksums;    ///< the same checksums on the device
    std::vector<std::uint32_t> seen; ///< the downloaded data without the checksums, after checking
    std::vector<std::uint32_t> arrived; ///< and before checking
    compute::CommandListPtr list;
    bool begun = false; ///< the device holds this batch
    bool changed =
        false; ///< the host changed state words, which must be uploaded before the next slice

    /// What the host knows about a lane.
    enum class Phase : std::uint8_t { running, stopped, over };
    std::vector<Phase> phases;
    std::vector<Stop> stops;
    std::map<std::uint32_t, std::string> host_texts; ///< of host calls that failed
    std::vector<std::uint64_t> given;                ///< fuel, one per invocation
    std::uint32_t submission = no_submission;        ///< the last one
    std::uint64_t dispatches = 0;                    ///< since start
    Times times;
    std::vector<WaveTime> wave_times; ///< of the last advance
    std::vector<LaneTime> lane_times;

    /// Frames allocated as of the last advance: the pages, by wave.
    bool frames_known = false;
    std::vector<std::vector<std::uint32_t>> wave_pages;

    std::vector<std::uint32_t> logs;         ///< the read logs, if `logs_known`
    std::vector<std::uint32_t> global_cells; ///< one wave after the other, if `globals_known`
    bool logs_known = false, globals_known = false;

    /// What load_memories fetched for a lane.
    struct Loaded {
        std::vector<std::uint32_t> pages;
        std::vector<Byte> bytes;
        std::uint32_t size = 0; ///< of 64 KiB
    };
    std::map<std::uint32_t, Loaded> loaded;

    [[nodiscard]] std::size_t place(std::uint32_t k, std::uint32_t lane) const noexcept {
        return std::size_t{k} * lanes + lane;
    }
    [[nodiscard]] std::uint64_t state_bytes() const noexcept {
        return std::uint64_t{GPUVM_STATE_WORDS} * lanes * 4;
    }
    [[nodiscard]] std::uint64_t exchanged_bytes() const noexcept {
        return std::uint64_t{exchange_cells} * 2 * lanes * 4;
    }
    /// From the last download: word k of a lane's state, half k of its exchange area, a counter.
    [[nodiscard]] std::uint32_t& word(std::uint32_t k, std::uint32_t lane) noexcept {
        return seen[place(k, lane)];
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t k, std::uint32_t lane) const noexcept {
        return seen[place(k, lane)];
    }
    [[nodiscard]] std::uint32_t& exchanged(std::uint32_t k, std::uint32_t lane) noexcept {
        return seen[place(GPUVM_STATE_WORDS + k, lane)];
    }
    [[nodiscard]] std::uint32_t exchanged(std::uint32_t k, std::uint32_t lane) const noexcept {
        return seen[place(GPUVM_STATE_WORDS + k, lane)];
    }
    [[nodiscard]] std::uint32_t counter(std::uint32_t which) const noexcept {
        return seen[(std::size_t{GPUVM_STATE_WORDS} + 2 * std::size_t{exchange_cells}) * lanes +
                    which];
    }
    [[nodiscard]] std::uint64_t wide(std::uint32_t k, std::uint32_t lane) const noexcept {
        return word(k, lane) | std::uint64_t{word(k + 1, lane)} << 32;
    }
    void set_wide(std::uint32_t k, std::uint32_t lane, std::uint64_t value) noexcept {
        word(k, lane) = static_cast<std::uint32_t>(value);
        word(k + 1, lane) = static_cast<std::uint32_t>(value >> 32);
    }
    [[nodiscard]] const PackedProgram& program(std::uint32_t lane) const;

    [[nodiscard]] Status reserve_all();
    [[nodiscard]] Status write_inputs(const Inputs& given_inputs);
    void write_lane(std::uint32_t lane, const Invocation& invocation);
    void record_slices(std::uint32_t slices);
    [[nodiscard]] std::vector<compute::Binding> bindings() const;
    void collect_stops();
    [[nodiscard]] Status read_times();
    /// `begin`, `end`: times of the submission's kernels.
    void read_clocks(Nanoseconds begin, Nanoseconds end);
    [[nodiscard]] Status know_frames();
    [[nodiscard]] Status know_logs();
    [[nodiscard]] Status know_globals();
    /// Words of state, of exchange and of page counters: the parts of a download.
    [[nodiscard]] std::array<std::uint64_t, 3> parts() const noexcept {
        return {state_bytes() / 4, exchanged_bytes() / 4, GPUVM_BOOK_WORDS};
    }
    /// Two per lane, four per wave and slice (shaders/gpuvm_clock.glsl).
    [[nodiscard]] std::uint64_t clock_words() const noexcept {
        if (!machine.timed) return 0;
        return std::uint64_t{2} * lanes + std::uint64_t{4} * waves * machine.options.slices;
    }
    [[nodiscard]] std::uint64_t download_words() const noexcept;
    /// Records the checksums of a buffer's first words, written to `to`.
    void record_checksums(compute::CommandList& commands, const compute::BufferPtr& of,
                          std::uint64_t words, const compute::BufferPtr& to,
                          std::uint32_t at) const;
    [[nodiscard]] Status check_download();
    /// Copies ranges of a device buffer to the host, and checks them.
    struct Range {
        std::uint64_t from = 0, bytes = 0;
    };
    [[nodiscard]] Status fetch(const compute::BufferPtr& from, std::span<const Range> ranges,
                               std::vector<std::uint32_t>& to);
    [[nodiscard]] Status transfer(std::uint32_t task,
                                  std::span<const std::array<std::uint32_t, 4>> jobs,
                                  const compute::BufferPtr& bytes);
    std::vector<std::uint32_t> program_of; ///< one per invocation
};

} // namespace blockloom::gpuvm
