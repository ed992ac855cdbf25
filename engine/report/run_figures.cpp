#include "report/run_figures.h"

namespace blockloom::report {
namespace {

using execute::Phase;

double quotient(Nanoseconds a, Nanoseconds b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

} // namespace

bool same_inputs(const KeptRun& a, const KeptRun& b) noexcept {
    if (a.network != b.network || a.blocks.size() != b.blocks.size()) return false;
    for (std::size_t i = 0; i < a.blocks.size(); ++i)
        if (a.blocks[i].height != b.blocks[i].height || a.blocks[i].hash != b.blocks[i].hash)
            return false;
    return !a.blocks.empty();
}

bool goes_to_device(Phase phase) noexcept {
    return phase == Phase::execute || phase == Phase::upload || phase == Phase::download;
}

bool accelerated(const KeptRun& run, Phase phase) noexcept {
    if (!goes_to_device(phase)) return false;
    return run.backend != "cpu" || (run.workers > 1 && run.strategy != "serial");
}

const KeptRun* baseline_of(const KeptRun& run, std::span<const KeptRun> among) {
    const KeptRun* best = nullptr;
    for (const KeptRun& other : among) {
        if (other.backend != "cpu" || other.strategy != "serial" || other.looked_closer) continue;
        if (other.wall <= 0 || other.processor != run.processor || !same_inputs(run, other))
            continue;
        if (best == nullptr || other.wall < best->wall) best = &other;
    }
    return best;
}

Breakdown breakdown_of(const KeptRun& run, const KeptRun* baseline) {
    Breakdown found;
    found.total = run.phases.sum();
    Nanoseconds fast = 0, taken = 0;
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        const auto phase = static_cast<Phase>(i);
        if (accelerated(run, phase)) fast += run.phases[phase];
        if (goes_to_device(phase)) taken += run.phases[phase];
    }
    found.with_infinite_device = found.total - taken;
    if (found.total > 0) {
        found.accelerated_share = quotient(fast, found.total);
        found.serial_share = 1 - found.accelerated_share;
    }
    if (baseline == nullptr) return found;
    const Nanoseconds serial = baseline->phases.sum();
    if (found.with_infinite_device > 0 && serial > 0)
        found.bound = quotient(serial, found.with_infinite_device);
    if (run.wall > 0) found.measured_speedup = quotient(baseline->wall, run.wall);
    return found;
}

} // namespace blockloom::report
