// How well the values of a block's keys can be predicted, by the rules of the strategy predict:
// what each kind of transaction does to a key is learned from its first examples in the block.
#pragma once

#include "alkanes/block_execution.h"
#include "execute/predict/value_effect.h"
#include "execute/replayed_block.h"
#include "range/task_details.h"
#include "trace/block_trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace blockloom::runs {

/// One key that at least two tasks access, at least one of which writes it.
struct KeyPrediction {
    trace::KeyId key = 0;
    /// Reads by transactions that could be given a predicted value, and how many of these would
    /// have been right. The block's first two readers after a writer are pilots, which are not.
    std::uint64_t reads = 0, hits = 0;
    /// Writing transactions by what they did to the value: the index is a ValueEffect::Kind.
    std::array<std::uint64_t, 4> effects{};
    /// Tasks, ascending, whose read would not have been predicted right, pilots included.
    std::vector<trace::TaskId> misses{};

    /// hits / reads; absent: nothing was to be predicted.
    [[nodiscard]] std::optional<double> hit_rate() const noexcept {
        if (reads == 0) return std::nullopt;
        return static_cast<double>(hits) / static_cast<double>(reads);
    }
};

/// "adds", "sets", "other": what most writers of a key did to its value; empty: nobody wrote it.
[[nodiscard]] const char* main_effect(const std::array<std::uint64_t, 4>& effects) noexcept;

/// Of an execution in block order and its own trace; by key, ascending. A guess like any other:
/// it takes each value that was read for the one that a right prediction would have had to be.
[[nodiscard]] std::vector<KeyPrediction> predict_keys(const alkanes::BlockContext& context,
                                                      const alkanes::BlockExecution& execution,
                                                      const trace::BlockTrace& trace);

/// A read of what another transaction of the block had written before.
struct PredictedRead {
    trace::KeyId key = 0;
    std::optional<state::Value> predicted; ///< absent: none could be made
    state::Value truth;
    bool hit = false;
    bool pilot = false; ///< it would have waited: no prediction was asked for
};

/// Those of the transaction that a task belongs to, in the order of its log.
[[nodiscard]] std::vector<PredictedRead> predicted_reads(const alkanes::BlockContext& context,
                                                         const alkanes::BlockExecution& execution,
                                                         const trace::BlockTrace& trace,
                                                         trace::TaskId task);

/// The same in words for the Inspector; no rows: nothing was to be predicted. `task` as in the
/// block's own trace.
[[nodiscard]] range::DetailSection prediction_section(const execute::ReplayedBlock& block,
                                                      trace::TaskId task);
/// The title of that section.
inline constexpr const char* prediction_title = "Predicted values";

} // namespace blockloom::runs
