// Threads that were asked to stop, and that nobody waits for but the end of the process.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <thread>

namespace blockloom::native {

/// LLVM cannot be interrupted within a chunk, and background threads may get little of a busy
/// processor: whoever closes a cache does not wait for its threads. They own all that they use;
/// `running` counts those that have not ended. They are joined when others follow, if they have
/// ended, or else when the process exits.
/// Allocates nothing that it cannot do without.
void close_threads(std::array<std::jthread, 2> threads,
                   std::shared_ptr<const std::atomic<unsigned>> running) noexcept;

} // namespace blockloom::native
