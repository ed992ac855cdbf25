#include "runs/live_scaling.h"

#include "base/number_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

bool has_blocks(const KeptRun& run, const std::vector<std::string>& hashes) {
    return std::equal(
        run.blocks.begin(), run.blocks.end(), hashes.begin(), hashes.end(),
        [](const KeptBlock& block, const std::string& hash) { return block.hash == hash; });
}

/// A kept run of the same blocks on the same machine, whatever ran it; null: none.
const KeptRun* like(const execute::LiveSettings& how, std::span<const KeptRun> kept) {
    if (how.block_hashes == nullptr || how.block_hashes->empty()) return nullptr;
    for (const KeptRun& run : kept)
        if (run.network == how.network && run.rules.text() == how.rules &&
            run.processor == how.processor && has_blocks(run, *how.block_hashes))
            return &run;
    return nullptr;
}

} // namespace

LiveScaling::LiveScaling(const execute::LiveSettings& how, std::span<const KeptRun> kept) {
    const KeptRun* about = like(how, kept);
    figures_ = scaling_of(about == nullptr ? KeptRun() : *about, kept);
    const auto baseline = std::find_if(kept.begin(), kept.end(), [&](const KeptRun& run) {
        return !figures_.baseline.empty() && run.id == figures_.baseline;
    });
    if (baseline == kept.end()) return;
    serial_.push_back(0);
    for (const KeptBlock& block : baseline->blocks)
        serial_.push_back(serial_.back() + block.phases.sum());
}

LiveScaling::LiveScaling(const KeptRun& run, std::span<const KeptRun> kept) {
    const std::string id = run.id;
    figures_ = scaling_of(run, kept, std::span(&id, 1));
}

std::optional<RunningPoint> LiveScaling::so_far(const execute::LiveSnapshot& live) const {
    if (live.stretches == nullptr || live.done.blocks >= serial_.size()) return std::nullopt;
    Nanoseconds own = 0;
    std::uint64_t blocks = 0;
    for (const execute::LiveStretch& stretch : *live.stretches) {
        own += stretch.wall;
        blocks += stretch.blocks;
    }
    if (blocks == 0 || blocks >= serial_.size() || own <= 0) return std::nullopt;
    const Nanoseconds serial = serial_[static_cast<std::size_t>(blocks)];
    if (serial <= 0) return std::nullopt;
    RunningPoint point;
    point.of.backend = live.how.backend;
    point.of.device = live.how.device;
    point.of.engine = live.how.engine;
    point.of.strategy = live.how.strategy;
    point.of.name = live.how.backend == "cpu"
                        ? fmt::format("CPU {}, {}", live.how.engine, live.how.strategy)
                        : fmt::format("{}, {}", live.how.device, live.how.strategy);
    point.workers = live.how.strategy == "serial" ? 1 : live.workers;
    point.speedup = static_cast<double>(serial) / static_cast<double>(own);
    point.blocks = blocks;
    point.blocks_all = live.blocks;
    return point;
}

std::string point_words(const RunningPoint& point) {
    std::string words =
        fmt::format("This run so far: {}, {}", point.of.name, ratio_text(point.speedup));
    if (!point.of.on_device()) words += fmt::format(" on {}", counted(point.workers, "worker"));
    return words + fmt::format(", from {} of {}", point.blocks, counted(point.blocks_all, "block"));
}

} // namespace blockloom::runs
