// Reads probes many times a second, in its own thread, during a run.
#pragma once

#include "profile/usage_probe.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace blockloom::profile {

/// Thread-safe. Runs from construction until `stop` or destruction.
class UsageSampler {
public:
    static constexpr Nanoseconds every = 25'000'000;
    /// The most samples kept. Beyond that, every second one is dropped and the interval is doubled.
    static constexpr std::size_t most = 512;

    /// `begin`: time 0, on the steady clock. `interval` and `moments`: as above (for tests).
    UsageSampler(std::vector<std::unique_ptr<UsageProbe>> probes, Nanoseconds begin,
                 Nanoseconds interval = every, std::size_t moments = most);
    ~UsageSampler();

    /// Takes a last sample and ends; nothing is read afterwards.
    void stop();
    /// What was sampled so far.
    [[nodiscard]] std::shared_ptr<const UsageSeries> series() const;

private:
    void work(const std::stop_token& stop);
    void take_sample();

    struct Source {
        std::unique_ptr<UsageProbe> probe;
        std::vector<std::int64_t> values; ///< the last ones
        Nanoseconds asked = 0;            ///< time of the last read; 0: none yet
    };

    std::vector<Source> sources_; ///< used by the thread
    const Nanoseconds begin_;
    Nanoseconds interval_;
    const std::size_t moments_;
    mutable std::mutex guard_;
    std::condition_variable_any woken_;
    UsageSeries series_;
    mutable std::shared_ptr<const UsageSeries> shared_; ///< a copy of `series_`; null: not made yet
    std::jthread thread_;
};

} // namespace blockloom::profile
