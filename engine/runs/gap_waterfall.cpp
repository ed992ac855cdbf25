#include "runs/gap_waterfall.h"

#include "base/number_text.h"
#include "execute/strategy.h"
#include "runs/device_time.h"
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

/// For how long workers had nothing to run because a transaction had to wait for another one.
Nanoseconds waits_of(const profile::Trace& trace) {
    Nanoseconds sum = 0;
    for (const profile::Lane& lane : trace.lanes)
        for (const profile::Span& span : lane.spans)
            if (lane.kind == LaneKind::worker && span.category == Category::wait)
                sum += span.duration();
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
    const auto step = [&](const char* name, Nanoseconds ns, std::string about,
                          std::vector<GapPart> parts = {}) {
        gap.steps.push_back({name, std::move(about), ns, false, std::move(parts)});
    };
    const GapPart host{"host", "read, decode, trace, analyse, schedule, gather and other",
                       rest_of_host(run.last_phases)};
    const Nanoseconds execute = run.last_phases[Phase::execute];
    const Nanoseconds moved = run.last_phases[Phase::pack] + run.last_phases[Phase::upload] +
                              run.last_phases[Phase::download];
    if (run.backend != "cpu") {
        gap.skipped.emplace_back("dependencies, imbalance and repeated work: not applicable to a "
                                 "device, which has no worker count");
        const DeviceTime device = device_time(*spans);
        const char* const several = device.devices > 1 ? ", the mean of the devices" : "";
        step("ideal time", device.kernels,
             fmt::format("the device's kernels, by its own clock{}", several));
        const Nanoseconds idle = execute + moved - device.kernels - device.transfer;
        const Nanoseconds rest = idle - device.preparing - device.accepting - device.on_workers;
        std::vector<GapPart> parts{
            {"preparing", "workers began transactions and laid out their inputs", device.preparing},
            {"accepting", "workers took results and continued transactions", device.accepting},
            {"messages on workers", "workers ran messages themselves", device.on_workers}};
        std::erase_if(parts, [](const GapPart& part) { return part.ns == 0; });
        if (!parts.empty())
            parts.push_back({"rest", "launches, beginnings and ends of rounds, one thread", rest});
        step("device idle", idle,
             fmt::format("the device waited for the host: execution without kernels, uploads and "
                         "downloads{}",
                         several),
             std::move(parts));
        step("bookkeeping", host.ns, "the other phases of the host", {host});
        step("transfer", device.transfer,
             fmt::format("uploads and downloads while no kernel ran, by the device's clock{}",
                         several));
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
        Nanoseconds waiting = waits_of(*spans) / workers;
        Nanoseconds barriers = execute - done - uneven - in_order - waiting;
        const Dependency dependency = dependency_of(run, *baseline, workers);
        step("ideal time", work,
             "the messages of the serial run, measured, divided evenly among the workers");
        gap.steps.back().predicted = true;
        const bool known = dependency.why_not.empty();
        // A single worker waits for no other: the time between messages is overhead.
        const bool alone = workers == 1;
        if (alone) {
            gap.skipped.emplace_back("dependencies and imbalance: not applicable to one worker");
        } else if (known) {
            // Tasks that wait for a dependency, or are re-executed because of it, show up in these
            // steps, which must not be charged with what no schedule could have saved.
            take(dependency.ns, {&waiting, &again, &in_order, &barriers, &uneven});
            step("dependencies", dependency.ns,
                 "how much longer than the ideal time the longest chain of dependent tasks takes, "
                 "summed over the blocks, by the serial run's measured times: no schedule can "
                 "avoid this");
            gap.steps.back().predicted = true;
        } else {
            gap.skipped.push_back("dependencies: " + dependency.why_not +
                                  "; their share is part of repeated work and bookkeeping");
        }
        if (!alone) {
            if (serial == 0 && run.in_order > 0)
                gap.skipped.emplace_back(
                    "in order: the time of executions in order was not recorded; "
                    "the wait of the other workers is part of barriers");
            std::vector<GapPart> parts;
            if (serial > 0 || waiting != 0) {
                parts = {{"in batches", "in each batch, the busiest worker's lead over the mean",
                          uneven},
                         {"in order",
                          "executions one after the other on one thread while the others waited: "
                          "another round would not have paid off",
                          in_order},
                         run.strategy == execute::name_of(execute::Strategy::levels)
                             ? GapPart{"at barriers",
                                       "workers that had nothing to run until the last transaction "
                                       "of a level had run",
                                       waiting}
                             : GapPart{"waiting",
                                       "without batches: workers that had nothing to run until "
                                       "another transaction had run",
                                       waiting}};
                std::erase_if(parts, [](const GapPart& part) { return part.ns == 0; });
            }
            step("imbalance", uneven + in_order + waiting,
                 known ? "workers waited while others executed, beyond what dependencies account "
                         "for: for the busiest one at the end of each batch, for executions in "
                         "order, and for transactions that others depend on"
                       : "workers waited while others executed: for the busiest one at the end of "
                         "each batch, for executions in order, and for transactions that others "
                         "depend on",
                 std::move(parts));
        }
        step("repeated work", again,
             known ? "execution beyond the serial run's and beyond what dependencies account for: "
                     "re-executed tasks, and messages that took longer while others ran"
                   : "execution beyond the serial run's: re-executed tasks, and messages that took "
                     "longer while others ran");
        if (const std::string aborts = aborts_words(run.aborted); !aborts.empty())
            gap.steps.back().about += "; " + aborts;
        const GapPart between =
            alone ? GapPart{"between messages", "execution time in which no message ran",
                            barriers + uneven + in_order + waiting}
                  : GapPart{"barriers",
                            "execution time in which no worker ran a message: starts and ends of "
                            "batches and rounds",
                            barriers};
        step("bookkeeping", between.ns + host.ns,
             "execution time in which no message ran, and the other phases of the host",
             {between, host});
        step("transfer", moved, "pack, upload and download");
    }
    const Nanoseconds database =
        std::clamp<Nanoseconds>(run.last_phases.database, 0, run.last_phases[Phase::commit]);
    const Nanoseconds commit = run.last_phases[Phase::verify] + run.last_phases[Phase::commit];
    std::vector<GapPart> parts;
    if (database != 0)
        parts = {{"results", "acceptance, verification, and assembling the results of blocks",
                  commit - database},
                 {"database",
                  "writes to the workspace's database that the run had to wait for; the other "
                  "writes ran while blocks were being executed",
                  database}};
    step("commit", commit, "acceptance, verification and commit", std::move(parts));
    return gap;
}

GapDifference gap_difference(const GapWaterfall& a, const GapWaterfall& b) {
    GapDifference found;
    found.a = a.measured;
    found.b = b.measured;
    for (const auto& [name, gap] : {std::pair{"A", &a}, {"B", &b}}) {
        if (!gap->missing.empty())
            found.missing +=
                fmt::format("{}run {}: {}", found.missing.empty() ? "" : "; ", name, gap->missing);
        for (const std::string& skipped : gap->skipped)
            found.notes.push_back(fmt::format("Run {}: {}", name, skipped));
    }
    if (!found.missing.empty()) return found;
    for (const std::string_view category : gap_categories) {
        const auto step_of = [category](const GapWaterfall& gap) -> const GapStep* {
            const auto at = std::find_if(gap.steps.begin(), gap.steps.end(),
                                         [category](const auto& s) { return s.name == category; });
            return at == gap.steps.end() ? nullptr : &*at;
        };
        const GapStep *of_a = step_of(a), *of_b = step_of(b);
        if (of_a == nullptr && of_b == nullptr) continue;
        GapChange change;
        change.name = category;
        change.about = (of_a != nullptr ? of_a : of_b)->about;
        for (const auto& [step, ns] : {std::pair{of_a, &change.a}, {of_b, &change.b}}) {
            if (step == nullptr) continue;
            *ns = step->ns;
            change.predicted = change.predicted || step->predicted;
        }
        change.b_minus_a = change.b.value_or(0) - change.a.value_or(0);
        found.causes.push_back(std::move(change));
    }
    return found;
}

std::string step_text(Nanoseconds ns) {
    return (ns < 0 ? "−" : "") + time_text(std::abs(ns));
}

std::string step_text(const GapStep& step) {
    return step_text(step.ns);
}

std::string step_words(const GapStep& step) {
    std::string words = fmt::format("{} {}{}: {}", step.name, step_text(step),
                                    step.predicted ? ", predicted" : "", step.about);
    for (const GapPart& part : step.parts)
        words += fmt::format("{}{} {}", &part == &step.parts.front() ? " (" : ", ", part.name,
                             step_text(part.ns));
    return step.parts.empty() ? words : words + ")";
}

std::vector<std::string> gap_words(const GapWaterfall& gap) {
    std::vector<std::string> lines;
    if (!gap.missing.empty()) return {"The gap " + gap.missing};
    for (const GapStep& step : gap.steps) lines.push_back(step_words(step));
    lines.push_back(fmt::format("= {} measured{}", time_text(gap.measured),
                                gap.about.empty() ? std::string() : ": " + gap.about));
    for (const std::string& skipped : gap.skipped) lines.push_back("Not shown: " + skipped);
    return lines;
}

} // namespace blockloom::runs
