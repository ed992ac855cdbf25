// How the workers of a flow wait until there is something to run.
#pragma once

#include "execute/spin.h"
#include "execute/worker_pool.h"

#include <atomic>
#include <cstdint>

namespace blockloom::execute {

/// A counter of events. A worker reads it, looks for work, and if there is none waits until it has
/// changed; meanwhile it runs tasks of other blocks.
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
    /// Returns when the counter differs from `seen`, or earlier.
    void wait(std::uint32_t seen, WorkerPool& pool, unsigned worker) const {
        if (pool.run_ready_task(worker)) return;
        if (!pool.may_spin() || !spin_until([&] { return now() != seen; })) count_.wait(seen);
    }

private:
    alignas(64) std::atomic<std::uint32_t> count_{0};
};

} // namespace blockloom::execute
