#include "runs/kept_run.h"

#include "base/number_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::runs {

KeptAborts aborts_of(const KeptRun& run, std::uint64_t height) {
    for (const KeptBlock& block : run.blocks)
        if (block.height == height) return block.aborted;
    return {};
}

std::string summary_of(const KeptRun& run) {
    constexpr std::size_t most = 3;
    std::vector<std::string> sources = run.sources;
    if (sources.size() > most) {
        sources.resize(most);
        sources.push_back(fmt::format("{} more", run.sources.size() - most));
    }
    return fmt::format("{} · {} · {} {} · {} · {} · {}", run.date, fmt::join(sources, ", "),
                       run.backend, run.strategy, counted(run.blocks.size(), "block"),
                       counted(run.tasks, "task"), time_text(run.wall));
}

} // namespace blockloom::runs
