// The write set of a transaction.
#pragma once

#include "base/flat_list.h"
#include "state/key.h"
#include "state/value.h"

#include <algorithm>
#include <utility>

namespace blockloom::state {

/// Sorted by key bytes, each key once; values canonical (never empty; absence erases).
using WriteSet = FlatList<std::pair<Key, Value>>;

/// The value that a write set, which is sorted by key, holds for a key; null: none.
[[nodiscard]] inline const Value* written(const WriteSet& writes, const Key& key) noexcept {
    const auto at =
        std::lower_bound(writes.begin(), writes.end(), key,
                         [](const auto& write, const Key& wanted) { return write.first < wanted; });
    return at != writes.end() && at->first == key ? &at->second : nullptr;
}

} // namespace blockloom::state
