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
    Placement on_device{true, {}};
    for (const KeptBlock::Wave& wave : block->waves)
        if (task >= wave.first && task <= wave.last) on_device.wave = wave.number;
    return on_device;
}

std::optional<TaskSpan> span_of(const profile::Trace& spans, std::uint64_t height,
                                std::uint64_t task, const Placement& placement) {
    using profile::LaneKind;
    const auto at = std::ranges::find(spans.heights, height);
    if (at == spans.heights.end()) return std::nullopt;
    const auto block = static_cast<std::uint32_t>(at - spans.heights.begin());
    const auto is_it = [&](const profile::Lane& lane, const profile::Span& span) {
        if (placement.on_device)
            return lane.kind == LaneKind::device && span.category == profile::Category::slice &&
                   placement.wave == span.task && spans.names[span.name] != "upload" &&
                   spans.names[span.name] != "download";
        return lane.kind == LaneKind::worker && span.category == profile::Category::message &&
               span.block == block && span.task == task;
    };
    std::optional<TaskSpan> found;
    for (std::size_t i = 0; i < spans.lanes.size(); ++i)
        for (const profile::Span& span : spans.lanes[i].spans)
            if (is_it(spans.lanes[i], span) && (!found || span.begin >= found->begin))
                found = {title_of(spans, i), span.begin, span.end,
                         placement.on_device ? span.detail : 0};
    return found;
}

} // namespace blockloom::runs
