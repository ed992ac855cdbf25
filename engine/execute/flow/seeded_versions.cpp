#include "execute/flow/seeded_versions.h"

#include "execute/worker_pool.h"

#include <vector>

namespace blockloom::execute {
namespace {

constexpr std::size_t seeds_a_part = 64;

} // namespace

void seed_versions(LiveVersions& versions, const FlowStart& start,
                   const std::vector<bool>& estimates) {
    const std::size_t count = start.executions.size() - start.accepted;
    versions.begin(count);
    bool any = false;
    for (std::size_t i = 0; i < count && !any; ++i)
        any = start.executions[start.accepted + i] != nullptr;
    if (!any) return;
    start.pool.each(count, seeds_a_part, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto task = static_cast<std::uint32_t>(start.accepted + i);
            const ExecutionResult* const execution = start.executions[task].get();
            if (execution == nullptr) continue;
            const state::WriteSet& writes = execution->result.log.writes;
            if (!estimates.empty() && estimates[i])
                versions.estimate(task, writes);
            else
                versions.publish(task, writes, nullptr);
        }
    });
}

} // namespace blockloom::execute
