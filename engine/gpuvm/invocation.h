// The input and output of a batch.
#pragma once

#include "base/bytes.h"
#include "base/clock.h"
#include "gpuvm/ejection.h"
#include "gpuvm/host_rule.h"
#include "gpuvm/options.h"
#include "wasm/run.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::gpuvm {

/// A piece of Inputs::bytes.
struct Piece {
    std::uint32_t offset = 0, bytes = 0;
};

/// A blob that is not there: its rules yield.
inline constexpr Piece no_blob{0xffff'ffff, 0};

/// The owner of no known value.
inline constexpr std::uint32_t no_owner = 0xffff'ffff;

struct Invocation {
    std::uint32_t program = 0;  ///< as returned by Machine::add
    std::uint32_t function = 0; ///< index in the program's functions
    std::span<const wasm::Cell> arguments;
    std::uint64_t fuel = 0;
    std::array<Piece, blob_slots> blobs{};
    /// The owner of the keys that value rules look up; those of pairs and single values belong to
    /// the next.
    std::uint32_t owner = 0;
    bool values = true;             ///< false: these rules yield
    std::uint32_t calls = no_owner; ///< the owner of what known calls give; none: they yield
};

/// A value that value rules may return. A key that is known to have no value has a value of 0 bytes
/// here; a key that is not listed is unknown and yields.
struct KnownValue {
    std::uint32_t owner = 0; ///< not `no_owner`
    Piece key, value;
    std::uint32_t id = 0; ///< the id recorded in the read log
};

/// On the device during a batch. `bytes` is at most 4 GiB.
struct Inputs {
    ByteView bytes;
    std::span<const KnownValue> values; ///< no (owner, key) twice
};

enum class StopKind : std::uint8_t { returned, trapped, host_call, ejected };

/// Why a lane stopped.
struct Stop {
    std::uint32_t invocation = 0;
    StopKind kind = StopKind::returned;
    Ejection ejection = Ejection::none;
    std::uint32_t import = 0; ///< for a host call: index in the function space
};

/// The result of an invocation that returned or trapped.
struct Ended {
    wasm::RunResult run;          ///< as wasm::Interpreter would return it
    std::uint32_t pages = 0;      ///< of 64 KiB, at the end
    bool fuel_read = false;       ///< a `fuel` rule was used
    std::uint64_t least_left = 0; ///< the least fuel left after any rule's fee; initially all of it
    bool on_host = false; ///< compiled for the processor: the device's code was not there or left
    std::uint32_t submission = no_submission; ///< in which it ended (options.h)
};

/// The host's answer to a call.
struct HostReply {
    std::span<const wasm::Cell> results;
    std::uint64_t fee =
        0; ///< charged; if it exceeds the fuel left, the run ends out of fuel, as everywhere
    std::string error;       ///< if set, the call traps with it
    bool values = true;      ///< false: from now on value rules yield
    bool calls = true;       ///< false: from now on known calls yield
    std::uint32_t pages = 0; ///< new size in pages of 64 KiB; 0: unchanged
    /// From now on what `given_copy` rules write; nothing: as before.
    std::optional<std::string> bytes;
};

/// A small page of an invocation's memory.
struct PageRead {
    std::uint32_t invocation = 0, page = 0;
};

/// Device times of a batch since start(), from timestamp queries, in nanoseconds; 0 if the
/// device has no clock.
struct Times {
    Nanoseconds upload = 0, execute = 0, pages = 0, readback = 0;
    std::uint64_t submissions = 0, dispatches = 0;
    std::uint64_t clamped = 0; ///< ticks of waves that were outside their kernels' time

    [[nodiscard]] Nanoseconds busy() const noexcept { return upload + execute + pages + readback; }

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
    std::uint32_t first = 0, lanes = 0; ///< the range of its LaneTimes
};
/// A lane of the wave that was not finished before: it began with its wave.
struct LaneTime {
    std::uint32_t invocation = 0;
    Nanoseconds end = 0; ///< when it stopped; the wave's end if it continues
};

/// The device's counters: proof that the work ran there.
struct Work {
    std::uint64_t instructions = 0; ///< over all lanes
    std::uint64_t rounds = 0; ///< instructions over all waves: shows how well lanes stayed together
    std::uint64_t frames = 0; ///< pages allocated, each of 1 KiB × lanes of the wave
    /// Of a machine with compiled lanes: those that device code has run to a stop, and those that
    /// ran on the host because the device's code was not there or did not reach.
    std::uint64_t compiled = 0, on_host = 0;
};

} // namespace blockloom::gpuvm
