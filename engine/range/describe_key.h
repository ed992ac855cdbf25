// A key of a block in words for the Inspector: who reads and writes it, what it held before and
// after each of them, and what relaxing it would gain.
#pragma once

#include "range/task_details.h"

namespace blockloom::range {

/// The command of describe_key()'s first section.
inline constexpr const char* relax_command = "Relax this key";

/// Tasks are those of the analysis, in block order; values are given if the block was executed and
/// the policy left the key unchanged. Empty for a key that the analysis does not have.
[[nodiscard]] TaskDetails describe_key(const BlockRecord& record, conflict::KeyId key);

} // namespace blockloom::range
