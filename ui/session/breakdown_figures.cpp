#include "session/breakdown_figures.h"

#include "profile/trace_bytes.h"
#include "runs/run_words.h"
#include "store/kept_folders.h"

namespace blockloom::ui {
namespace {

using Bytes = std::optional<std::string>;
using Spans = std::optional<profile::Trace>;

/// The bytes of both runs' spans and of their baselines'.
struct Kept {
    Bytes run, baseline;
};

std::vector<Kept>
read_spans(const QString& folder,
           const std::vector<std::pair<const runs::KeptRun*, const runs::KeptRun*>>& runs) {
    std::vector<Kept> kept(runs.size());
    const auto opened = store::open_runs(folder.toStdString());
    if (!opened) return kept;
    const auto bytes_of = [&](const runs::KeptRun* run) {
        if (run == nullptr) return Bytes();
        auto part = opened->load_part(run->id, runs::spans_part);
        return part ? *std::move(part) : Bytes();
    };
    for (std::size_t i = 0; i < runs.size(); ++i)
        kept[i] = {bytes_of(runs[i].first), bytes_of(runs[i].second)};
    return kept;
}

/// Nothing: none were kept, or they cannot be read.
Spans spans_of(const Bytes& bytes) {
    if (!bytes) return std::nullopt;
    auto trace = profile::read_trace(as_bytes(*bytes), "spans");
    return trace ? Spans(*std::move(trace)) : std::nullopt;
}

const profile::Trace* pointer(const Spans& spans) {
    return spans ? &*spans : nullptr;
}

} // namespace

std::shared_ptr<const BreakdownFigures> find_breakdown(const std::optional<runs::KeptRun>& a,
                                                       const std::optional<runs::KeptRun>& b,
                                                       const std::vector<runs::KeptRun>& kept,
                                                       const QString& folder,
                                                       const std::stop_token& stop) {
    auto found = std::make_shared<BreakdownFigures>();
    std::vector<std::pair<const runs::KeptRun*, const runs::KeptRun*>> runs;
    std::vector<std::string> chosen;
    for (const auto* run : {&a, &b}) {
        if (!*run) continue;
        runs.emplace_back(&**run, runs::baseline_of(**run, kept));
        chosen.push_back((*run)->id);
    }
    const std::vector<Kept> bytes = read_spans(folder, runs);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (stop.stop_requested()) return nullptr;
        const auto [run, baseline] = runs[i];
        const Spans spans = spans_of(bytes[i].run), before = spans_of(bytes[i].baseline);
        BreakdownFigures::Side made{*run, std::nullopt, {}, {}, {}};
        if (spans) made.busy = runs::busy_time(*run, *spans);
        made.no_busy = runs::why_no_busy_time(pointer(spans));
        made.gap = runs::gap_of(*run, pointer(spans), baseline, pointer(before));
        made.words = runs::profiling_report(*run, baseline);
        (run == (a ? &*a : nullptr) ? found->a : found->b) = std::move(made);
    }
    if (stop.stop_requested()) return nullptr;
    if (a) found->scaling = runs::scaling_of(*a, kept, chosen);
    return found;
}

} // namespace blockloom::ui
