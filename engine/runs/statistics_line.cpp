#include "runs/statistics_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace blockloom::runs {
namespace {

std::uint64_t groups_of_two_or_more(const conflict::ConflictIndex& index) {
    std::vector<std::uint32_t> sizes(index.groups, 0);
    for (const std::uint32_t group : index.group) ++sizes[group];
    return static_cast<std::uint64_t>(
        std::count_if(sizes.begin(), sizes.end(), [](std::uint32_t size) { return size >= 2; }));
}

std::uint64_t profiles(const alkanes::BlockExecution& execution) {
    std::set<std::pair<Hash256, u128>> seen;
    for (const alkanes::TransactionResult& tx : execution.transactions)
        for (const alkanes::MessageRecord& record : tx.records)
            if (record.opcode && record.code != Hash256{})
                seen.emplace(record.code, *record.opcode);
    return seen.size();
}

} // namespace

BlockStatistics statistics_of(const execute::ReplayedBlock& block) {
    const conflict::ConflictIndex& index = *block.index;
    return {.tasks = index.tasks(),
            .parallel_tasks = index.parallel_tasks,
            .conflict_pairs = index.pairs.any,
            .groups = groups_of_two_or_more(index),
            .largest_group = index.largest_group,
            .parallel_ratio = index.parallel_ratio(),
            .storage_profiles = profiles(*block.execution)};
}

std::string statistics_line(const execute::ReplayedBlock& block, const std::string& backend) {
    const BlockStatistics of = statistics_of(block);
    return fmt::format(
        "Block {} dependency analysis ({}): {} total, {} parallelizable, {} "
        "conflicts, {} groups, largest group: {}, {:.2f}% parallel ratio, {} storage "
        "profiles",
        block.height(), backend, of.tasks, of.parallel_tasks, of.conflict_pairs, of.groups,
        of.largest_group, 100.0 * of.parallel_ratio, of.storage_profiles);
}

} // namespace blockloom::runs
