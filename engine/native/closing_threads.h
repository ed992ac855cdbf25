// Threads that were asked to stop, and that only the exit of the process waits for.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <thread>

namespace blockloom::native {

/// LLVM cannot be interrupted within a chunk, and background threads may get little of a busy
/// processor: closing a cache does not wait for its threads. They own all that they use;
/// `running` counts those that have not ended. They are joined when others follow, if they have
/// ended, or else when the process exits.
/// Works without an allocation that fails.
void close_threads(std::array<std::jthread, 2> threads,
                   std::shared_ptr<const std::atomic<unsigned>> running) noexcept;

} // namespace blockloom::native
