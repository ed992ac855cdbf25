// Exact counts of conflict pairs: the only figures that are not linear in the accesses.
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/pair_options.h"
#include "conflict/pair_tiles.h"
#include "conflict/touch_lists.h"

#include <optional>
#include <stop_token>

namespace blockloom::conflict {

/// Counts the pairs by the three plain rules; updates of commutative keys do not conflict with each
/// other. Works a row at a time: for each task the earlier tasks that it conflicts with, as bits.
/// Keys that few tasks access are walked access by access; hot keys are bitmaps over the tasks,
/// merged 512 tasks at a time. Memory is O(tasks) besides the lists; time is the number of pairs on
/// cold keys plus at worst tasks² / 512 for hot keys. Blocks whose rows do not fit into the L1
/// cache are split into tiles of earlier tasks.
[[nodiscard]] Result<ConflictPairs> count_pairs(const trace::PolicedTrace& trace,
                                                const TouchLists& lists, std::stop_token stop,
                                                const PairOptions& options = {});

/// The same in units, which several threads may count at once.
class PairUnits {
public:
    /// What they refer to must outlive it.
    PairUnits(const trace::PolicedTrace& trace, const TouchLists& lists,
              const PairOptions& options = {});

    [[nodiscard]] std::size_t units() const noexcept;
    /// Of a trace of so many tasks.
    [[nodiscard]] static std::size_t most_units(std::size_t tasks,
                                                const PairOptions& options = {}) noexcept;
    /// The sum over all units is the number of pairs.
    [[nodiscard]] Result<ConflictPairs> pairs_of(std::size_t unit,
                                                 const std::stop_token& stop) const;

private:
    const trace::PolicedTrace& trace_;
    const TouchLists& lists_;
    PairOptions options_;
    std::optional<TiledPairs> tiles_;
};

} // namespace blockloom::conflict
