// What strategies keep from block window to block window of a replay.
#pragma once

#include "execute/auto/strategy_choice.h"
#include "execute/flow/key_readers.h"
#include "execute/flow/live_versions.h"
#include "execute/predict/task_kinds.h"

#include <cstddef>

namespace blockloom::execute {

struct StrategyMemory {
    static constexpr std::size_t first_reach = 32;

    TaskKinds kinds;
    std::size_t reach = first_reach; ///< of predict: the most tasks of the next round
    StrategyChoice choice;           ///< of auto
    /// Windows in a row that ran in block order, because their dependencies allow nothing else.
    /// Nothing is learned of them, so after some the next one runs differently.
    std::uint32_t serial_windows = 0;
    static constexpr std::uint32_t most_serial_windows = 24;
    LiveVersions live;  ///< of the window that is being executed
    KeyReaders readers; ///< likewise
};

} // namespace blockloom::execute
