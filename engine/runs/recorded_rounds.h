// In which rounds of a run its tasks were executed, by its spans.
#pragma once

#include "base/clock.h"
#include "profile/span.h"
#include "schedule/measured.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace blockloom::runs {

/// The rounds of a trace, flows included.
class RecordedRounds {
public:
    explicit RecordedRounds(const profile::Trace& trace);

    /// The round that was running at this time; absent: none was.
    [[nodiscard]] std::optional<std::size_t> at(Nanoseconds time) const noexcept;
    /// What ended a round: its time after its last execution. What began it is in the mean time
    /// between two executions (runs/execution_overhead.h).
    [[nodiscard]] Nanoseconds ending(std::size_t round) const noexcept;
    /// What workers did during a round beside executing tasks and waiting: stages of other blocks,
    /// attempts without a result.
    [[nodiscard]] std::span<const Nanoseconds> beside(std::size_t round) const noexcept {
        return rounds_[round].beside;
    }

private:
    struct Round {
        Nanoseconds begin = 0, end = 0;
        std::optional<Nanoseconds> last; ///< end of its executions
        std::vector<Nanoseconds> beside;
    };
    std::vector<Round> rounds_; ///< by time
};

/// Tasks of a block, or a block window, by when they were executed.
struct ExecutionOrder {
    /// A task and the time that its last execution in a round took, in nanoseconds, at least 1. A
    /// transaction's is divided evenly among its tasks.
    using Costs = std::map<schedule::TaskId, std::uint64_t>;
    /// By round. A task that was repeated is in several.
    std::map<std::size_t, Costs> rounds;
    std::vector<schedule::TaskId> in_order; ///< outside all rounds, one after the other

    [[nodiscard]] bool is_nothing() const noexcept { return rounds.empty() && in_order.empty(); }
};

/// Of the block at `height`; `measured` is its schedule by the same trace and index.
[[nodiscard]] ExecutionOrder execution_order(const RecordedRounds& rounds,
                                             const profile::Trace& trace, std::uint64_t height,
                                             const conflict::ConflictIndex& index,
                                             const schedule::MeasuredSchedule& measured);

} // namespace blockloom::runs
