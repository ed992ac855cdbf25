// Processor time for benchmarks that share their machine.
#pragma once

#include <cstdint>
#include <ctime>
#include <utility>

namespace blockloom::bench {

/// Time of this thread on a processor: what others run on the machine does not count.
class CpuWatch {
public:
    /// Seconds since it was made or last asked.
    double lap() noexcept {
        const std::int64_t now = nanoseconds();
        return static_cast<double>(now - std::exchange(start_, now)) * 1e-9;
    }

private:
    static std::int64_t nanoseconds() noexcept {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }
    std::int64_t start_ = nanoseconds();
};

} // namespace blockloom::bench
