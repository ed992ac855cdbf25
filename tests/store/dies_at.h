// A process that kills itself with SIGKILL at its N-th call that changes a file. What a file system
// holds changes with such calls only, so their number is a moment that can be repeated: no clock
// and no chance. Half of the moments lie in the middle of a write, whose first half arrives.
#pragma once

#include <cstdint>

namespace blockloom::test {

/// Counts from here on; the call with this number is the last one, 0: none is.
void die_at(std::uint64_t call) noexcept;
/// Calls so far, by all threads.
[[nodiscard]] std::uint64_t file_calls() noexcept;

} // namespace blockloom::test
