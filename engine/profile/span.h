// Measurements of one run over time: spans on lanes, and counters. Plain data, immutable once made;
// shared as std::shared_ptr<const Trace>.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace blockloom::profile {

/// What a span measures.
enum class Category : std::uint8_t {
    phase,   ///< a phase (docs/definitions.md#phases), on the thread that drives the run
    round,   ///< one round of a window; `detail`: transactions that it tries
    message, ///< one execution of `task`; `detail`: its transaction's index in its block
    check,   ///< acceptance of a round's results
    batch,   ///< one batch on a device; `detail`: invocations
    slice,   ///< one submission of a batch, on the device's lane; `detail`: invocations alive; or
             ///< one slice of a wave, on the wave's lane
    wait,    ///< a thread that waits
    other,
    count
};
/// "phase" … "other".
[[nodiscard]] const char* name_of(Category category) noexcept;

/// No task or no block.
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Half-open: [begin, end), nanoseconds since the trace's start; begin <= end.
struct Span {
    Nanoseconds begin = 0, end = 0;
    std::uint32_t block = none; ///< index into Trace::heights
    std::uint32_t task = none;  ///< in its block, numbered as in the block's trace; on a device the
                                ///< first task of its transaction; of a device's submission its
                                ///< number, from 0
    std::uint32_t detail = 0;   ///< its meaning depends on the category
    std::uint16_t name = 0;     ///< index into Trace::names
    Category category = Category::other;
    std::uint8_t depth = 0; ///< number of spans of its lane that contain it

    [[nodiscard]] Nanoseconds duration() const noexcept { return end - begin; }
    /// Of a device's submission the number of its wave, from 1 as they are shown; 0: it has none.
    [[nodiscard]] std::uint64_t wave() const noexcept {
        return category == Category::slice && task != none ? std::uint64_t{task} + 1 : 0;
    }
    bool operator==(const Span&) const = default;
};

enum class LaneKind : std::uint8_t {
    driver, ///< the thread that drives the run
    worker, ///< a CPU worker
    device, ///< a device's work, by its own clock, converted to the host's: a lane for each
            ///< direction (upload, kernels, download), and for each stream if several are in flight
    wave,   ///< concurrent waves (subgroups) of a device, by that clock: slices, and in each the
            ///< messages of its lanes, which ran in lockstep
    beside, ///< what the host does beside the run, on threads of its own: compilation
    count
};

/// Spans of a lane nest: of any two, one contains the other or they do not overlap. Sorted by
/// begin; of two that begin together, the longer is first (so a span follows the one that contains
/// it).
struct Lane {
    std::string name; ///< "driver", "worker 3", the device's name on each of its lanes, "wave 12"
    LaneKind kind = LaneKind::worker;
    std::vector<Span> spans;

    bool operator==(const Lane&) const = default;
};

/// A value over time; each point is valid until the next.
struct Counter {
    struct Point {
        Nanoseconds at = 0; ///< since the trace's start
        std::int64_t value = 0;
        bool operator==(const Point&) const = default;
    };
    std::string name, unit;    ///< "tasks accepted", "" or "bytes"
    std::vector<Point> points; ///< sorted by time

    bool operator==(const Counter&) const = default;
};

/// All that was recorded of one run. Every time is measured by the host's steady clock, or by a
/// device's clock that was calibrated against it.
struct Trace {
    Nanoseconds duration = 0;           ///< from the start to the end of its last span
    std::vector<std::string> names;     ///< names of spans
    std::vector<std::uint64_t> heights; ///< of the blocks, in the order of the run
    std::vector<Lane> lanes;            ///< driver, workers, devices, waves, beside
    std::vector<Counter> counters;
    std::uint64_t dropped = 0; ///< spans that did not fit

    [[nodiscard]] std::size_t span_count() const noexcept {
        std::size_t count = 0;
        for (const Lane& lane : lanes) count += lane.spans.size();
        return count;
    }
    bool operator==(const Trace&) const = default;
};

/// The lane's name; of one of several lanes of a device with its part: "Some GPU: upload",
/// "Some GPU: run 2" where two of them run.
[[nodiscard]] std::string title_of(const Trace& trace, std::size_t lane);

} // namespace blockloom::profile
