#include "runs/gap_waterfall.h"

#include "base/number_text.h"
#include "runs/median_repetition.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <initializer_list>

namespace blockloom::runs {
namespace {

using execute::Phase;
using profile::Category;
using profile::LaneKind;

Nanoseconds messages_of(const profile::Lane& lane) {
    Nanoseconds sum = 0;
    for (const profile::Span& span : lane.spans)
        if (span.category == Category::message) sum += span.duration();
    return sum;
}

Nanoseconds messages_of(const profile::Trace& trace) {
    Nanoseconds sum = 0;
    for (const profile::Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::worker) sum += messages_of(lane);
    return sum;
}

/// What the busiest worker of each batch had more than the mean of all `workers`.
Nanoseconds imbalance_of(const profile::Trace& trace, unsigned workers) {
    std::vector<const profile::Span*> batches;
    for (const profile::Lane& lane : trace.lanes)
        for (const profile::Span& span : lane.spans)
            if (lane.kind == LaneKind::driver && span.category == Category::batch)
                batches.push_back(&span);
    std::vector<Nanoseconds> most(batches.size()), all(batches.size());
    for (const profile::Lane& lane : trace.lanes) {
        if (lane.kind != LaneKind::worker) continue;
        std::vector<Nanoseconds> busy(batches.size());
        std::size_t at = 0;
        for (const profile::Span& span : lane.spans) {
            if (span.category != Category::message && span.category != Category::other) continue;
            while (at < batches.size() && batches[at]->end <= span.begin) ++at;
            if (at < batches.size() && batches[at]->begin <= span.begin)
                busy[at] += span.duration();
        }
        for (std::size_t i = 0; i < batches.size(); ++i) {
            most[i] = std::max(most[i], busy[i]);
            all[i] += busy[i];
        }
    }
    Nanoseconds sum = 0;
    for (std::size_t i = 0; i < batches.size(); ++i)
        sum += most[i] - all[i] / static_cast<Nanoseconds>(workers);
    return sum;
}

/// The serial run's messages: from its record, else from its spans.
std::optional<Nanoseconds> work_of(const KeptRun* baseline, const profile::Trace* spans) {
    if (baseline == nullptr) return std::nullopt;
    Nanoseconds work = 0;
    bool known = !baseline->blocks.empty();
    for (const KeptBlock& block : baseline->blocks) {
        known = known && block.work_and_path;
        if (known) work += block.work_and_path->first;
    }
    if (known) return work;
    if (spans == nullptr || spans->dropped != 0) return std::nullopt;
    return messages_of(*spans);
}

/// How far each block's longest chain exceeds its work shared out evenly, or why that is unknown.
struct Dependency {
    Nanoseconds ns = 0;
    std::string why_not;
};
Dependency dependency_of(const KeptRun& run, const KeptRun& baseline, Nanoseconds workers) {
    if (run.window > 1)
        return {0, "the blocks of a block window run at the same time, so the longest chain of one "
                   "block is not a bound"};
    Dependency found;
    for (const KeptBlock& block : baseline.blocks) {
        if (!block.work_and_path)
            return {0,
                    fmt::format("the longest chain of block {1} was not recorded in the serial run "
                                "{0}: repeat that run with spans",
                                baseline.id, block.height)};
        const auto [work, path] = *block.work_and_path;
        found.ns += std::max<Nanoseconds>(0, path - work / workers);
    }
    return found;
}

/// Subtracts from each step, one after the other, as much as it has, until `all` is subtracted.
void take(Nanoseconds all, std::initializer_list<Nanoseconds*> steps) {
    for (Nanoseconds* step : steps) {
        const Nanoseconds part = std::clamp<Nanoseconds>(*step, 0, all);
        *step -= part;
        all -= part;
    }
    **(steps.end() - 1) -= all;
}

Nanoseconds rest_of_host(const execute::Phases& phases) {
    Nanoseconds rest = phases.sum();
    for (const Phase phase : {Phase::execute, Phase::pack, Phase::upload, Phase::download,
                              Phase::verify, Phase::commit})
        rest -= phases[phase];
    return rest;
}

} // namespace

GapWaterfall gap_of(const KeptRun& run, const profile::Trace* spans, const KeptRun* baseline,
                    const profile::Trace* baseline_spans) {
    GapWaterfall gap;
    gap.measured = run.last_phases.sum();
    if (run.repetitions > 1)
        gap.about = fmt::format("{}, the one with spans; the run's wall time is {}",
                                last_words(run), wall_words(run));
    const auto busy = spans == nullptr ? std::nullopt : busy_time(run, *spans);
    if (!busy) {
        gap.missing = why_no_busy_time(spans);
        return gap;
    }
    const auto step = [&](const char* name, Nanoseconds ns, const char* about,
                          bool predicted = false) {
        gap.steps.push_back({name, about, ns, predicted});
    };
    const Nanoseconds execute = run.last_phases[Phase::execute];
    if (run.backend != "cpu") {
        gap.skipped.emplace_back(
            "ideal time, dependency and imbalance: not applicable to a device, which "
            "has no number of workers");
        step("on the device", busy->on_device, "its kernels, by its own clock");
        step("outside its kernels", execute - busy->on_device,
             "execution outside the kernels: launches, rounds, and what the host ran");
    } else {
        const auto all = work_of(baseline, baseline_spans);
        if (!all) {
            gap.missing = "needs a serial run of the same blocks, with spans";
            return gap;
        }
        const auto workers =
            static_cast<Nanoseconds>(run.strategy == "serial" ? 1U : std::max(run.workers, 1U));
        const Nanoseconds work = *all / workers;
        const Nanoseconds done = busy->busy[Phase::execute] / workers;
        Nanoseconds uneven = imbalance_of(*spans, static_cast<unsigned>(workers));
        Nanoseconds again = done - work;
        // While one thread executes, the others are idle.
        const Nanoseconds serial = run.last_phases.execute_serial;
        Nanoseconds in_order = serial - serial / workers;
        Nanoseconds barriers = execute - done - uneven - in_order;
        const Dependency dependency = dependency_of(run, *baseline, workers);
        step("ideal time", work,
             "the messages of the serial run, measured, divided evenly among the workers", true);
        const bool known = dependency.why_not.empty();
        // A single worker waits for no other: the time between messages is overhead.
        const bool alone = workers == 1;
        if (alone) {
            gap.skipped.emplace_back(
                "dependency, barriers and imbalance: not applicable to one worker");
        } else if (known) {
            // Tasks that wait for a dependency, or are re-executed because of it, show up in these
            // steps, which must not be charged with what no schedule could have saved.
            take(dependency.ns, {&again, &in_order, &barriers, &uneven});
            step("dependency", dependency.ns,
                 "how much longer than the ideal time the longest chain of dependent tasks takes, "
                 "summed over the blocks, by the serial run's measured times: no schedule can "
                 "avoid this",
                 true);
        } else {
            gap.skipped.push_back("dependency: " + dependency.why_not +
                                  "; its share is part of repeated work and barriers");
        }
        step("repeated work", again,
             known ? "execution beyond the serial run's and beyond what dependencies account for: "
                     "re-executed tasks, and messages that took longer while others ran"
                   : "execution beyond the serial run's: re-executed tasks, and messages that took "
                     "longer while others ran");
        if (serial == 0 && run.in_order > 0 && workers > 1)
            gap.skipped.emplace_back("in order: the time of executions in order was not recorded; "
                                     "the wait of the other workers is part of barriers");
        else if (serial > 0 && workers > 1)
            step("in order", in_order,
                 known
                     ? "executions one after the other on one thread while the others waited, "
                       "beyond what dependencies account for: another round would not have paid off"
                     : "executions one after the other on one thread while the others waited: "
                       "another round would not have paid off");
        if (alone)
            step("between messages", barriers + uneven, "execution time in which no message ran");
        else
            step(
                "barriers", barriers,
                known
                    ? "execution time in which no worker ran a message, beyond what dependencies "
                      "account for: starts and ends of batches and rounds"
                    : "execution time in which no worker ran a message: starts and ends of batches "
                      "and rounds");
        if (!alone)
            step("imbalance", uneven, "in each batch, the busiest worker's lead over the mean");
    }
    step("transfer",
         run.last_phases[Phase::pack] + run.last_phases[Phase::upload] +
             run.last_phases[Phase::download],
         "pack, upload and download");
    const Nanoseconds database =
        std::clamp<Nanoseconds>(run.last_phases.database, 0, run.last_phases[Phase::commit]);
    step("commit", run.last_phases[Phase::verify] + run.last_phases[Phase::commit] - database,
         database == 0 ? "acceptance, verification and commit"
                       : "acceptance, verification, and assembling the results of blocks");
    if (database != 0)
        step(
            "database", database,
            "writes to the workspace's database that the run had to wait for; the other writes ran "
            "while blocks were being executed");
    step("host", rest_of_host(run.last_phases),
         "read, decode, trace, analyse, schedule, gather and other");
    return gap;
}

std::string step_text(const GapStep& step) {
    return (step.ns < 0 ? "−" : "") + time_text(std::abs(step.ns));
}

std::vector<std::string> gap_words(const GapWaterfall& gap) {
    std::vector<std::string> lines;
    if (!gap.missing.empty()) return {"The gap " + gap.missing};
    for (const GapStep& step : gap.steps)
        lines.push_back(fmt::format("{} {}{}: {}", step.name, step_text(step),
                                    step.predicted ? ", predicted" : "", step.about));
    lines.push_back(fmt::format("= {} measured{}", time_text(gap.measured),
                                gap.about.empty() ? std::string() : ": " + gap.about));
    for (const std::string& skipped : gap.skipped) lines.push_back("Not shown: " + skipped);
    return lines;
}

} // namespace blockloom::runs
