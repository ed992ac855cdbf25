// A lock that is held for a few dozen nanoseconds.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace blockloom::execute {

/// Spins until `is_free()`; yields if who holds the lock may have lost its core.
template <typename IsFree> void spin_while_held(const IsFree& is_free) noexcept {
    constexpr unsigned spins_before_yield = 64;
    for (unsigned spins = 1; !is_free(); ++spins)
        if (spins % spins_before_yield == 0) std::this_thread::yield();
}

/// Satisfies BasicLockable.
class SpinLock {
public:
    void lock() noexcept {
        while (held_.exchange(true, std::memory_order_acquire))
            spin_while_held([this] { return !held_.load(std::memory_order_relaxed); });
    }
    void unlock() noexcept { held_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> held_{false};
};

} // namespace blockloom::execute
