#include "node/wait_clock.h"

#include <condition_variable>
#include <mutex>

namespace blockloom::node {
namespace {

class SteadyWaitClock final : public WaitClock {
public:
    [[nodiscard]] Nanoseconds now() const noexcept override { return now_ns(); }
    void rest_until(Nanoseconds time, const std::stop_token& stop) override {
        std::mutex guard;
        std::condition_variable_any woken;
        std::unique_lock lock(guard);
        woken.wait_until(lock, stop,
                         std::chrono::steady_clock::time_point(std::chrono::nanoseconds(time)),
                         [] { return false; });
    }
};

} // namespace

WaitClock& steady_wait_clock() noexcept {
    static SteadyWaitClock clock;
    return clock;
}

} // namespace blockloom::node
