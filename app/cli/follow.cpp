#include "follow.h"

#include "base/number_text.h"
#include "range/database_source.h"
#include "range/followed_place.h"
#include "range/followed_range.h"
#include "report/json.h"
#include "terminal.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace blockloom::cli {
namespace {

/// A document that was indented, on one line; in strings there are no line ends.
std::string on_one_line(const std::string& document) {
    std::string line;
    line.reserve(document.size());
    for (std::size_t i = 0; i < document.size(); ++i) {
        if (document[i] != '\n') {
            line += document[i];
            continue;
        }
        while (i + 1 < document.size() && document[i + 1] == ' ') ++i;
    }
    return line;
}

/// A line about an analysed block.
std::string line_of(const node::NodeBlock& block, const range::Range& range) {
    const range::BlockRecord& record = *range.blocks.front();
    const range::RangeTotals& totals = range.totals;
    return fmt::format(
        "{:<9} {} {:>7} {:>9} in conflict {:>6} levels  parallelism {}{}\n", block.height,
        to_reversed_hex(block.hash), counted(totals.tasks, "task"),
        count_text(totals.conflicting_tasks), count_text(totals.most_levels),
        three_digits(record.analysis.index->parallelism()),
        range.unknown.total() == 0 ? "" : "  not certain: " + range::unknown_text(range.unknown));
}

} // namespace

CLI::Option* FollowOptions::add_to(CLI::App& command, const std::string& words) {
    CLI::Option* const follow = command.add_flag("--follow", on, words)->group("Nodes as sources");
    command.add_option("--follow-interval", seconds, "Seconds between polls for new blocks")
        ->check(CLI::Range(0.01, 3600.0))
        ->type_name("S")
        ->needs(follow)
        ->group("Nodes as sources");
    return follow;
}

Status follow_source(const Followed& what, const FollowOptions& how, range::ChainEvents events,
                     const Context& context) {
    const auto& sources = what.range.sources;
    if (sources.size() != 1 || !range::can_be_followed(sources.front()))
        return Error{ErrorCode::wrong_usage,
                     "--follow: expected one node as the source (core:URL, rest:URL, "
                     "metashrew:URL, metashrew:DIR)"};
    if (what.range.state.height)
        return Error{ErrorCode::wrong_usage,
                     "--state-height: not with --follow: each block has a state of its own"};
    const auto node = range::open_followed_source(what.range);
    if (!node) return node.error();
    const auto indexer = range::open_followed_state(what.range);
    if (!indexer) return indexer.error();
    range::FollowPlan plan{.node = **node, .clock = node::steady_wait_clock()};
    plan.interval = static_cast<Nanoseconds>(how.seconds * 1e9);
    plan.last = what.last;
    if (what.first) {
        plan.first = *what.first;
    } else {
        const auto tip = (*node)->tip(context.stop);
        if (!tip) return tip.error();
        plan.first = *tip;
    }
    if (plan.last && *plan.last < plan.first)
        return Error{
            ErrorCode::wrong_usage,
            fmt::format("--follow: expected --to {} or above, found {}", plan.first, *plan.last)};
    if (*indexer != nullptr)
        events.why_not_yet = [&](const node::NodeBlock& block) {
            return range::why_no_state_yet(**indexer, **node, block, what.recorded, context.stop);
        };
    events.waiting = [](const std::string& why) { spdlog::warn("{}", printable(why)); };
    events.unreachable = [](const Error& why) { spdlog::warn("{}", printable(why.message)); };
    return range::follow_chain(plan, events, context.stop);
}

// Whoever reads along sees each line at once; nobody there is the end.
Status print_removed(const node::NodeBlock& block, bool json) {
    const std::string hash = to_reversed_hex(block.hash);
    if (json)
        print(fmt::format(R"({{"event":"removed","height":{},"hash":"{}"}})"
                          "\n",
                          block.height, hash));
    else
        print(fmt::format("{:<9} {} was replaced by another branch\n", block.height, hash));
    return finish_output();
}

Status print_added(const node::NodeBlock& block, std::string_view name,
                   const std::string& document) {
    print(fmt::format(R"({{"event":"added","height":{},"hash":"{}","{}":{}}})"
                      "\n",
                      block.height, to_reversed_hex(block.hash), name, on_one_line(document)));
    return finish_output();
}

Result<int> follow_node(SourceOptions& options, const FollowOptions& how, bool json,
                        const Context& context) {
    auto state = options.state.chosen();
    if (!state) return state.error();
    range::RangeOptions range = options.range;
    range.state = *std::move(state);
    range.workspace = context.workspace;
    if (range.sources.size() == 1) range = range::with_state_of_source(std::move(range));
    Followed what{.range = range};
    if (options.from_option->count() != 0) what.first = options.from;
    if (options.to_option->count() != 0) what.last = options.to;
    range::ChainEvents events;
    events.removed = [&](const node::NodeBlock& block) { return print_removed(block, json); };
    events.added = [&](const node::NodeBlock& block) -> Result<bool> {
        const auto opened = open_sources(options, context, block.height);
        if (!opened) return opened.error();
        const auto found = range::node_blocks_of(**opened);
        if (found.empty() || found.front().hash != block.hash) return false;
        if (!json) print(line_of(block, **opened));
        const Status printed = json
                                   ? print_added(block, "analysis", report::analysis_json(**opened))
                                   : finish_output();
        return printed ? Result<bool>(true) : printed.error();
    };
    const Status followed = follow_source(what, how, std::move(events), context);
    return followed ? Result<int>(0) : followed.error();
}

} // namespace blockloom::cli
