#include "session/breakdown_figures.h"

#include "runs/run_words.h"
#include "session/run_traces.h"

namespace blockloom::ui {
namespace {

/// Null: none were kept, or they cannot be read.
RunTraces::Trace spans_of(RunTraces& traces, const std::string& folder, const runs::KeptRun* run) {
    if (run == nullptr) return nullptr;
    auto trace = traces.trace_of(folder, run->id);
    return trace ? *std::move(trace) : nullptr;
}

} // namespace

runs::GapDifference find_gap_difference(const runs::KeptRun& a, const runs::KeptRun& b,
                                        const std::vector<runs::KeptRun>& kept, RunTraces& traces,
                                        const std::string& folder) {
    const auto gap = [&](const runs::KeptRun& run) {
        const runs::KeptRun* const baseline = runs::baseline_of(run, kept);
        const auto spans = spans_of(traces, folder, &run);
        const auto before = spans_of(traces, folder, baseline);
        return runs::gap_of(run, spans.get(), baseline, before.get());
    };
    return runs::gap_difference(gap(a), gap(b));
}

std::shared_ptr<const BreakdownFigures> find_breakdown(const std::optional<runs::KeptRun>& a,
                                                       const std::optional<runs::KeptRun>& b,
                                                       const std::vector<runs::KeptRun>& kept,
                                                       RunTraces& traces, const std::string& folder,
                                                       const std::stop_token& stop) {
    auto found = std::make_shared<BreakdownFigures>();
    std::vector<std::pair<const runs::KeptRun*, const runs::KeptRun*>> runs;
    std::vector<std::string> chosen;
    for (const auto* run : {&a, &b}) {
        if (!*run) continue;
        runs.emplace_back(&**run, runs::baseline_of(**run, kept));
        chosen.push_back((*run)->id);
    }
    for (const auto& [run, baseline] : runs) {
        if (stop.stop_requested()) return nullptr;
        const auto spans = spans_of(traces, folder, run);
        const auto before = spans_of(traces, folder, baseline);
        BreakdownFigures::Side made{*run, std::nullopt, {}, {}, {}};
        if (spans) made.busy = runs::busy_time(*run, *spans);
        made.no_busy = runs::why_no_busy_time(spans.get());
        made.gap = runs::gap_of(*run, spans.get(), baseline, before.get());
        made.words = runs::profiling_report(*run, baseline);
        (run == (a ? &*a : nullptr) ? found->a : found->b) = std::move(made);
    }
    if (stop.stop_requested()) return nullptr;
    if (a) found->scaling = runs::scaling_of(*a, kept, chosen);
    return found;
}

} // namespace blockloom::ui
