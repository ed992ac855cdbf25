// The gate at which the threads of a replay wait while it is paused: between two tasks, never
// within one.
#pragma once

#include "base/clock.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace blockloom::execute {

/// Thread-safe. A working thread passes it before each task; if it is open, that is one relaxed
/// load.
class PauseGate {
public:
    /// An interval without work, in times of the steady clock.
    struct Pause {
        Nanoseconds begin = 0, end = 0;
    };

    void pause();
    void resume();
    [[nodiscard]] bool asked() const noexcept { return asked_.load(std::memory_order_relaxed); }
    /// The number of threads waiting at it now.
    [[nodiscard]] unsigned waiting() const;

    /// Returns at once if it is open, otherwise when it opens or a stop is requested.
    void pass(const std::stop_token& stop) {
        if (asked()) wait(stop, true);
    }
    /// The same, for a task beside those of a round: until `end_task`, it counts as working.
    void begin_task(const std::stop_token& stop) {
        // Counted first: whoever asks for a pause either sees the task or is seen by it.
        for (working_.fetch_add(1); asked_.load() && !stop.stop_requested();
             working_.fetch_add(1)) {
            working_.fetch_sub(1);
            wait(stop, false);
        }
    }
    void end_task() noexcept {
        worked();
        working_.fetch_sub(1);
    }
    [[nodiscard]] unsigned working() const noexcept { return working_.load(); }
    /// A task has ended: a pause begins no earlier.
    void worked() noexcept {
        if (asked()) note_work();
    }

    /// Total paused time until `now`. A pause counts from the time at which the last thread stopped
    /// working.
    [[nodiscard]] Nanoseconds paused(Nanoseconds now) const;
    /// Total time of finished pauses: without a lock, for measuring work.
    [[nodiscard]] Nanoseconds ended_pauses() const noexcept {
        return ended_.load(std::memory_order_acquire);
    }
    /// Finished pauses, in order.
    [[nodiscard]] std::vector<Pause> pauses() const;

private:
    /// `worked`: the thread did, until now.
    void wait(const std::stop_token& stop, bool worked);
    void note_work() noexcept;

    std::atomic<bool> asked_{false};
    std::atomic<unsigned> working_{0};
    std::atomic<Nanoseconds> ended_{0};
    mutable std::mutex guard_;
    std::condition_variable_any opened_;
    unsigned waiting_ = 0;
    bool began_ = false;    ///< a thread has waited since it was closed
    Nanoseconds quiet_ = 0; ///< since when nobody has been working, if known
    std::vector<Pause> pauses_;
};

/// Working time since construction or since the last lap, excluding pauses that ended in between. A
/// thread must not call it while it is inside a pause.
class WorkWatch {
public:
    explicit WorkWatch(const PauseGate* gate) noexcept
        : gate_(gate), start_(now_ns()), pauses_(ended()) {}

    Nanoseconds lap() noexcept {
        const Nanoseconds now = now_ns(), pauses = ended();
        return (now - std::exchange(start_, now)) - (pauses - std::exchange(pauses_, pauses));
    }

private:
    [[nodiscard]] Nanoseconds ended() const noexcept {
        return gate_ == nullptr ? 0 : gate_->ended_pauses();
    }

    const PauseGate* gate_;
    Nanoseconds start_, pauses_;
};

} // namespace blockloom::execute
