// A Bitcoin transaction's bytes in rows for the Inspector.
#pragma once

#include "range/task_details.h"

namespace blockloom::range {

/// Adds size, counts, version, locktime and fee to the first section, and a section of the outputs.
/// The fee is only given if every spent output is created in the same block; otherwise it is
/// unknown.
void append_transaction(TaskDetails& details, const chain::Block& block, std::size_t transaction);

} // namespace blockloom::range
