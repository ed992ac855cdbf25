// Many invocations at once, one lane each.
#pragma once

#include "base/result.h"
#include "gpuvm/invocation.h"
#include "wasm/run.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace blockloom::gpuvm {

struct BatchState;
struct MachineState;

/// The life cycle of a batch: start(), then advance() until nothing runs; after each advance() go
/// through stops(), and answer each host call with answer() or end the lane with drop(). Buffers
/// are kept for the next start(). One thread at a time.
///
/// Errors (device lost, out of memory, timed out, cancelled) end the batch: every unfinished
/// invocation must be run elsewhere; finished ones stay readable.
class Batch {
public:
    ~Batch();

    [[nodiscard]] Status start(std::span<const Invocation> invocations, const Inputs& inputs);
    /// Runs one submission of slices. True while any lane runs. `stop` is checked while waiting.
    [[nodiscard]] Result<bool> advance(const std::stop_token& stop = {});
    /// The lanes that stopped in the last advance, ascending.
    [[nodiscard]] std::span<const Stop> stops() const noexcept;

    /// The waves that ran in the last advance, by the device's own clock: within the submission's
    /// kernel times in SubmissionTimes. Empty if the machine does not record them.
    [[nodiscard]] std::span<const WaveTime> wave_times() const noexcept;
    [[nodiscard]] std::span<const LaneTime> lane_times(const WaveTime& wave) const noexcept;

    /// The result of a lane that returned or trapped.
    [[nodiscard]] Ended ended(std::uint32_t invocation) const;
    /// Fuel used and steps so far, for any stopped lane (for an ejected one, up to the previous
    /// instruction).
    [[nodiscard]] wasm::RunResult so_far(std::uint32_t invocation) const;
    /// Ids of the values read on the device, in order, with repetitions.
    [[nodiscard]] Result<std::vector<std::uint32_t>> reads(std::uint32_t invocation);
    /// Fetches the read logs of all lanes: until the next advance, reads() may be called by several
    /// threads.
    [[nodiscard]] Status fetch_reads();
    /// Globals of a stopped lane; references as in InstanceImage.
    [[nodiscard]] Result<std::vector<wasm::Cell>> globals(std::uint32_t invocation);

    /// Bit i: data segment i has been dropped.
    [[nodiscard]] std::uint32_t dropped_segments(std::uint32_t invocation) const;

    /// Arguments of a lane's host call, and the remaining fuel.
    [[nodiscard]] std::vector<wasm::Cell> arguments(std::uint32_t invocation) const;
    [[nodiscard]] std::uint64_t fuel_left(std::uint32_t invocation) const;
    /// In pages of 64 KiB, for any stopped lane.
    [[nodiscard]] std::uint32_t memory_pages(std::uint32_t invocation) const;

    /// Small pages that any lane of the invocation's wave has written: all others are still the
    /// program's image.
    [[nodiscard]] std::vector<std::uint32_t> resident(std::uint32_t invocation) const;
    /// Copies pages to `to` (1 KiB each, in order), resident or not.
    [[nodiscard]] Status read_pages(std::span<const PageRead> pages, std::span<Byte> to);
    /// The inverse; the pages become resident. Error `compute::out_of_memory` if the pool is empty.
    [[nodiscard]] Status write_pages(std::span<const PageRead> pages, ByteView from);

    /// Copies lanes' memories to instances' (new or reset, of the same program), and marks the
    /// pages written.
    [[nodiscard]] Status load_memories(std::span<const std::uint32_t> invocations,
                                       std::span<wasm::Instance* const> instances);
    /// Copies what changed in the instances' memories since load_memories back to the lanes.
    [[nodiscard]] Status store_memories(std::span<const std::uint32_t> invocations,
                                        std::span<wasm::Instance* const> instances);

    /// Answers a host call; the lane continues with the next advance.
    void answer(std::uint32_t invocation, const HostReply& reply);
    /// Ends the lane, whatever it was doing.
    void drop(std::uint32_t invocation);

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] Times times() const noexcept;
    [[nodiscard]] Work work() const noexcept;

private:
    friend class Machine;
    explicit Batch(MachineState& machine);
    std::unique_ptr<BatchState> state_;
};

} // namespace blockloom::gpuvm
