// Integer nanoseconds of a steady clock: times are never floating point.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

namespace blockloom {

/// Nanoseconds since an arbitrary fixed point.
using Nanoseconds = std::int64_t;

[[nodiscard]] inline Nanoseconds now_ns() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Time since construction or since the last lap.
class Stopwatch {
public:
    /// Returns the nanoseconds since the last lap and starts the next one.
    Nanoseconds lap() noexcept {
        const Nanoseconds now = now_ns();
        return now - std::exchange(start_, now);
    }

private:
    Nanoseconds start_ = now_ns();
};

} // namespace blockloom
