#include "session/breakdown_figures.h"

#include "report/run_words.h"
#include "store/workspace.h"

namespace blockloom::ui {
namespace {

using Spans = std::shared_ptr<const profile::Trace>;

/// Null: none were kept, or they cannot be read.
Spans spans_of(const store::Workspace* workspace, const report::KeptRun* run) {
    if (workspace == nullptr || run == nullptr) return nullptr;
    const auto spans = report::kept_spans(*workspace, run->id);
    return spans ? *spans : nullptr;
}

} // namespace

std::shared_ptr<const BreakdownFigures> find_breakdown(const std::optional<report::KeptRun>& a,
                                                       const std::optional<report::KeptRun>& b,
                                                       const std::vector<report::KeptRun>& kept,
                                                       const QString& folder,
                                                       const std::stop_token& stop) {
    auto found = std::make_shared<BreakdownFigures>();
    const auto opened = store::Workspace::open(folder.toStdString(), {.read_only = true});
    const store::Workspace* const workspace = opened ? opened->get() : nullptr;
    const auto side = [&](const report::KeptRun& run) {
        const report::KeptRun* const baseline = report::baseline_of(run, kept);
        const Spans spans = spans_of(workspace, &run), before = spans_of(workspace, baseline);
        BreakdownFigures::Side made{run, std::nullopt, {}, {}};
        if (spans != nullptr) made.busy = report::busy_time(run, *spans);
        made.gap = report::gap_of(run, spans.get(), baseline, before.get());
        made.words = report::profiling_report(run, baseline);
        return made;
    };
    std::vector<std::string> chosen;
    for (const auto& run : {a, b})
        if (run) chosen.push_back(run->id);
    if (a) found->a = side(*a);
    if (stop.stop_requested()) return nullptr;
    if (b) found->b = side(*b);
    if (stop.stop_requested()) return nullptr;
    if (a) found->scaling = report::scaling_of(*a, kept, chosen);
    return found;
}

} // namespace blockloom::ui
