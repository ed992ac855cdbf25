// Levels and finish times in one pass over the accesses, without edges: enough for a what-if.
#pragma once

#include "conflict/conflict_index.h"

#include <span>
#include <vector>

namespace blockloom::conflict {

/// The level of each task, 1-based; equal to ConflictIndex::level. Linear in the accesses; 8 bytes
/// a key of working memory. The sets must be valid (index_conflicts checks that).
[[nodiscard]] std::vector<std::uint32_t> find_levels(const trace::PolicedTrace& trace,
                                                     ConflictModel model);

/// The span (cost of the critical path) if all accesses to `relaxed` were dropped; no_key: none are
/// dropped. Linear in the accesses.
[[nodiscard]] std::uint64_t find_span(const trace::PolicedTrace& trace, ConflictModel model,
                                      KeyId relaxed = no_key);

/// The same for each of several keys on its own; eight of them share a pass if the work is below
/// 2^31 (64 bytes a key of working memory).
[[nodiscard]] std::vector<std::uint64_t> find_spans(const trace::PolicedTrace& trace,
                                                    ConflictModel model,
                                                    std::span<const KeyId> relaxed,
                                                    std::stop_token stop = {});

} // namespace blockloom::conflict
