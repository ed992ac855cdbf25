#include "source_options.h"
#include "range/open_range.h"

#include "node_options.h"
#include "range/database_source.h"
#include "range/sources.h"
#include "report/json.h"
#include "terminal.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace blockloom::cli {
namespace {

/// "gas" is what a chain meters, so it includes Solana's compute units.
bool carries(const range::BlockRecord& record, const std::string& cost) {
    const std::string_view has = report::cost_name(record);
    return has == cost || (cost == "gas" && has == "compute_units") ||
           (cost == "measured" && has == "measured_ns");
}

/// The unit of a block's costs, for the message.
std::string costs_of(const trace::BlockTrace& trace, const range::BlockRecord& record) {
    if (trace.cost.empty()) return "none";
    if (trace.cost_unit == trace::CostUnit::unit)
        return "costs without a unit (a block's line names the unit: \"cost_unit\":\"gas\")";
    return std::string(report::cost_name(record));
}

Status check_costs(const range::Range& range, const std::string& cost) {
    if (cost == "unit") return {};
    for (const auto& record : range.blocks)
        if (record->trace->tasks() != 0 && !carries(*record, cost))
            return Error{
                ErrorCode::bad_input,
                fmt::format("{}: block {}: expected tasks with a cost in {}, found {}; with "
                            "--cost unit every task costs 1",
                            record->source, record->trace->block.label, cost,
                            costs_of(*record->trace, *record))};
    return {};
}

void tell_left_out(const range::Range& range) {
    constexpr std::size_t most = 20; // a folder may contain thousands of files that are not blocks
    for (std::size_t i = 0; i < std::min(most, range.left_out.size()); ++i) {
        const range::LeftOut& out = range.left_out[i];
        const bool named = out.reason.find(out.source) != std::string::npos;
        spdlog::warn("left out: {}",
                     printable(named ? out.reason : fmt::format("{}: {}", out.source, out.reason)));
    }
    if (range.left_out.size() > most)
        spdlog::warn("left out: {} more (--json lists all)", range.left_out.size() - most);
}

void add_rules(CLI::App& command, SourceOptions& options) {
    auto& analysis = options.range.analysis;
    command.add_option("--model", options.model, "Which conflicts order tasks")
        ->check(CLI::IsMember({"single-version", "multi-version"}))
        ->group("Rules");
    command
        .add_option("--ignore", analysis.policy.ignore,
                    "Leave out keys that match: a glob over the printable key, or kind:NAME")
        ->allow_extra_args(false)
        ->type_name("PATTERN")
        ->default_str("")
        ->group("Rules");
    command
        .add_option("--commutative", analysis.policy.commutative,
                    "Keys whose updates do not conflict with each other")
        ->allow_extra_args(false)
        ->type_name("PATTERN")
        ->default_str("")
        ->group("Rules");
    command
        .add_option("--coarsen", options.coarsen,
                    "Merge an account's storage, balance, nonce and code keys into one key")
        ->check(CLI::IsMember({"account"}))
        ->group("Rules");
    command
        .add_option("--touches", options.touches,
                    "Whether touching a balance without changing it counts as a read")
        ->check(CLI::IsMember({"reads", "ignored"}))
        ->group("Rules");
    command.add_flag("--without-votes", analysis.policy.without_votes, "Leave out vote tasks")
        ->group("Rules");
    command.add_option("--cost", options.cost, "Cost of a task")
        ->check(CLI::IsMember({"unit", "gas", "fuel", "measured"}))
        ->group("Rules");
    options.workers_option = command
                                 .add_option("--workers", analysis.workers,
                                             "Numbers of workers in the simulated schedules")
                                 ->delimiter(',')
                                 ->allow_extra_args(false)
                                 ->check(CLI::Range(1, 65536))
                                 ->type_name("N,N…")
                                 ->default_str("1,2,4,8,16")
                                 ->group("Rules");
    command.add_option("--colouring", options.colouring, "Colour the conflict graph")
        ->check(
            CLI::IsMember({"none", "greedy", "welsh-powell", "smallest-last", "dsatur", "best"}))
        ->group("Rules");
    command
        .add_option("--seconds", analysis.best_seconds, "Seconds per block for --colouring best")
        ->check(CLI::Range(0.001, 86400.0))
        ->group("Rules");
}

} // namespace

std::uint32_t SourceOptions::chart_workers() const {
    const auto& workers = range.analysis.workers;
    if (workers_option->count() == 0 || workers.empty()) return 8;
    return *std::max_element(workers.begin(), workers.end());
}

std::shared_ptr<SourceOptions> add_source_options(CLI::App& command) {
    auto options = std::make_shared<SourceOptions>();
    command.fallthrough(); // --workspace also after the command's name
    auto& opened = options->range;
    command
        .add_option(
            "SOURCE", opened.sources,
            "Files, folders (also a Bitcoin Core blocks/ folder), demo, an indexer's database "
            "(metashrew:DIR with --from and --to), or a node: core:URL, rest:URL, metashrew:URL "
            "with --from")
        ->required()
        ->type_name("")
        ->default_str("");
    command
        .add_option("--chain", opened.chain,
                    "Format of the blocks; ethereum and solana are not supported yet")
        ->check(CLI::IsMember({"auto", "bitcoin", "alkanes", "ethereum", "solana", "trace"}))
        ->group("Range");
    options->from_option =
        command.add_option("--from", options->from, "First height")->type_name("H")->group("Range");
    options->to_option =
        command.add_option("--to", options->to, "Last height")->type_name("H")->group("Range");
    for (CLI::Option* option : {options->from_option, options->to_option}) option->default_str("");
    command.add_flag("--keep-going", opened.keep_going, "Report malformed blocks and continue")
        ->group("Range");
    command
        .add_option("--sets", options->sets,
                    "Alkanes: access sets, true or estimated by running each transaction alone")
        ->check(CLI::IsMember({"true", "estimated"}))
        ->group("Range");
    options->rules.add_to(command, "Range");
    options->state.add_to(command);
    add_node_options(command, opened);
    command.add_option("--engine", options->engine, "Alkanes: how the CPU runs contracts")
        ->check(CLI::IsMember({"interpreter", "native"}))
        ->group("Range");
    command
        .add_option("--threads", options->threads, "Threads that analyse blocks; 0: one per core")
        ->check(CLI::Range(0, 4096))
        ->group("Range");
    add_rules(command, *options);
    return options;
}

Result<std::shared_ptr<const range::Range>>
open_sources(SourceOptions& options, const Context& context,
             const std::optional<std::uint64_t>& height) {
    range::RangeOptions& opened = options.range;
    if (options.from_option->count() != 0) opened.from = options.from;
    if (options.to_option->count() != 0) opened.to = options.to;
    if (height) opened.from = opened.to = height;
    if (opened.from && opened.to && *opened.from > *opened.to)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--from {} is above --to {}", *opened.from, *opened.to)};
    opened.analysis.model = *report::model_named(options.model);
    opened.analysis.policy.coarsen_account = options.coarsen == "account";
    opened.analysis.policy.touches_ignored = options.touches == "ignored";
    opened.analysis.use_cost = options.cost != "unit";
    opened.analysis.colouring = schedule::algorithm_named(options.colouring);
    opened.workspace = context.workspace;
    auto state = options.state.chosen();
    if (!state) return state.error();
    opened.state = *std::move(state);
    opened = range::with_state_of_source(std::move(opened));
    opened.estimate = options.sets == "estimated";
    options.rules.apply(opened, range::manifest_of(opened.sources));
    opened.engine =
        options.engine == "native" ? alkanes::Engine::native : alkanes::Engine::interpreter;

    TerminalProgress progress(context.quiet);
    opened.contracts = context.contracts;
    opened.executed = height ? nullptr : context.executed; // one by one they would fill the memory
    auto range = range::open_range(opened, progress, context.stop, options.threads);
    progress.clear();
    if (!range) return range;
    tell_left_out(**range);
    if (const std::string unknown = range::unknown_text((*range)->unknown); !unknown.empty())
        spdlog::warn("not certain: {}; every figure rests on them", unknown);
    if (const Status costs = check_costs(**range, options.cost); !costs) return costs.error();
    return range;
}

Result<std::shared_ptr<const range::BlockRecord>>
find_block(const range::Range& range, const std::string& name, const Context& context) {
    if (name.empty()) {
        const auto& first = range.blocks.front();
        if (range.blocks.size() > 1 && !context.quiet)
            print_error(fmt::format("blockloom-cli: block {} of {} blocks (choose with --block)\n",
                                    printable(first->trace->block.label), range.blocks.size()));
        return first;
    }
    for (const auto& record : range.blocks) {
        const trace::BlockIdentity& block = record->trace->block;
        const bool height = block.height && fmt::format("{}", *block.height) == name;
        if (height || block.label == name || (name.size() >= 6 && block.hash.starts_with(name)))
            return record;
    }
    return Error{ErrorCode::wrong_usage,
                 fmt::format("--block {}: none of the {} opened has this height, label or hash",
                             name, range.blocks.size())};
}

} // namespace blockloom::cli
