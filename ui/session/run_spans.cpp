#include "docks/timeline/run_spans.h"

#include "docks/timeline/timeline_minimap.h"
#include "runs/kept_run.h"
#include "store/kept_folders.h"

#include <algorithm>

namespace blockloom::ui {

RunSpans read_run_spans(const std::string& folder, const std::string& id) {
    RunSpans loaded;
    const auto runs = store::open_runs(folder);
    if (!runs) {
        loaded.error = runs.error().message;
        return loaded;
    }
    const auto spans = runs::kept_spans(*runs, id);
    if (!spans) loaded.error = spans.error().message;
    if (!spans || *spans == nullptr || (*spans)->span_count() == 0) return loaded;
    auto timeline = std::make_shared<const profile::Timeline>(**spans);
    const profile::TimeRange all{0, timeline->duration()};
    for (const profile::TimelineGroup& group : timeline->groups()) {
        auto shares = timeline->busy_shares(group, all, TimelineMinimap::parts);
        std::vector<float>& into = group.device ? loaded.device : loaded.host;
        into.resize(shares.size());
        for (std::size_t i = 0; i < shares.size(); ++i) into[i] = std::max(into[i], shares[i]);
    }
    loaded.timeline = std::move(timeline);
    loaded.trace = *spans;
    return loaded;
}

} // namespace blockloom::ui
