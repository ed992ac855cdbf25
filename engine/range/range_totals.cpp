#include "range/range_totals.h"

#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

RangeTotals sum(const std::vector<std::shared_ptr<const BlockRecord>>& blocks) {
    RangeTotals totals;
    totals.blocks = blocks.size();
    for (const auto& record : blocks) {
        const conflict::ConflictIndex& index = *record->analysis.index;
        totals.tasks += index.tasks();
        totals.accesses += index.accesses;
        totals.conflict_pairs += index.pairs.any;
        totals.dependency_edges += index.edges();
        totals.conflicting_tasks += index.conflicting_tasks;
        totals.groups += index.groups;
        totals.most_levels = std::max<std::uint64_t>(totals.most_levels, index.level_sizes.size());
        totals.work += index.work;
        totals.span += index.span;
        if (!record->replayed) continue;
        const alkanes::BlockExecution& execution = *record->replayed->execution;
        ++totals.executed;
        totals.messages += execution.messages;
        totals.reverted += execution.messages - execution.succeeded;
        totals.fuel += execution.fuel;
    }
    return totals;
}

/// The chains of the blocks, each once, in order of appearance.
std::string chains_of(const std::vector<std::shared_ptr<const BlockRecord>>& blocks) {
    std::vector<std::string> names;
    for (const auto& record : blocks)
        if (std::find(names.begin(), names.end(), record->trace->chain) == names.end())
            names.push_back(record->trace->chain);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string title_of(const Range& range) {
    const bool demo = range.options.sources == std::vector<std::string>{"demo"};
    return fmt::format("{}{} · {}{}", demo ? "demo · " : "", range.chain,
                       counted(range.blocks.size(), "block"),
                       range.estimated_sets() ? " · estimated sets" : "");
}

} // namespace

void sum_up(Range& range) {
    range.chain = chains_of(range.blocks);
    range.title = title_of(range);
    range.totals = sum(range.blocks);
}

} // namespace blockloom::range
