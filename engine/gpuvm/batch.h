// Many invocations at once: one lane each.
#pragma once

#include "gpuvm/machine.h"
#include "wasm/run.h"

#include <array>
#include <stop_token>

namespace blockloom::gpuvm {

/// A piece of Inputs::bytes.
struct Piece {
    std::uint32_t offset = 0, bytes = 0;
};

struct Invocation {
    std::uint32_t program = 0;  ///< as Machine::add gave it
    std::uint32_t function = 0; ///< of the program's own
    std::span<const wasm::Cell> arguments;
    std::uint64_t fuel = 0;
    std::array<Piece, blob_slots> blobs{};
    std::uint32_t owner = 0; ///< whose keys value rules look for
    bool values = true;      ///< false: value rules yield
};

/// A value that value rules may answer with. A key that is known to have no value has one of 0
/// bytes here; a key that is not here is unknown and yields.
struct KnownValue {
    std::uint32_t owner = 0; ///< not 0xffffffff
    Piece key, value;
    std::uint32_t id = 0; ///< what the read log notes
};

/// Lies on the device during a batch. `bytes` at most 4 GiB.
struct Inputs {
    ByteView bytes;
    std::span<const KnownValue> values; ///< no (owner, key) twice
};

enum class StopKind : std::uint8_t { returned, trapped, host_call, ejected };

/// Why a lane stands still.
struct Stop {
    std::uint32_t invocation = 0;
    StopKind kind = StopKind::returned;
    Ejection ejection = Ejection::none;
    std::uint32_t import = 0; ///< of a host call: index in the function space
};

/// What came of an invocation that returned or trapped.
struct Ended {
    wasm::RunResult run;          ///< as wasm::Interpreter would give it
    std::uint32_t pages = 0;      ///< of 64 KiB, at the end
    bool fuel_read = false;       ///< a `fuel` rule was answered
    std::uint64_t least_left = 0; ///< the least fuel that any rule's fee left, or all of it
};

/// The host's answer to a call.
struct HostReply {
    std::span<const wasm::Cell> results;
    std::uint64_t fee = 0;   ///< charged; too much ends the run out of fuel, as everywhere
    std::string error;       ///< set: the call traps with it
    bool values = true;      ///< false: from now on value rules yield
    std::uint32_t pages = 0; ///< of 64 KiB; 0: as before
};

/// A small page of an invocation's memory.
struct PageRead {
    std::uint32_t invocation = 0, page = 0;
};

/// Device times of a batch since start(), from timestamp queries, in nanoseconds; 0 where the
/// device has no clock.
struct Times {
    Nanoseconds upload = 0, execute = 0, pages = 0, readback = 0;
    std::uint64_t submissions = 0, dispatches = 0;
    std::uint64_t clamped = 0; ///< ticks of waves that did not lie within their kernels' time

    Times& operator+=(const Times& more) noexcept {
        upload += more.upload, execute += more.execute;
        pages += more.pages, readback += more.readback;
        submissions += more.submissions, dispatches += more.dispatches;
        clamped += more.clamped;
        return *this;
    }
};

/// When a wave ran in one slice, on the host's steady clock. A submission has several.
struct WaveTime {
    std::uint32_t wave = 0;
    Nanoseconds begin = 0, end = 0;
    std::uint32_t first = 0, lanes = 0; ///< its LaneTimes
};
/// A lane of it that was not over before: it began with its wave.
struct LaneTime {
    std::uint32_t invocation = 0;
    Nanoseconds end = 0; ///< when it stopped; the wave's end if it goes on
};

/// What the device counted: proof that it ran there.
struct Work {
    std::uint64_t instructions = 0; ///< over all lanes
    std::uint64_t rounds = 0;       ///< instructions over all waves: how well lanes kept together
    std::uint64_t frames = 0;       ///< pages given out, each of the wave's lanes × 1 KiB
};

/// A batch's life: start, then advance until nothing runs; after each advance look at stops(),
/// answer each host call with answer() or end it with drop(). Buffers are kept for the next
/// start(). One thread at a time.
///
/// Errors (device lost, out of memory, timed out, cancelled) end the batch: every invocation that
/// has not ended must be run elsewhere; ended ones stay readable.
class Batch {
public:
    ~Batch();

    [[nodiscard]] Status start(std::span<const Invocation> invocations, const Inputs& inputs);
    /// Runs one submission of slices. True while some lane runs. `stop` is looked at while waiting.
    [[nodiscard]] Result<bool> advance(const std::stop_token& stop = {});
    /// The lanes that stopped in the last advance, ascending.
    [[nodiscard]] std::span<const Stop> stops() const noexcept;

    /// What ran in the last advance, by the device's own clock: within the submission's kernels as
    /// SubmissionTimes has them. Nothing where the machine does not tell.
    [[nodiscard]] std::span<const WaveTime> wave_times() const noexcept;
    [[nodiscard]] std::span<const LaneTime> lane_times(const WaveTime& wave) const noexcept;

    /// Of a lane that returned or trapped.
    [[nodiscard]] Ended ended(std::uint32_t invocation) const;
    /// Fuel used and steps so far, of any lane that stands still (an ejected one's end at the
    /// instruction before).
    [[nodiscard]] wasm::RunResult so_far(std::uint32_t invocation) const;
    /// Ids of the values read on the device, in order, with repetitions.
    [[nodiscard]] Result<std::vector<std::uint32_t>> reads(std::uint32_t invocation);
    /// Fetches the read logs of all: until the next advance, reads() may be asked by several
    /// threads.
    [[nodiscard]] Status fetch_reads();
    /// Globals of a lane that stands still; references as in InstanceImage.
    [[nodiscard]] Result<std::vector<wasm::Cell>> globals(std::uint32_t invocation);

    /// Bit i: data segment i is empty now.
    [[nodiscard]] std::uint32_t dropped_segments(std::uint32_t invocation) const;

    /// Arguments of a lane's host call, and the fuel that is left.
    [[nodiscard]] std::vector<wasm::Cell> arguments(std::uint32_t invocation) const;
    [[nodiscard]] std::uint64_t fuel_left(std::uint32_t invocation) const;
    /// Of 64 KiB, of any lane that stands still.
    [[nodiscard]] std::uint32_t memory_pages(std::uint32_t invocation) const;

    /// Small pages that any lane of the invocation's wave wrote: all others are still the program's
    /// image.
    [[nodiscard]] std::vector<std::uint32_t> resident(std::uint32_t invocation) const;
    /// Copies pages to `to` (1 KiB each, in order); resident or not.
    [[nodiscard]] Status read_pages(std::span<const PageRead> pages, std::span<Byte> to);
    /// The reverse; pages become resident. Error `compute::out_of_memory` if the pool is empty.
    [[nodiscard]] Status write_pages(std::span<const PageRead> pages, ByteView from);

    /// The memory of a lane into an instance's (fresh or reset, of the same program): marks what it
    /// writes.
    [[nodiscard]] Status load_memories(std::span<const std::uint32_t> invocations,
                                       std::span<wasm::Instance* const> instances);
    /// What changed in the instances' memories since load_memories, back to the lanes.
    [[nodiscard]] Status store_memories(std::span<const std::uint32_t> invocations,
                                        std::span<wasm::Instance* const> instances);

    /// The lane goes on with the next advance.
    void answer(std::uint32_t invocation, const HostReply& reply);
    /// The lane ends here, whatever it was doing.
    void drop(std::uint32_t invocation);

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] Times times() const noexcept;
    [[nodiscard]] Work work() const noexcept;

    struct State;

private:
    friend class Machine;
    explicit Batch(Machine& machine);
    std::unique_ptr<State> state_;
};

} // namespace blockloom::gpuvm
