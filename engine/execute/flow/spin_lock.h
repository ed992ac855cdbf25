// A lock that is held for a few dozen nanoseconds.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace blockloom::execute {

/// Spins; yields if its holder may have lost its core. Satisfies BasicLockable.
class SpinLock {
public:
    void lock() noexcept {
        for (unsigned spins = 0; held_.exchange(true, std::memory_order_acquire);)
            while (held_.load(std::memory_order_relaxed))
                if (++spins % spins_before_yield == 0) std::this_thread::yield();
    }
    void unlock() noexcept { held_.store(false, std::memory_order_release); }

private:
    static constexpr unsigned spins_before_yield = 64;
    std::atomic<bool> held_{false};
};

} // namespace blockloom::execute
