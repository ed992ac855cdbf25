// Two executions of one block, compared.
#pragma once

#include "alkanes/block_execution.h"

#include <string>

namespace blockloom::execute {

/// The first difference between two executions of a block, in words; empty: there is none.
/// Compared: digest, and of each message its status, text, fuel, steps, response, log and writes.
[[nodiscard]] std::string first_difference(const alkanes::BlockExecution& a,
                                           const alkanes::BlockExecution& b);

} // namespace blockloom::execute
