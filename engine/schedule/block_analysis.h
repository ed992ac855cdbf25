// Everything that is computed for one block, in one value: tables, views, reports and JSON read it.
#pragma once

#include "conflict/contention.h"
#include "schedule/colouring.h"
#include "schedule/schedules.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::schedule {

/// What to compute, and how. The defaults are those of `blockloom-cli analyze`.
struct AnalysisOptions {
    conflict::ConflictModel model = conflict::ConflictModel::single_version;
    trace::KeyPolicy policy;
    bool use_cost = false; ///< the trace's own costs, else 1 for each task
    std::vector<std::uint32_t> workers{1, 2, 4, 8, 16};
    std::optional<Algorithm> colouring = Algorithm::dsatur;
    double best_seconds = 10.0;
    std::uint64_t most_colouring_pairs =
        40'000'000; ///< above this no colouring is computed, and `colouring_skipped` says so
    std::size_t hot_keys = 32;
};

struct Makespans {
    std::uint32_t workers = 1;
    std::uint64_t levels = 0, list = 0, optimistic = 0;
};

struct ColouringSummary {
    Colouring colouring;
    std::uint64_t reordered_pairs = 0;
};

/// Immutable once made.
struct BlockAnalysis {
    AnalysisOptions options;
    std::shared_ptr<const conflict::ConflictIndex> index;
    std::vector<Makespans> makespans; ///< one for each entry of options.workers
    std::optional<ColouringSummary> colouring;
    std::string colouring_skipped;                 ///< why there is none although one was requested
    std::vector<conflict::KeyContention> hot_keys; ///< ids of index->trace
    Nanoseconds analyse_ns = 0, schedule_ns = 0;
};

/// Applies the policy, indexes, ranks keys, simulates schedules and colours. `known`: an index that
/// conflict::index_conflicts built earlier, or null; it is shared instead of building another if it
/// is of this trace and was built with the model, policy and costs of `options`.
[[nodiscard]] Result<BlockAnalysis>
analyse(std::shared_ptr<const trace::BlockTrace> trace, const AnalysisOptions& options,
        std::stop_token stop = {}, std::shared_ptr<const conflict::ConflictIndex> known = {});

} // namespace blockloom::schedule
