// The contents of a range's sources before anything is decoded: blocks in order, and what was left
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

/// A block that is still to be processed: a listed Bitcoin block, or an imported trace.
struct Pending {
    std::optional<chain::BlockRef> block;
    std::optional<std::uint64_t> height; ///< from the order of the blocks
    std::vector<chain::BlockRef>
        copies; ///< copies of the block elsewhere: used if this one is damaged
    std::shared_ptr<const trace::BlockTrace> trace;
    std::string source;
    Nanoseconds trace_ns = 0; ///< its share of the time it took to read its trace file
    std::shared_ptr<const execute::ReplayedBlock> replayed{}; ///< once executed
};

/// A listed block as input of a replay.
[[nodiscard]] execute::ReplaySource replay_source(const Pending& pending);

struct Sources {
    std::vector<Pending> pending; ///< Bitcoin blocks in chain order, then imported traces by height
    std::vector<LeftOut> left_out;
    std::vector<SourceFile> files;
    std::optional<Manifest> manifest; ///< if all sources are generated and agree
    // Once executed (executed.h), as of Range:
    std::string state{};
    std::vector<std::string> notes{};
    UnknownValues unknown{};
};

/// The common manifest of the sources; nothing unless all of them are generated and agree.
[[nodiscard]] std::optional<Manifest> manifest_of(const std::vector<std::string>& sources);

/// Lists, orders by links, leaves out stale branches and selects by height. Fails on a malformed
/// file or record unless `keep_going`, and if nothing is left.
[[nodiscard]] Result<Sources> gather_sources(const RangeOptions& options, ProgressSink& progress,
                                             const std::stop_token& stop);

} // namespace blockloom::range
