// Levels of a block window's transactions by given access sets (docs/definitions.md#levels): what a
// schedule may run together. Hints only.
#pragma once

#include "state/task_log.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::execute {

/// The declared reads and writes of a transaction. Sorted, each key once. A predicate is a read.
struct DeclaredSets {
    std::vector<state::Key> reads, writes;

    [[nodiscard]] bool may_read(std::string_view key) const;
    [[nodiscard]] bool may_write(std::string_view key) const;
};

[[nodiscard]] DeclaredSets sets_of(const state::TransactionLog& log);

/// Level of each transaction in block order, from 1. `multi_version`: only reads of earlier writes
/// order transactions; otherwise every shared key that one of the two writes does.
[[nodiscard]] std::vector<std::uint32_t> levels_of(std::span<const DeclaredSets> sets,
                                                   bool multi_version);

} // namespace blockloom::execute
