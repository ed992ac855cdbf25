#include "report/gap_waterfall.h"

#include "range/number_text.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace blockloom::report {
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
            if (span.category != Category::message) continue;
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

Nanoseconds rest_of_host(const execute::Phases& phases) {
    Nanoseconds rest = phases.sum();
    for (const Phase phase : {Phase::execute, Phase::pack, Phase::upload, Phase::download,
                              Phase::verify, Phase::commit})
        rest -= phases[phase];
    return rest;
}

} // namespace

std::optional<double> BusyTime::utilisation() const {
    const Nanoseconds had = wall[Phase::execute] * static_cast<Nanoseconds>(workers);
    if (on_device > 0 || had <= 0) return std::nullopt;
    return std::min(1.0, static_cast<double>(busy[Phase::execute]) / static_cast<double>(had));
}

std::optional<BusyTime> busy_time(const KeptRun& run, const profile::Trace& spans) {
    if (spans.dropped != 0) return std::nullopt;
    BusyTime found;
    found.wall = found.busy = run.last_phases;
    found.busy[Phase::execute] = messages_of(spans);
    Nanoseconds up = 0, down = 0;
    for (const profile::Lane& lane : spans.lanes) {
        if (lane.kind == LaneKind::worker && messages_of(lane) > 0) ++found.workers;
        if (lane.kind != LaneKind::device) continue;
        for (const profile::Span& span : lane.spans) {
            const std::string& name = spans.names[span.name];
            if (name == "upload")
                up += span.duration();
            else if (name == "download")
                down += span.duration();
            else
                found.on_device += span.duration();
        }
    }
    found.busy[Phase::execute] += found.on_device;
    if (run.backend != "cpu") {
        found.busy[Phase::upload] = up;
        found.busy[Phase::download] = down;
    } else {
        found.workers = std::max(found.workers, run.strategy == "serial" ? 1U : run.workers);
    }
    return found;
}

GapWaterfall gap_of(const KeptRun& run, const profile::Trace* spans, const KeptRun* baseline,
                    const profile::Trace* baseline_spans) {
    GapWaterfall gap;
    gap.measured = run.last_phases.sum();
    const auto busy = spans == nullptr ? std::nullopt : busy_time(run, *spans);
    if (!busy) {
        gap.missing = spans == nullptr
                          ? "needs the run's spans: replay it without --no-spans"
                          : fmt::format("{} did not fit into memory: what is left of the spans is "
                                        "no sum",
                                        range::counted(spans->dropped, "span"));
        return gap;
    }
    const auto step = [&](const char* name, Nanoseconds ns, const char* about,
                          bool predicted = false) {
        gap.steps.push_back({name, about, ns, predicted});
    };
    const Nanoseconds execute = run.last_phases[Phase::execute];
    if (run.backend != "cpu") {
        gap.skipped.emplace_back(
            "W/p, dependency and imbalance: a device has no number of workers");
        step("on the device", busy->on_device, "its kernels, by its own clock");
        step("beside it", execute - busy->on_device,
             "execution outside its kernels: launches, rounds, and what the host ran");
    } else {
        if (baseline == nullptr || baseline_spans == nullptr || baseline_spans->dropped != 0) {
            gap.missing = "needs a serial run of the same blocks with its spans: replay them with "
                          "--strategy serial";
            return gap;
        }
        const auto workers =
            static_cast<Nanoseconds>(run.strategy == "serial" ? 1U : std::max(run.workers, 1U));
        const Nanoseconds work = messages_of(*baseline_spans) / workers;
        const Nanoseconds done = busy->busy[Phase::execute] / workers;
        const Nanoseconds uneven = imbalance_of(*spans, static_cast<unsigned>(workers));
        step("W/p", work, "the serial run's messages, measured, shared out evenly: predicted",
             true);
        step("work again", done - work,
             "what the workers executed more than the serial run did: tasks that ran again, and "
             "messages that took longer beside others");
        step("imbalance", uneven, "in each batch the busiest worker's lead over the mean");
        step("barriers", execute - done - uneven,
             "execution in which no worker ran a message: starts and ends of batches and rounds");
        gap.skipped.emplace_back(
            "dependency: a run's record has no conflict edges; its share is in work again and in "
            "barriers (the Schedule panel predicts it)");
    }
    step("transfer",
         run.last_phases[Phase::pack] + run.last_phases[Phase::upload] + run.last_phases[Phase::download],
         "pack, upload and download");
    step("commit", run.last_phases[Phase::verify] + run.last_phases[Phase::commit],
         "acceptance, verification and commit");
    step("host", rest_of_host(run.last_phases),
         "read, decode, trace, analyse, schedule, gather and other");
    return gap;
}

std::string step_text(const GapStep& step) {
    return (step.ns < 0 ? "−" : "") + range::time_text(std::abs(step.ns));
}

std::vector<std::string> gap_words(const GapWaterfall& gap) {
    std::vector<std::string> lines;
    if (!gap.missing.empty()) return {"The gap " + gap.missing};
    for (const GapStep& step : gap.steps)
        lines.push_back(fmt::format("{} {}{}: {}", step.name, step_text(step),
                                    step.predicted ? ", predicted" : "", step.about));
    lines.push_back(fmt::format("= {} measured", range::time_text(gap.measured)));
    for (const std::string& skipped : gap.skipped) lines.push_back("Not told: " + skipped);
    return lines;
}

} // namespace blockloom::report
