#include "runs/run_figures.h"

#include <algorithm>

namespace blockloom::runs {
namespace {

using execute::Phase;

double ratio(Nanoseconds a, Nanoseconds b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

} // namespace

bool same_inputs(const KeptRun& a, const KeptRun& b) noexcept {
    if (a.network != b.network || a.rules != b.rules || a.blocks.size() != b.blocks.size())
        return false;
    for (std::size_t i = 0; i < a.blocks.size(); ++i)
        if (a.blocks[i].height != b.blocks[i].height || a.blocks[i].hash != b.blocks[i].hash)
            return false;
    return !a.blocks.empty();
}

bool goes_to_device(Phase phase) noexcept {
    return phase == Phase::execute || phase == Phase::upload || phase == Phase::download;
}

RanOn ran_on(const KeptRun& run, Phase phase) noexcept {
    if (!goes_to_device(phase)) return RanOn::one_thread;
    const bool all_on_host = phase == Phase::execute && run.on_device == 0 && run.on_host != 0;
    if (run.backend == "cpu" || all_on_host)
        return run.workers > 1 && run.strategy != "serial" ? RanOn::workers : RanOn::one_thread;
    return phase == Phase::execute && run.on_host != 0 ? RanOn::device_and_workers : RanOn::device;
}

bool accelerated(const KeptRun& run, Phase phase) noexcept {
    return ran_on(run, phase) != RanOn::one_thread;
}

std::string PhasePart::name() const {
    return std::string(name_of(phase)) + (in_order ? " in order" : "");
}

const char* PhasePart::where(const KeptRun& run) const noexcept {
    if (!accelerated) return "serial";
    switch (ran_on(run, phase)) {
    case RanOn::one_thread:
        break;
    case RanOn::workers:
        return "on several workers";
    case RanOn::device:
        return "on the device";
    case RanOn::device_and_workers:
        return "on the device and the workers";
    }
    return "serial";
}

std::vector<PhasePart> parts_of(const KeptRun& run, const execute::Phases& phases) {
    std::vector<PhasePart> parts;
    const auto add = [&](Phase phase, bool fast, bool in_order, Nanoseconds ns) {
        if (ns > 0) parts.push_back({phase, fast, in_order, ns});
    };
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        const auto phase = static_cast<Phase>(i);
        const bool fast = accelerated(run, phase);
        const Nanoseconds all = phases[phase];
        if (phase != Phase::execute || !fast) {
            add(phase, fast, false, all);
            continue;
        }
        // A document from another machine is not trusted.
        const Nanoseconds serial =
            std::clamp<Nanoseconds>(phases.execute_serial, 0, std::max<Nanoseconds>(all, 0));
        add(phase, true, false, all - serial);
        add(phase, false, true, serial);
    }
    return parts;
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
    for (const PhasePart& part : parts_of(run, run.phases)) {
        if (part.accelerated) fast += part.ns;
        if (goes_to_device(part.phase)) taken += part.ns;
    }
    found.with_infinite_device = found.total - taken;
    if (found.total > 0) {
        found.accelerated_share = ratio(fast, found.total);
        found.serial_share = 1 - found.accelerated_share;
    }
    if (baseline == nullptr) return found;
    const Nanoseconds serial = baseline->phases.sum();
    if (found.with_infinite_device > 0 && serial > 0)
        found.bound = ratio(serial, found.with_infinite_device);
    if (run.wall > 0) found.measured_speedup = ratio(baseline->wall, run.wall);
    return found;
}

} // namespace blockloom::runs
