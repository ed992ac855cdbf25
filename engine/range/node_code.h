// Modules of built-in contracts from an indexer, where they are the right ones beyond doubt
// (docs/metashrew.md#code-of-built-in-contracts).
#pragma once

#include "alkanes/built_in_code.h"
#include "range/node_records.h"

#include <span>

namespace blockloom::range {

/// Fills slots that `code` does not have yet with code that the indexer stores, or once stored, at
/// their contracts, if its SHA-256 is the one that is known of the slot. Code without a known hash
/// is never taken: an indexer since 2.2 runs what it contains, not what it stores. Fails if the
/// indexer cannot be read.
Status take_code_of_node(alkanes::BuiltInCode& code, std::span<const alkanes::BuiltInSlot> slots,
                         const NodeRecords& records);

} // namespace blockloom::range
