#include "strategy_options.h"

#include <fmt/format.h>

namespace blockloom::cli {

namespace {

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const execute::Strategy strategy : execute::all_strategies)
        names.emplace_back(name_of(strategy));
    return names;
}

} // namespace

void StrategyChoice::add_to(CLI::App& command) {
    command
        .add_option("--strategy", strategy,
                    "How tasks are executed [auto: chosen for each block window by what was "
                    "learned of the range; on a device: speculative]")
        ->check(CLI::IsMember(strategy_names()))
        ->default_str("");
    command
        .add_option("--sets", sets,
                    "Access sets used by levels and dag: true (known from a serial run "
                    "beforehand: an upper bound), estimated (each transaction run alone) or "
                    "learned (what similar transactions accessed before); estimated with "
                    "--strategy serial compares the two [levels: true; dag: learned]")
        ->check(CLI::IsMember({"true", "estimated", "learned"}))
        ->default_str("");
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
        .add_option("--hybrid", hybrid,
                    "on: the workers run those rounds of a device that they finish sooner")
        ->check(CLI::IsMember({"on", "off"}));
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
    if (strategy.empty()) strategy = on_device ? "speculative" : "auto";
}

execute::StrategyOptions StrategyChoice::chosen() const {
    execute::StrategyOptions options = how;
    options.strategy = execute::strategy_named(strategy).value_or(execute::Strategy::automatic);
    if (sets == "true") options.sets = execute::SetsFrom::truth;
    if (sets == "estimated") options.sets = execute::SetsFrom::estimate;
    if (sets == "learned") options.sets = execute::SetsFrom::learned;
    options.candidates =
        candidates == "all" ? execute::Candidates::all : execute::Candidates::prefixed;
    options.access = access == "open" ? execute::Access::open : execute::Access::declared;
    options.hybrid = hybrid == "on";
    return options;
}

} // namespace blockloom::cli
