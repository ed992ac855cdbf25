// The write set of a transaction.
#pragma once

#include "base/flat_list.h"
#include "state/key.h"
#include "state/value.h"

#include <utility>

namespace blockloom::state {

/// Sorted by key bytes, each key once; values canonical (never empty; absence erases).
using WriteSet = FlatList<std::pair<Key, Value>>;

} // namespace blockloom::state
