// How the workers of a flow wait until there is something to run.
#pragma once

#include "execute/spin.h"
#include "execute/worker_pool.h"

#include <atomic>
#include <cstdint>

namespace blockloom::execute {

/// A counter of events. A worker reads it, looks for work, and if there is none waits until it has
/// changed, or until there is a task of another block for it.
class FlowNews {
public:
    [[nodiscard]] std::uint32_t now() const noexcept {
        return count_.load(std::memory_order_acquire);
    }
    void announce() noexcept {
        count_.fetch_add(1, std::memory_order_acq_rel);
        count_.notify_all();
    }
    /// The same for those that do not sleep yet: cheaper.
    void hint() noexcept { count_.fetch_add(1, std::memory_order_acq_rel); }
    /// Returns when the counter differs from `seen`, or earlier. False: the worker is to leave for
    /// a task of another block. The caller of a job, worker 0, never is: all wait for it.
    [[nodiscard]] bool wait(std::uint32_t seen, const WorkerPool& pool, unsigned worker) {
        const auto leaves = [&] { return worker != 0 && pool.has_ready_task(); };
        if (leaves()) return false;
        waiting_.fetch_add(1, std::memory_order_relaxed);
        if (!pool.may_spin() || !spin_until([&] { return now() != seen || leaves(); }))
            count_.wait(seen);
        waiting_.fetch_sub(1, std::memory_order_relaxed);
        return now() != seen || !leaves();
    }
    /// Some worker has nothing to do: a hint.
    [[nodiscard]] bool anybody_waits() const noexcept {
        return waiting_.load(std::memory_order_relaxed) != 0;
    }

private:
    alignas(64) std::atomic<std::uint32_t> count_{0};
    alignas(64) std::atomic<std::uint32_t> waiting_{0};
};

} // namespace blockloom::execute
