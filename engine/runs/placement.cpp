#include "runs/placement.h"

#include <algorithm>

namespace blockloom::runs {

std::optional<Placement> placement_of(const KeptRun& run, std::string_view hash,
                                      std::uint64_t task) {
    const auto block = std::find_if(run.blocks.begin(), run.blocks.end(),
                                    [hash](const KeptBlock& b) { return b.hash == hash; });
    if (block == run.blocks.end() || task >= block->tasks) return std::nullopt;
    if (run.backend == "cpu") return Placement{};
    if (!block->on_host) return std::nullopt;
    for (const auto& [reason, spans] : *block->on_host)
        for (const auto& [first, last] : spans)
            if (task >= first && task <= last) return Placement{false, reason};
    return Placement{true, {}};
}

} // namespace blockloom::runs
