// Options that say how a replay goes about its work, never what comes of it.
#pragma once

#include "command.h"
#include "execute/strategy.h"

#include <string>

namespace blockloom::cli {

/// `--strategy` and what belongs to it.
struct StrategyChoice {
    std::string strategy; ///< empty: not given
    std::string sets = "true", candidates = "all", access = "open";
    execute::StrategyOptions how;

    CLI::Option* least = nullptr; ///< --batch-min, once it is added

    void add_to(CLI::App& command);
    [[nodiscard]] bool batch_min_given() const { return least != nullptr && least->count() != 0; }
    /// What stands for a strategy that was not given: the CPU's is serial.
    void settle(bool on_device);
    /// Wrong usage where this version has no such strategy.
    [[nodiscard]] Result<execute::StrategyOptions> chosen() const;
};

} // namespace blockloom::cli
