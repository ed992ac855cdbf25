// Advice: what limits a kept run, ranked by what changing it would gain. Each line rests on a
// figure of the run and on a what-if, and is predicted.
#pragma once

#include "runs/what_if.h"

#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

struct Advice {
    std::string limit;  ///< what holds the run up, a sentence without a full stop
    std::string figure; ///< that it rests on
    WhatIfPlan plan;    ///< that shows what changing it would gain
    Nanoseconds before = 0, predicted = 0; ///< wall time; both predicted
    std::string why_not;                   ///< why the plan cannot be replayed; empty: it can

    [[nodiscard]] double gain() const noexcept {
        return predicted <= 0 ? 1.0 : static_cast<double>(before) / static_cast<double>(predicted);
    }
};

/// Gains below this are not worth a line.
inline constexpr double least_advised_gain = 1.02;

/// Most gain first; empty: nothing that is known here would gain enough. `keys`: rank_keys(work).
[[nodiscard]] Result<std::vector<Advice>> advise(const KeptRun& run, const RecordedWork& work,
                                                 std::span<const WhatIfKey> keys,
                                                 const std::stop_token& stop = {});

/// "1.12×: Tasks wait for each other on storage:… (…). What if: strategy predict".
[[nodiscard]] std::string text_of(const Advice& advice);

} // namespace blockloom::runs
