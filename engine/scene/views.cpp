#include "scene/views.h"

#include "scene/layout.h"

namespace blockloom::scene {
namespace {

DisplayList lay_out(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                    const std::stop_token& stop) {
    switch (options.view) {
    case View::layered:
        return layout::layered(analysis, options, stop);
    case View::arc:
        return layout::arc(analysis, options, stop);
    case View::matrix:
        return layout::matrix(analysis, options, stop);
    case View::bipartite:
        return layout::bipartite(analysis, options, stop);
    case View::schedule:
        break;
    }
    return {};
}

} // namespace

View suggested_view(const schedule::BlockAnalysis& analysis) {
    // Beyond this a node-link drawing is unreadable; a matrix costs the same for any number.
    constexpr std::uint64_t many_edges = 20'000, many_pairs_a_task = 8;
    const conflict::ConflictIndex& index = *analysis.index;
    const bool many =
        index.edges() > many_edges || index.pairs.any > many_pairs_a_task * index.tasks();
    return many ? View::matrix : View::layered;
}

DisplayList make_view(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                      std::stop_token stop) {
    if (stop.stop_requested()) return {};
    if (analysis.index->tasks() == 0) return layout::empty_list(options, "A block without tasks.");
    if (options.view != View::schedule) {
        DisplayList list = lay_out(analysis, options, stop);
        layout::mark_failed(list, options);
        return list;
    }
    const schedule::Schedule predicted =
        schedule::make_schedule(*analysis.index, options.strategy, options.workers);
    if (stop.stop_requested()) return {};
    return make_gantt(analysis, predicted, options);
}

} // namespace blockloom::scene
