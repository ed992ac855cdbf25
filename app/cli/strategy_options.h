// Options of how a replay is executed; they never change its result.
#pragma once

#include "command.h"
#include "execute/strategy.h"

#include <string>

namespace blockloom::cli {

/// `--strategy` and its related options.
struct StrategyChoice {
    std::string strategy; ///< empty: not given
    std::string sets;     ///< empty: not given
    std::string candidates = "all", access = "open", hybrid = "on";
    execute::StrategyOptions how;

    CLI::Option* least = nullptr; ///< --batch-min, once it is added

    void add_to(CLI::App& command);
    [[nodiscard]] bool batch_min_given() const { return least != nullptr && least->count() != 0; }
    /// The default strategy.
    void settle(bool on_device);
    [[nodiscard]] execute::StrategyOptions chosen() const;
};

} // namespace blockloom::cli
