// What the sources of a range hold, before anything is decoded: blocks in order, and what was left
// out and why.
#pragma once

#include "base/progress.h"
#include "chain/block_source.h"
#include "range/manifest.h"
#include "range/range.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::range {

/// A block that is still to be worked on: a listed Bitcoin block, or an imported trace.
struct Pending {
    std::optional<chain::BlockRef> block;
    std::optional<std::uint64_t> height; ///< as the order of the blocks tells it
    std::vector<chain::BlockRef>
        copies; ///< the same block elsewhere: taken where this one is broken
    std::shared_ptr<const trace::BlockTrace> trace;
    std::string source;
    Nanoseconds trace_ns = 0; ///< its share of the time in which its trace file was read
    std::shared_ptr<const execute::ReplayedBlock> replayed{}; ///< once executed
};

/// A listed block as a replay takes it.
[[nodiscard]] execute::ReplaySource replay_source(const Pending& pending);

struct Sources {
    std::vector<Pending> pending; ///< Bitcoin blocks in chain order, then imported traces by height
    std::vector<LeftOut> left_out;
    std::vector<SourceFile> files;
    std::optional<Manifest> manifest; ///< where all sources are generated, and agree
};

/// What the sources say of themselves; nothing unless all of them are generated and agree.
[[nodiscard]] std::optional<Manifest> manifest_of(const std::vector<std::string>& sources);

/// Lists, orders by links, leaves out stale branches and cuts by height. Fails on a malformed file
/// or record unless `keep_going`, and where nothing is left.
[[nodiscard]] Result<Sources> gather_sources(const RangeOptions& options, ProgressSink& progress,
                                             const std::stop_token& stop);

} // namespace blockloom::range
