#include "schedule/block_analysis.h"

#include "conflict/conflict_matrix.h"
#include "conflict/index_conflicts.h"
#include "schedule/dense_dsatur.h"
#include "schedule/sequential_colouring.h"
#include "schedule/simulation.h"

#include <fmt/format.h>

namespace blockloom::schedule {

namespace {

/// Fills in the makespans.
Status simulate(BlockAnalysis& analysis, std::stop_token stop) {
    const LevelSimulation levels(*analysis.index);
    const ListSimulation list(*analysis.index);
    const OptimisticSimulation optimistic(*analysis.index);
    for (const std::uint32_t workers : analysis.options.workers) {
        if (stop.stop_requested()) return cancelled_error();
        analysis.makespans.push_back({workers, levels.run(workers, Keep::makespan).makespan,
                                      list.run(workers, Keep::makespan).makespan,
                                      optimistic.run(workers, Keep::makespan).makespan});
    }
    return {};
}

/// The same as DSATUR of the conflict graph.
Status colour_dense(BlockAnalysis& analysis, const std::stop_token& stop) {
    const trace::PolicedTrace& trace = *analysis.index->trace;
    const auto matrix = conflict::conflict_matrix(trace, {}, stop);
    if (!matrix) return matrix.error();
    Stopwatch watch;
    auto colours = dense_dsatur(trace, *matrix, stop);
    if (!colours) return colours.error();
    ColouringSummary summary;
    summary.colouring.colour = *std::move(colours);
    summary.colouring.colours = colours_in(summary.colouring.colour);
    summary.colouring.time_ns = watch.lap();
    summary.reordered_pairs = reordered_pairs(*matrix, summary.colouring.colour);
    analysis.colouring = std::move(summary);
    return {};
}

/// Fills in the colouring, or why there is none.
Status colour_block(BlockAnalysis& analysis, std::stop_token stop) {
    const AnalysisOptions& options = analysis.options;
    if (!options.colouring) return {};
    const std::uint64_t pairs = analysis.index->pairs.any;
    if (pairs > options.most_colouring_pairs) {
        analysis.colouring_skipped =
            fmt::format("{} conflict pairs exceed the limit of {} for colourings", pairs,
                        options.most_colouring_pairs);
        return {};
    }
    if (*options.colouring == Algorithm::dsatur &&
        conflict::ConflictMatrix::is_worthwhile(analysis.index->tasks(), pairs))
        return colour_dense(analysis, stop);
    auto graph =
        conflict::conflict_graph(*analysis.index->trace, options.most_colouring_pairs, stop);
    if (!graph) {
        if (graph.error().code == ErrorCode::cancelled) return graph.error();
        analysis.colouring_skipped = graph.error().message;
        return {};
    }
    if (stop.stop_requested()) return cancelled_error();
    ColouringSummary summary;
    summary.colouring = colour(*graph, *options.colouring, options.best_seconds, stop);
    if (stop.stop_requested()) return cancelled_error();
    summary.reordered_pairs = reordered_pairs(*graph, summary.colouring.colour);
    analysis.colouring = std::move(summary);
    return {};
}

/// Whether the index is the one that these options make of the trace. Only that of a whole trace
/// can be: the effects of a policy are not compared.
bool fits(const ConflictIndex& index, const trace::BlockTrace* trace,
          const AnalysisOptions& options) {
    const trace::PolicedTrace& of = *index.trace;
    const bool whole = of.same_sets && of.commutative.empty() && of.original_task.empty();
    const bool same_costs = of.cost.empty() != (options.use_cost && !of.original->cost.empty());
    return of.original.get() == trace && whole && options.policy.leaves_all() && same_costs &&
           index.model == options.model;
}

Result<std::shared_ptr<const ConflictIndex>>
index_by(std::shared_ptr<const trace::BlockTrace> trace, const AnalysisOptions& options,
         const std::stop_token& stop) {
    auto policed = trace::apply(std::move(trace), options.policy, options.use_cost);
    if (!policed) return policed.error();
    if (stop.stop_requested()) return cancelled_error();
    auto index = conflict::index_conflicts(
        std::make_shared<const trace::PolicedTrace>(std::move(policed).value()), options.model,
        stop);
    if (!index) return index.error();
    return std::make_shared<const ConflictIndex>(std::move(index).value());
}

} // namespace

Result<BlockAnalysis> analyse(std::shared_ptr<const trace::BlockTrace> trace,
                              const AnalysisOptions& options, std::stop_token stop,
                              std::shared_ptr<const ConflictIndex> known) {
    BlockAnalysis analysis;
    analysis.options = options;
    Stopwatch watch;
    if (known && fits(*known, trace.get(), options)) {
        analysis.index = std::move(known);
    } else {
        auto index = index_by(std::move(trace), options, stop);
        if (!index) return index.error();
        analysis.index = *std::move(index);
    }
    if (options.hot_keys > 0) {
        auto hot = conflict::contention(*analysis.index, options.hot_keys, stop);
        if (!hot) return hot.error();
        analysis.hot_keys = std::move(hot).value();
    }
    analysis.analyse_ns = watch.lap();

    if (Status simulated = simulate(analysis, stop); !simulated) return simulated.error();
    if (Status coloured = colour_block(analysis, stop); !coloured) return coloured.error();
    analysis.schedule_ns = watch.lap();
    return analysis;
}

} // namespace blockloom::schedule
