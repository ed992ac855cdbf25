#include "strategy_options.h"

#include <fmt/format.h>

namespace blockloom::cli {

void StrategyChoice::add_to(CLI::App& command) {
    command
        .add_option("--strategy", strategy,
                    "In which order what is tried; default: serial, on a device speculative")
        ->check(CLI::IsMember(
            {"serial", "levels", "speculative", "dag", "optimistic", "predict", "hybrid"}))
        ->default_str("");
    command
        .add_option("--sets", sets,
                    "Whose sets: true (levels: an oracle's bound), or estimated, each transaction "
                    "alone; with serial they are compared")
        ->check(CLI::IsMember({"true", "estimated"}));
    command.add_option("--window", how.window, "Blocks that are tried together")
        ->check(CLI::Range(1U, 4096U))
        ->type_name("BLOCKS");
    command.add_option("--workers", how.workers, "Threads; 0: one a core")
        ->check(CLI::Range(0U, 1024U))
        ->type_name("N");
    least = command
                .add_option("--batch-min", how.batch_min,
                            "Fewer transactions run as the serial strategy does")
                ->type_name("N");
    command.add_option("--batch-max", how.batch_max, "Transactions at once; 0: all of a round")
        ->type_name("N");
    command
        .add_option("--candidates", candidates,
                    "prefixed: only bearers of the 8,8 prefix run in parallel")
        ->check(CLI::IsMember({"all", "prefixed"}));
    command
        .add_option("--access", access,
                    "declared: what leaves its transaction's sets runs again on the host")
        ->check(CLI::IsMember({"open", "declared"}));
}

void StrategyChoice::settle(bool on_device) {
    if (strategy.empty()) strategy = on_device ? "speculative" : "serial";
}

Result<execute::StrategyOptions> StrategyChoice::chosen() const {
    execute::StrategyOptions options = how;
    if (strategy == "levels")
        options.strategy = execute::Strategy::levels;
    else if (strategy == "speculative")
        options.strategy = execute::Strategy::speculative;
    else if (strategy != "serial")
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--strategy {}: expected serial, levels or speculative, the "
                                 "strategies of this version",
                                 strategy)};
    options.sets = sets == "true" ? execute::SetsFrom::truth : execute::SetsFrom::estimate;
    options.candidates =
        candidates == "all" ? execute::Candidates::all : execute::Candidates::prefixed;
    options.access = access == "open" ? execute::Access::open : execute::Access::declared;
    return options;
}

} // namespace blockloom::cli
