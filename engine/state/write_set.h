// The write set of a transaction.
#pragma once

#include "state/key.h"
#include "state/value.h"

#include <utility>
#include <vector>

namespace blockloom::state {

/// Sorted by key bytes, each key once; values canonical (never empty; absence erases).
using WriteSet = std::vector<std::pair<Key, Value>>;

} // namespace blockloom::state
