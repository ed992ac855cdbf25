// Blocks by height from the database of an indexer: "metashrew:DIR" as a source
// (docs/metashrew.md#blocks).
#pragma once

#include "base/progress.h"
#include "chain/block_ref.h"
#include "range/range.h"

#include <stop_token>
#include <string_view>
#include <vector>

namespace blockloom::range {

/// Whether a source names the database of an indexer.
[[nodiscard]] bool is_database_source(std::string_view source) noexcept;

/// Lists the blocks of the database from `options.from` to `options.to`, both of which are needed.
/// Each is read once to be listed, and again when it is used. With `options.state` at the same
/// place its label, fork and access apply. Fails if a block is missing, or is another one than the
/// indexer indexed at its height.
[[nodiscard]] Result<std::vector<chain::BlockRef>> database_blocks(const RangeOptions& options,
                                                                   std::string_view source,
                                                                   ProgressSink& progress,
                                                                   const std::stop_token& stop);

/// If a range's blocks come from an indexer's database and nothing else was chosen, so does the
/// state before them.
[[nodiscard]] RangeOptions with_state_of_source(RangeOptions options);

} // namespace blockloom::range
