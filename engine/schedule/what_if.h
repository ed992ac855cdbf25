// What-if: the trace of a block with some of its conflicts relaxed, and how long a strategy would
// take for it. Every result is a prediction (docs/definitions.md#what-if).
#pragma once

#include "schedule/schedules.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace blockloom::schedule {

/// How the conflicts of a key are relaxed.
enum class Relaxation : std::uint8_t {
    ignore,      ///< its accesses do not count
    commutative, ///< its updates do not conflict with each other; pure reads do
    predicted,   ///< tasks are given its value before it is written
    split        ///< it becomes several keys, over which its updates are distributed in turn
};
/// "ignore", "commutative", "predicted", "split".
[[nodiscard]] std::string_view name_of(Relaxation how) noexcept;

struct RelaxedKey {
    conflict::KeyId key = 0;
    Relaxation how = Relaxation::ignore;
    std::uint32_t parts = 2; ///< `split`: from 2
    /// `predicted`: the tasks, ascending, that are not given the right value; the others are.
    std::vector<TaskId> misses{};
};

/// The most parts that a key is split into.
inline constexpr std::uint32_t most_parts = 1024;

/// The trace with these keys relaxed, each listed at most once. Keys that it adds have no names.
///
/// `predicted`: a task that reads the key after another one wrote it depends on the latest writer
/// before it if its prediction misses or nothing can be predicted yet; from then on predictions
/// start from that task, so the later tasks depend only on it. Nothing else of the key orders
/// tasks: each has its own version. `split`: an update goes to one part, a pure read needs all. Of
/// a key that is commutative already, the parts are, too; predictions change nothing.
[[nodiscard]] trace::PolicedTrace relax(const trace::PolicedTrace& trace,
                                        std::span<const RelaxedKey> keys);

/// How a strategy executes a block, as far as a simulation goes.
enum class ExecutionModel : std::uint8_t {
    serial,     ///< one after the other
    levels,     ///< by levels, with a barrier after each batch
    rounds,     ///< all at once; what read too early again, with a barrier after each batch
    optimistic, ///< as schedule_optimistic
    list        ///< as schedule_list: dependency-driven, no barrier
};
/// "serial" … "list".
[[nodiscard]] std::string_view name_of(ExecutionModel model) noexcept;
[[nodiscard]] constexpr bool has_barriers(ExecutionModel model) noexcept {
    return model == ExecutionModel::levels || model == ExecutionModel::rounds;
}

/// Limits of `levels` and `rounds`, in tasks; 0: none.
struct BatchLimits {
    std::size_t min = 0; ///< a smaller block, or what a round leaves below it, runs one by one
    std::size_t max = 0; ///< larger batches are cut, with a barrier after each part
    friend bool operator==(const BatchLimits&, const BatchLimits&) = default;
};

/// The simulated finish time in cost units. Without limits that of `levels`, `list` and
/// `optimistic` is the makespan of their schedules; that of `serial` is the work. `rounds`: round r
/// runs the tasks of level r and above; another round begins only if the last one accepted as many
/// tasks as one worker would have executed in its time, else the rest runs in block order.
[[nodiscard]] std::uint64_t predicted_time(const ConflictIndex& index, ExecutionModel model,
                                           std::uint32_t workers, BatchLimits limits = {});

} // namespace blockloom::schedule
