// Time as requests to a node see it, so that tests need not wait.
#pragma once

#include "base/clock.h"

#include <stop_token>

namespace blockloom::node {

/// May be used by several threads.
class WaitClock {
public:
    virtual ~WaitClock() = default;

    [[nodiscard]] virtual Nanoseconds now() const noexcept = 0;
    /// Returns at `time`, or earlier if a stop is requested.
    virtual void rest_until(Nanoseconds time, const std::stop_token& stop) = 0;
};

/// The steady clock of the machine.
[[nodiscard]] WaitClock& steady_wait_clock() noexcept;

} // namespace blockloom::node
