#include "follow.h"

#include "base/number_text.h"
#include "range/followed_range.h"
#include "range/node_blocks.h"
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

/// What is printed of each block.
class Following {
public:
    explicit Following(bool json) : json_(json) {}

    void removed(const node::NodeBlock& block) const {
        const std::string hash = to_reversed_hex(block.hash);
        if (json_)
            print(fmt::format(R"({{"event":"removed","height":{},"hash":"{}"}})"
                              "\n",
                              block.height, hash));
        else
            print(fmt::format("{:<9} {} was replaced by another branch\n", block.height, hash));
    }

    void added(const node::NodeBlock& block, const range::Range& range) const {
        const range::BlockRecord& record = *range.blocks.front();
        if (json_) {
            print(fmt::format(R"({{"event":"added","height":{},"hash":"{}","analysis":{}}})"
                              "\n",
                              block.height, to_reversed_hex(block.hash),
                              on_one_line(report::analysis_json(range))));
            return;
        }
        const range::RangeTotals& totals = range.totals;
        print(fmt::format("{:<9} {} {:>7} {:>9} in conflict {:>6} levels  parallelism {}{}\n",
                          block.height, to_reversed_hex(block.hash), counted(totals.tasks, "task"),
                          count_text(totals.conflicting_tasks), count_text(totals.most_levels),
                          three_digits(record.analysis.index->parallelism()),
                          range.unknown.total() == 0
                              ? ""
                              : "  not certain: " + range::unknown_text(range.unknown)));
    }

private:
    bool json_;
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
    range::FollowPlan plan{.node = **node, .clock = node::steady_wait_clock()};
    plan.interval = static_cast<Nanoseconds>(how.seconds * 1e9);
    plan.first = options.from_option->count() != 0 ? options.from : *tip;
    if (options.to_option->count() != 0) plan.last = options.to;
    const Following following(json);
    range::FollowEvents events;
    events.open = [&](std::uint64_t height) { return open_sources(options, context, height); };
    // Whoever reads along sees each line at once; nobody there is the end.
    events.removed = [&](const node::NodeBlock& block) {
        following.removed(block);
        return finish_output();
    };
    events.added = [&](const node::NodeBlock& block,
                       const std::shared_ptr<const range::Range>& range) {
        following.added(block, *range);
        return finish_output();
    };
    events.unreachable = [](const Error& why) { spdlog::warn("{}", printable(why.message)); };
    const Status followed = range::follow_blocks(plan, events, context.stop);
    return followed ? Result<int>(0) : followed.error();
}

} // namespace blockloom::cli
