#include "execute/pause_gate.h"

#include <algorithm>

namespace blockloom::execute {

void PauseGate::pause() {
    const std::scoped_lock lock(guard_);
    if (asked()) return;
    began_ = false;
    quiet_ = now_ns();
    asked_.store(true);
}

void PauseGate::resume() {
    const std::scoped_lock lock(guard_);
    if (!asked()) return;
    if (began_) {
        pauses_.push_back({quiet_, std::max(now_ns(), quiet_)});
        const Nanoseconds length = pauses_.back().end - pauses_.back().begin;
        ended_.fetch_add(length, std::memory_order_release);
    }
    began_ = false;
    asked_.store(false, std::memory_order_relaxed);
    opened_.notify_all();
}

unsigned PauseGate::waiting() const {
    const std::scoped_lock lock(guard_);
    return waiting_;
}

void PauseGate::wait(const std::stop_token& stop, bool worked) {
    std::unique_lock lock(guard_);
    if (!asked()) return;
    began_ = true;
    if (worked) quiet_ = now_ns();
    ++waiting_;
    opened_.wait(lock, stop, [this] { return !asked(); });
    --waiting_;
}

void PauseGate::note_work() noexcept {
    const std::scoped_lock lock(guard_);
    quiet_ = now_ns();
}

Nanoseconds PauseGate::paused(Nanoseconds now) const {
    const std::scoped_lock lock(guard_);
    const Nanoseconds ended = ended_pauses();
    return asked() && began_ ? ended + std::max<Nanoseconds>(now - quiet_, 0) : ended;
}

std::vector<PauseGate::Pause> PauseGate::pauses() const {
    const std::scoped_lock lock(guard_);
    return pauses_;
}

} // namespace blockloom::execute
