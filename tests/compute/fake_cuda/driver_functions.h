// What the files of exported functions share: the thread's contexts, and how each function begins.
#pragma once

#include "compute/fake_cuda/machine.h"

namespace blockloom::fake_cuda {

[[nodiscard]] std::vector<Context>& context_stack(); ///< of the calling thread, the current last

/// Counts a call of a function that needs no context; its fault, or success.
[[nodiscard]] Code begin_without_context(const char* function);
/// The same for one that works in the current context.
[[nodiscard]] Code begin(const char* function, Context& current);

} // namespace blockloom::fake_cuda
