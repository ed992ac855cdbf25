#include "runs/run_words.h"

#include "base/number_text.h"
#include "profile/scaling.h"
#include "runs/median_repetition.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::runs {
namespace {

using execute::Phase;

double share(Nanoseconds part, Nanoseconds whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Which strategies were chosen, for how many blocks, and why for the last of them; the most
/// frequent first. Empty: there was no choice.
std::string choices(const KeptRun& run) {
    struct Chosen {
        std::string_view strategy, why;
        std::size_t blocks = 0;
    };
    std::vector<Chosen> all;
    for (const KeptBlock& block : run.blocks) {
        const std::string_view text = block.choice;
        const std::size_t colon = text.find(": ");
        if (colon == std::string_view::npos) continue;
        const std::string_view strategy = text.substr(0, colon);
        auto at = std::find_if(all.begin(), all.end(),
                               [&](const Chosen& each) { return each.strategy == strategy; });
        if (at == all.end()) at = all.insert(at, {strategy, {}, 0});
        at->why = text.substr(colon + 2);
        ++at->blocks;
    }
    if (all.empty()) return {};
    std::stable_sort(all.begin(), all.end(),
                     [](const Chosen& a, const Chosen& b) { return a.blocks > b.blocks; });
    std::vector<std::string> words;
    for (const Chosen& each : all)
        words.push_back(fmt::format("{} for {} of {} ({})", each.strategy, count_text(each.blocks),
                                    counted(run.blocks.size(), "block"), each.why));
    return fmt::format("Strategies chosen: {}", fmt::join(words, "; "));
}

/// The largest phases of one kind, in words.
std::string largest(const KeptRun& run, bool accelerated_ones) {
    std::vector<PhasePart> parts = parts_of(run, run.phases);
    std::sort(parts.begin(), parts.end(),
              [](const PhasePart& a, const PhasePart& b) { return a.ns > b.ns; });
    std::vector<std::string> words;
    for (const PhasePart& part : parts) {
        if (words.size() == 4) break;
        if (part.accelerated == accelerated_ones)
            words.push_back(fmt::format("{} {}", part.name(), time_text(part.ns)));
    }
    return words.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(words, ", "));
}

/// What executed the tasks of a run that was accelerated.
std::string accelerated_by(const KeptRun& run) {
    const std::string workers = counted(run.workers, "CPU worker");
    if (run.backend == "cpu") return workers;
    const std::string& device = run.device.empty() ? run.backend : run.device;
    switch (ran_on(run, Phase::execute)) {
    case RanOn::one_thread: // only transfers were accelerated
    case RanOn::device:
        break;
    case RanOn::workers:
        return fmt::format("{}; no task was accepted from {}", workers, device);
    case RanOn::device_and_workers:
        return fmt::format("{} of {} on {}, the others on {}", count_text(run.on_device),
                           counted(run.on_device + run.on_host, "task"), device, workers);
    }
    return device;
}

/// What would help most: execution for free, or dropping the largest other phase.
std::string next_step(const KeptRun& run, const Breakdown& found) {
    std::optional<Phase> at; // "other" cannot be saved
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        const auto phase = static_cast<Phase>(i);
        if (!goes_to_device(phase) && phase != Phase::other &&
            run.phases[phase] > (at ? run.phases[*at] : 0))
            at = phase;
    }
    if (!at) return {};
    const Phase largest = *at;
    const Nanoseconds without = found.total - run.phases[largest];
    if (found.with_infinite_device <= 0 || without <= 0) return {};
    const double device =
        static_cast<double>(found.total) / static_cast<double>(found.with_infinite_device);
    const double other = static_cast<double>(found.total) / static_cast<double>(without);
    const std::string execution = fmt::format("execution ({} if it were free)", ratio_text(device));
    const std::string phase = fmt::format("{} ({} if its {} were saved)", name_of(largest),
                                          ratio_text(other), time_text(run.phases[largest]));
    return fmt::format("Largest gain, predicted: {}; then {}", device >= other ? execution : phase,
                       device >= other ? phase : execution);
}

} // namespace

std::vector<std::string> profiling_report(const KeptRun& run, const KeptRun* baseline) {
    const Breakdown found = breakdown_of(run, baseline);
    const std::string next = next_step(run, found);
    const auto fast =
        static_cast<Nanoseconds>(found.accelerated_share * static_cast<double>(found.total));
    const Nanoseconds other = found.total - fast;
    const std::string where = accelerated_by(run);
    std::vector<std::string> lines;
    lines.push_back("Wall time: " + wall_words(run));
    if (const std::string which = phases_words(run); !which.empty())
        lines.back() += fmt::format("; the phases below are of the {}", which);
    if (std::string chosen = choices(run); !chosen.empty()) lines.push_back(std::move(chosen));
    lines.push_back(fast == 0 ? std::string("Nothing ran in parallel")
                              : fmt::format("Accelerated ({}): {}, {} of the wall time: {}", where,
                                            time_text(fast), percent_text(share(fast, found.total)),
                                            largest(run, true)));
    // Older documents counted these executions without timing them.
    if (run.in_order > 0 && run.phases.execute_serial == 0 && accelerated(run, Phase::execute))
        lines.push_back(fmt::format(
            "This is an upper bound: {} of {} ran in order on one thread, at times not recorded",
            count_text(run.in_order), counted(run.executions, "execution")));
    lines.push_back(fmt::format("Serial: {}, {} of the wall time: {}", time_text(other),
                                percent_text(share(other, found.total)), largest(run, false)));
    const bool in_order = run.phases.execute_serial > 0 && accelerated(run, Phase::execute);
    if (in_order)
        lines.push_back(
            fmt::format("Execute in order: {} of {}, one after the other on one thread, because "
                        "another round would not have paid off",
                        count_text(run.in_order), counted(run.executions, "execution")));
    lines.push_back(
        fmt::format("Bound, predicted: with an infinitely fast device{}, {} of {} would remain",
                    in_order ? " for all of execute" : "", time_text(found.with_infinite_device),
                    time_text(found.total)));
    if (!baseline) {
        lines.emplace_back(
            "Speed-up: unknown without a serial run of the same blocks on this machine");
        if (!next.empty()) lines.push_back(next);
        return lines;
    }
    if (found.bound)
        lines.back() += fmt::format("; at most {} the speed of the serial run {}",
                                    ratio_text(*found.bound), baseline->id);
    if (found.measured_speedup && baseline->id != run.id) {
        lines.push_back(fmt::format("Speed-up, measured: {} against {}",
                                    ratio_text(*found.measured_speedup), baseline->id));
        const auto fraction =
            profile::karp_flatt({static_cast<double>(run.workers), *found.measured_speedup});
        if (fraction && run.backend == "cpu" && run.strategy != "serial")
            lines.push_back(fmt::format(
                "Karp–Flatt: the measured speed-up on {} corresponds to a serial fraction of "
                "{}{}",
                counted(run.workers, "worker"), percent_text(*fraction),
                *fraction > 1 ? " (above 100 %: slower than the serial run)" : ""));
    }
    if (!next.empty()) lines.push_back(next);
    return lines;
}

} // namespace blockloom::runs
