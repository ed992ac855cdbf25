// How busy something is over all of a run that goes on: time in equal parts, as many however long
// it gets.
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <vector>

namespace blockloom::profile {

class BusyStrip {
public:
    static constexpr std::size_t most_parts = 512;

    /// Busy from `begin` to `end`, nanoseconds since the run's beginning, 0 <= begin <= end.
    void add(Nanoseconds begin, Nanoseconds end);
    /// Shares of `lanes` lanes' time in equal parts of a run that has come to `duration`, 0 … 1.
    /// The last part may be of less time. Empty: nothing was added.
    [[nodiscard]] std::vector<float> shares(Nanoseconds duration, unsigned lanes) const;

private:
    Nanoseconds part_ = 1'000'000; ///< length of each; doubled when all are in use
    std::vector<Nanoseconds> busy_;
};

} // namespace blockloom::profile
