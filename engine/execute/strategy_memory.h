// What strategies keep from block window to block window of a replay.
#pragma once

#include "execute/auto/strategy_choice.h"
#include "execute/auto/unknown_windows.h"
#include "execute/flow/key_readers.h"
#include "execute/flow/live_versions.h"
#include "execute/predict/predicted_values.h"
#include "execute/predict/task_kinds.h"
#include "execute/wave_span.h"

#include <cstddef>

namespace blockloom::execute {

struct StrategyMemory {
    static constexpr std::size_t first_reach = 32;

    TaskKinds kinds;
    std::size_t reach = first_reach; ///< of predict: the most tasks of the next round
    PredictedValues predicted;       ///< likewise, of its last round: keeps its memory
    WaveSpan wave_span;              ///< of speculative
    StrategyChoice choice;           ///< of auto
    UnknownWindows unknown;          ///< likewise
    /// Of auto: what was expected of the last window that it looked at, and how many in a row were
    /// predicted because of it. The graph of a window takes a while to build.
    WindowOutlook outlook;
    std::uint32_t alike_windows = 0;
    static constexpr std::uint32_t most_alike_windows = 16;
    /// Windows in a row that ran in block order, because their dependencies allow nothing else.
    /// Nothing is learned of them, so after some the next one runs differently.
    std::uint32_t serial_windows = 0;
    static constexpr std::uint32_t most_serial_windows = 24;
    /// Windows for which tasks that read their budget still wait for all before them: in a recent
    /// one the budgets that were predicted for them were wrong.
    std::uint32_t windows_in_turn = 0;
    static constexpr std::uint32_t windows_after_wrong_budget = 16;
    LiveVersions live;  ///< of the window that is being executed
    KeyReaders readers; ///< likewise
};

} // namespace blockloom::execute
