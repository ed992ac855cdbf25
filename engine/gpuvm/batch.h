// Many invocations at once, one lane each.
#pragma once

#include "base/result.h"
#include "gpuvm/invocation.h"
#include "wasm/run.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace blockloom::gpuvm {

/// The life cycle of a batch: start(), then advance() until nothing runs; after each advance() go
/// through stops(), and answer each host call with answer() or end the lane with drop(). Buffers
/// are kept for the next start(). One thread at a time.
///
/// Errors (device lost, out of memory, timed out, cancelled) end the batch: every unfinished
/// invocation must be run elsewhere; finished ones stay readable.
class Batch {
public:
    virtual ~Batch() = default;
    Batch() = default;
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    [[nodiscard]] virtual Status start(std::span<const Invocation> invocations,
                                       const Inputs& inputs) = 0;
    /// After start(): submits what the first advance() would, which then only waits, so that
    /// several batches of a machine are on its device at once (Machine::batches_at_once). A batch
    /// that is started again or destroyed before that advance waits for the device first.
    [[nodiscard]] virtual Status launch() { return {}; }
    /// What launch() submitted has ended: the next advance() does not wait for it. On any thread
    /// that has the batch for itself.
    [[nodiscard]] virtual bool has_landed() { return true; }
    /// Runs one submission of slices. True while any lane runs. `stop` is checked while waiting.
    /// `launched` is called at most once: after work was submitted to the device and before the
    /// wait for it.
    [[nodiscard]] virtual Result<bool> advance(const std::stop_token& stop = {},
                                               const std::function<void()>& launched = {}) = 0;
    /// The lanes that stopped in the last advance, ascending.
    [[nodiscard]] virtual std::span<const Stop> stops() const noexcept = 0;

    /// The waves that ran in the last advance, by the device's own clock: within the submission's
    /// kernel times in SubmissionTimes. Empty if the machine does not record them.
    [[nodiscard]] virtual std::span<const WaveTime> wave_times() const noexcept = 0;
    [[nodiscard]] virtual std::span<const LaneTime>
    lane_times(const WaveTime& wave) const noexcept = 0;

    /// The result of a lane that returned or trapped; the memory of `to` is used again.
    virtual void read_end(std::uint32_t invocation, Ended& to) const = 0;
    [[nodiscard]] Ended ended(std::uint32_t invocation) const {
        Ended end;
        read_end(invocation, end);
        return end;
    }
    /// Fuel used and steps so far, for any stopped lane (for an ejected one, up to the previous
    /// instruction).
    [[nodiscard]] virtual wasm::RunResult so_far(std::uint32_t invocation) const = 0;
    /// Ids of the values read on the device, in order, with repetitions; they replace those in
    /// `to`.
    [[nodiscard]] virtual Status read_log(std::uint32_t invocation,
                                          std::vector<std::uint32_t>& to) = 0;
    /// Fetches the read logs of all lanes: until the next advance, read_log() may be called by
    /// several threads.
    [[nodiscard]] virtual Status fetch_reads() = 0;
    /// The bytes at a returned lane's first result (host_rule.h has "bytes at p"), if it brought
    /// them with its end: `pointer` is that result. They are in its memory, behind their length.
    /// False: it did not bring them.
    [[nodiscard]] virtual bool read_kept(std::uint32_t, std::uint32_t, std::string&) const {
        return false;
    }
    /// Globals of a stopped lane; references as in InstanceImage.
    [[nodiscard]] virtual Result<std::vector<wasm::Cell>> globals(std::uint32_t invocation) = 0;

    /// Bit i: data segment i has been dropped.
    [[nodiscard]] virtual std::uint32_t dropped_segments(std::uint32_t invocation) const = 0;

    /// Arguments of a lane's host call, and the remaining fuel.
    [[nodiscard]] virtual std::vector<wasm::Cell> arguments(std::uint32_t invocation) const = 0;
    [[nodiscard]] virtual std::uint64_t fuel_left(std::uint32_t invocation) const = 0;
    /// In pages of 64 KiB, for any stopped lane.
    [[nodiscard]] virtual std::uint32_t memory_pages(std::uint32_t invocation) const = 0;

    /// Small pages that any lane of the invocation's wave has written: all others are still the
    /// program's image.
    [[nodiscard]] virtual std::vector<std::uint32_t> resident(std::uint32_t invocation) const = 0;
    /// Copies pages to `to` (1 KiB each, in order), resident or not.
    [[nodiscard]] virtual Status read_pages(std::span<const PageRead> pages,
                                            std::span<Byte> to) = 0;
    /// The inverse; the pages become resident. Error `compute::out_of_memory` if the pool is empty.
    [[nodiscard]] virtual Status write_pages(std::span<const PageRead> pages, ByteView from) = 0;

    /// Copies lanes' memories to instances' (new or reset, of the same program), and marks the
    /// pages written.
    [[nodiscard]] virtual Status load_memories(std::span<const std::uint32_t> invocations,
                                               std::span<wasm::Instance* const> instances) = 0;
    /// Copies what changed in the instances' memories since load_memories back to the lanes.
    [[nodiscard]] virtual Status store_memories(std::span<const std::uint32_t> invocations,
                                                std::span<wasm::Instance* const> instances) = 0;

    /// Answers a host call; the lane continues with the next advance.
    virtual void answer(std::uint32_t invocation, const HostReply& reply) = 0;
    /// Ends the lane, whatever it was doing.
    virtual void drop(std::uint32_t invocation) = 0;

    [[nodiscard]] virtual std::size_t size() const noexcept = 0;
    [[nodiscard]] virtual Times times() const noexcept = 0;
    [[nodiscard]] virtual Work work() const noexcept = 0;
};

} // namespace blockloom::gpuvm
