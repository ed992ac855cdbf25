// How the workers of a flow wait until there is something to run.
#pragma once

#include "execute/spin.h"
#include "execute/worker_pool.h"

#include <atomic>
#include <cstdint>

namespace blockloom::execute {

/// A counter of events. A worker reads it, looks for work, and if there is none waits until it has
/// changed, or until there is a task of another block for it. Few workers look all the time: the
/// others would take memory, and a half of its core, from those that run a chain. They sleep until
/// there is more than those few can take.
class FlowNews {
public:
    [[nodiscard]] std::uint32_t now() const noexcept { return count_.load(); }
    /// Something can be taken.
    void announce() noexcept {
        count_.fetch_add(1);
        pass_on();
    }
    /// The same if somebody waits. What can be taken must have been stored before, and whoever
    /// waits must look for it (`any_ready` below), both sequentially consistent.
    void announce_if_awaited() noexcept {
        if (looking_.load() != 0 || sleeping_.load() != 0) announce();
    }
    /// The same for those that do not sleep: cheaper.
    void hint() noexcept { count_.fetch_add(1); }
    /// Nothing will be taken any more.
    void announce_end() noexcept {
        count_.fetch_add(1);
        wakes_.fetch_add(1);
        wakes_.notify_all();
    }
    /// There is more than its caller has taken: wakes a sleeper if nobody else looks.
    void pass_on() noexcept {
        if (sleeping_.load() == 0 || looking_.load() != 0) return;
        wakes_.fetch_add(1);
        wakes_.notify_one();
    }
    /// Returns when the counter differs from `seen`, or earlier. False: the worker is to leave for
    /// a task of another block. The caller of a job, worker 0, never is: all wait for it.
    /// `any_ready`: something can be taken; called after others can see that this worker waits.
    template <typename AnyReady>
    [[nodiscard]] bool wait(std::uint32_t seen, const WorkerPool& pool, unsigned worker,
                            const AnyReady& any_ready) {
        const auto leaves = [&] { return worker != 0 && pool.has_ready_task(); };
        const auto ends = [&] { return now() != seen || leaves(); };
        if (leaves()) return false;
        if (pool.may_spin()) {
            bool found = false;
            if (looking_.fetch_add(1) < most_looking) found = any_ready() || spin_until(ends);
            looking_.fetch_sub(1);
            if (found) return now() != seen || !leaves();
        }
        // Whoever announces either sees that this worker sleeps, or is seen here.
        const std::uint32_t wakes = wakes_.load();
        sleeping_.fetch_add(1);
        if (!ends() && !any_ready()) wakes_.wait(wakes);
        sleeping_.fetch_sub(1);
        return now() != seen || !leaves();
    }
    /// Where everything that can be taken is announced.
    [[nodiscard]] bool wait(std::uint32_t seen, const WorkerPool& pool, unsigned worker) {
        return wait(seen, pool, worker, [] { return false; });
    }
    /// Some worker has nothing to do: a hint.
    [[nodiscard]] bool anybody_waits() const noexcept {
        return looking_.load(std::memory_order_relaxed) != 0 ||
               sleeping_.load(std::memory_order_relaxed) != 0;
    }

private:
    static constexpr std::uint32_t most_looking = 2;

    alignas(64) std::atomic<std::uint32_t> count_{0};
    alignas(64) std::atomic<std::uint32_t> looking_{0};
    alignas(64) std::atomic<std::uint32_t> sleeping_{0};
    alignas(64) std::atomic<std::uint32_t> wakes_{0};
};

} // namespace blockloom::execute
