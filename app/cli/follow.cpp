#include "follow.h"

#include "base/number_text.h"
#include "node/tip_follower.h"
#include "range/node_blocks.h"
#include "report/json.h"
#include "terminal.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <set>

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

/// What is printed of each block.
class Following {
public:
    Following(SourceOptions& options, bool json, const Context& context)
        : options_(options), json_(json), context_(context) {}

    void removed(const node::NodeBlock& block) {
        const std::string hash = to_reversed_hex(block.hash);
        if (shown_.erase(block.hash) == 0) return; // it was gone before it was read
        if (json_)
            print(fmt::format(R"({{"event":"removed","height":{},"hash":"{}"}})"
                              "\n",
                              block.height, hash));
        else
            print(fmt::format("{:<9} {} was replaced by another branch\n", block.height, hash));
    }

    Status added(const node::NodeBlock& block) {
        const auto range = open_sources(options_, context_, block.height);
        if (!range) return range.error();
        const range::BlockRecord& record = *(*range)->blocks.front();
        if (record.block->hash != block.hash)
            return {}; // the next look finds what has come instead
        shown_.insert(block.hash);
        if (json_) {
            print(fmt::format(R"({{"event":"added","height":{},"hash":"{}","analysis":{}}})"
                              "\n",
                              block.height, to_reversed_hex(block.hash),
                              on_one_line(report::analysis_json(**range))));
            return {};
        }
        const range::RangeTotals& totals = (*range)->totals;
        print(fmt::format("{:<9} {} {:>7} {:>9} in conflict {:>6} levels  parallelism {}{}\n",
                          block.height, to_reversed_hex(block.hash), counted(totals.tasks, "task"),
                          count_text(totals.conflicting_tasks), count_text(totals.most_levels),
                          three_digits(record.analysis.index->parallelism()),
                          (*range)->unknown.total() == 0
                              ? ""
                              : "  not certain: " + range::unknown_text((*range)->unknown)));
        return {};
    }

private:
    SourceOptions& options_;
    bool json_;
    const Context& context_;
    std::set<Hash256> shown_;
};

} // namespace

Result<int> follow_node(SourceOptions& options, const FollowOptions& how, bool json,
                        const Context& context) {
    const auto& sources = options.range.sources;
    if (sources.size() != 1 || !range::is_node_source(sources.front()))
        return Error{ErrorCode::wrong_usage,
                     "--follow: expected one node as the source (core:URL, rest:URL, "
                     "metashrew:URL)"};
    const auto node = range::open_node(sources.front(), options.range.nodes);
    if (!node) return node.error();
    const auto tip = (*node)->tip(context.stop);
    if (!tip) return tip.error();
    const std::uint64_t first = options.from_option->count() != 0 ? options.from : *tip;
    const bool ends = options.to_option->count() != 0;
    const std::uint64_t last = options.to;
    node::WaitClock& clock = node::steady_wait_clock();
    const auto interval = static_cast<Nanoseconds>(how.seconds * 1e9);
    node::TipFollower follower(**node, first, clock, interval);
    Following following(options, json, context);
    bool unreachable = false;
    for (;;) {
        auto change = follower.wait(context.stop);
        if (!change && change.error().code == ErrorCode::cancelled) return change.error();
        if (!change) { // a node that is started again is worth waiting for
            if (!unreachable) spdlog::warn("{}", printable(change.error().message));
            unreachable = true;
            clock.rest_until(clock.now() + interval, context.stop);
            continue;
        }
        unreachable = false;
        for (const node::NodeBlock& block : change->removed) following.removed(block);
        if (const Status written = finish_output(); !written) return written.error();
        for (const node::NodeBlock& block : change->added) {
            if (ends && block.height > last) break;
            if (const Status added = following.added(block); !added) return added.error();
            // Whoever reads along sees each line at once; nobody there is the end.
            if (const Status written = finish_output(); !written) return written.error();
            if (ends && block.height == last) return 0;
        }
    }
}

} // namespace blockloom::cli
