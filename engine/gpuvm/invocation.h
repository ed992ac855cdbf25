// What goes into a batch and what comes out of it.
#pragma once

#include "base/bytes.h"
#include "base/clock.h"
#include "gpuvm/ejection.h"
#include "gpuvm/host_rule.h"
#include "wasm/run.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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

} // namespace blockloom::gpuvm
