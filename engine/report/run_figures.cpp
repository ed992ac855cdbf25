#include "report/run_figures.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

using execute::Phase;

bool same_input(const KeptRun& a, const KeptRun& b) {
    if (a.network != b.network || a.blocks.size() != b.blocks.size()) return false;
    for (std::size_t i = 0; i < a.blocks.size(); ++i)
        if (a.blocks[i].height != b.blocks[i].height || a.blocks[i].hash != b.blocks[i].hash)
            return false;
    return !a.blocks.empty();
}

/// What an infinitely fast device would take away.
bool goes_to_device(Phase phase) {
    return phase == Phase::execute || phase == Phase::upload || phase == Phase::download;
}

double quotient(Nanoseconds a, Nanoseconds b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

} // namespace

bool accelerated(const KeptRun& run, Phase phase) noexcept {
    if (!goes_to_device(phase)) return false;
    return run.backend != "cpu" || (run.workers > 1 && run.strategy != "serial");
}

const KeptRun* baseline_of(const KeptRun& run, std::span<const KeptRun> among) {
    const KeptRun* best = nullptr;
    for (const KeptRun& other : among) {
        if (other.backend != "cpu" || other.strategy != "serial" || other.looked_closer) continue;
        if (other.wall <= 0 || other.processor != run.processor || !same_input(run, other))
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

Comparison compare(const KeptRun& a, const KeptRun& b) {
    Comparison found;
    if (!same_input(a, b)) {
        found.digests = Equality::other_input;
        found.difference = a.network != b.network
                               ? fmt::format("{} rules against {}", a.network, b.network)
                               : fmt::format("{} blocks against {}, or other ones", a.blocks.size(),
                                             b.blocks.size());
        return found;
    }
    bool any = false;
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        const std::string &ours = a.blocks[i].digest, &theirs = b.blocks[i].digest;
        if (ours.empty() || theirs.empty()) continue;
        any = true;
        if (ours == theirs) continue;
        found.digests = Equality::unequal;
        found.difference =
            fmt::format("block {}: digest {}, the other run {}", a.blocks[i].height, ours, theirs);
        return found;
    }
    if (!a.state_digest.empty() && !b.state_digest.empty()) {
        any = true;
        if (a.state_digest != b.state_digest) {
            found.digests = Equality::unequal;
            found.difference =
                fmt::format("state digest {}, the other run {}", a.state_digest, b.state_digest);
            return found;
        }
    }
    if (!any) return found;
    found.digests = Equality::equal;
    if (a.wall <= 0 || b.wall <= 0) return found;
    found.ratio = quotient(a.wall, b.wall);
    if (a.interval && b.interval && a.interval->first > 0 && b.interval->first > 0)
        found.interval = {quotient(a.interval->first, b.interval->second),
                          quotient(a.interval->second, b.interval->first)};
    return found;
}

} // namespace blockloom::report
