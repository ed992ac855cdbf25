// A clock that jumps: who sleeps is at its time at once, and otherwise a test moves it.
#pragma once

#include "node/wait_clock.h"

#include <mutex>
#include <vector>

namespace blockloom::test {

class JumpingClock final : public node::WaitClock {
public:
    static constexpr Nanoseconds second = 1'000'000'000;

    [[nodiscard]] Nanoseconds now() const noexcept override {
        const std::lock_guard lock(guard_);
        return now_;
    }
    void rest_until(Nanoseconds time, const std::stop_token&) override {
        const std::lock_guard lock(guard_);
        if (time <= now_) return;
        slept_.push_back(time - now_);
        now_ = time;
    }
    void advance(Nanoseconds by) {
        const std::lock_guard lock(guard_);
        now_ += by;
    }
    [[nodiscard]] std::vector<Nanoseconds> slept() const {
        const std::lock_guard lock(guard_);
        return slept_;
    }

private:
    mutable std::mutex guard_;
    Nanoseconds now_ = 1000 * second;
    std::vector<Nanoseconds> slept_;
};

} // namespace blockloom::test
