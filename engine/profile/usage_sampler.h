// Asks probes many times a second, in a thread of its own, while a run goes on.
#pragma once

#include "profile/usage_probe.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace blockloom::profile {

/// Thread-safe. Runs from when it is made until `stop`, or its end.
class UsageSampler {
public:
    static constexpr Nanoseconds every = 25'000'000;
    /// Moments that are kept. Beyond, every second one is dropped and twice as long is waited.
    static constexpr std::size_t most = 512;

    /// `begin`: the moment 0, of the steady clock. `interval` and `moments`: as above (tests).
    UsageSampler(std::vector<std::unique_ptr<UsageProbe>> probes, Nanoseconds begin,
                 Nanoseconds interval = every, std::size_t moments = most);
    ~UsageSampler();

    /// Takes the last sample and ends; nothing is read afterwards.
    void stop();
    /// What was sampled so far.
    [[nodiscard]] std::shared_ptr<const UsageSeries> series() const;

private:
    void work(const std::stop_token& stop);
    void take_sample();

    struct Source {
        std::unique_ptr<UsageProbe> probe;
        std::vector<std::int64_t> values; ///< the last ones
        Nanoseconds asked = 0;            ///< 0: not yet
    };

    std::vector<Source> sources_; ///< of the thread
    const Nanoseconds begin_;
    Nanoseconds interval_;
    const std::size_t moments_;
    mutable std::mutex guard_;
    std::condition_variable_any woken_;
    UsageSeries series_;
    mutable std::shared_ptr<const UsageSeries> shared_; ///< of `series_`; null: not made yet
    std::jthread thread_;
};

} // namespace blockloom::profile
