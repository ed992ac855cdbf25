// Where the threads of a replay wait while it is paused: between two tasks, never within one.
#pragma once

#include "base/clock.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace blockloom::execute {

/// Thread-safe. A thread that works passes it before each task; open, that is one relaxed load.
class PauseGate {
public:
    /// A time in which nothing was done; moments of the steady clock.
    struct Pause {
        Nanoseconds begin = 0, end = 0;
    };

    void pause();
    void resume();
    [[nodiscard]] bool asked() const noexcept { return asked_.load(std::memory_order_relaxed); }
    /// Threads that wait at it now.
    [[nodiscard]] unsigned waiting() const;

    /// Returns at once unless it is closed; then when it opens or `stop` is asked for.
    void pass(const std::stop_token& stop) {
        if (asked()) wait(stop);
    }
    /// A task has ended: a pause begins no earlier.
    void worked() noexcept {
        if (asked()) note_work();
    }

    /// Paused in all, until `now`. A pause counts from the moment at which the last thread stopped:
    /// from then on nobody works.
    [[nodiscard]] Nanoseconds paused(Nanoseconds now) const;
    /// Of pauses that have ended: no lock, for what measures work.
    [[nodiscard]] Nanoseconds ended_pauses() const noexcept {
        return ended_.load(std::memory_order_acquire);
    }
    /// Those that have ended, in order.
    [[nodiscard]] std::vector<Pause> pauses() const;

private:
    void wait(const std::stop_token& stop);
    void note_work() noexcept;

    std::atomic<bool> asked_{false};
    std::atomic<Nanoseconds> ended_{0};
    mutable std::mutex guard_;
    std::condition_variable_any opened_;
    unsigned waiting_ = 0;
    bool began_ = false;    ///< a thread has come to wait since it was closed
    Nanoseconds quiet_ = 0; ///< since when nobody works, as far as is known
    std::vector<Pause> pauses_;
};

/// Time of work since it was made or last asked: pauses that ended meanwhile are left out. Nobody
/// may be asked while the thread that asks is within a pause.
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
