#include "strategy_options.h"

#include <fmt/format.h>

namespace blockloom::cli {

void StrategyChoice::add_to(CLI::App& command) {
    command
        .add_option("--strategy", strategy,
                    "How tasks are executed; dag, optimistic and hybrid are reserved for later "
                    "versions [serial; on a device: speculative]")
        ->check(CLI::IsMember(
            {"serial", "levels", "speculative", "predict", "dag", "optimistic", "hybrid"}))
        ->default_str("");
    command
        .add_option("--sets", sets,
                    "Access sets used by levels: true (known from a serial run beforehand: an "
                    "upper bound) or estimated (each transaction run alone); estimated with "
                    "--strategy serial compares the two")
        ->check(CLI::IsMember({"true", "estimated"}));
    command.add_option("--window", how.window, "Blocks in a block window, executed together")
        ->check(CLI::Range(1U, 4096U))
        ->type_name("BLOCKS");
    command.add_option("--workers", how.workers, "Threads; 0: one per core")
        ->check(CLI::Range(0U, 1024U))
        ->type_name("N");
    least = command
                .add_option("--batch-min", how.batch_min,
                            "A batch with fewer transactions runs serially")
                ->type_name("N");
    command
        .add_option("--batch-max", how.batch_max,
                    "Maximum number of transactions in a batch; 0: all of a round")
        ->type_name("N");
    command
        .add_option("--candidates", candidates,
                    "prefixed: only messages with the (8, 8) prefix run in parallel")
        ->check(CLI::IsMember({"all", "prefixed"}));
    command
        .add_option("--access", access,
                    "declared: an execution that accesses keys outside its transaction's sets is "
                    "re-executed on the host")
        ->check(CLI::IsMember({"open", "declared"}));
}

void StrategyChoice::settle(bool on_device) {
    if (strategy.empty()) strategy = on_device ? "speculative" : "serial";
}

Result<execute::StrategyOptions> StrategyChoice::chosen() const {
    execute::StrategyOptions options = how;
    const auto named = execute::strategy_named(strategy);
    if (!named)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--strategy {}: expected serial, levels, speculative or predict, "
                                 "the strategies of this version",
                                 strategy)};
    options.strategy = *named;
    options.sets = sets == "true" ? execute::SetsFrom::truth : execute::SetsFrom::estimate;
    options.candidates =
        candidates == "all" ? execute::Candidates::all : execute::Candidates::prefixed;
    options.access = access == "open" ? execute::Access::open : execute::Access::declared;
    return options;
}

} // namespace blockloom::cli
