// How busy something is over the course of a run: a bounded number of equal parts of time, however
// long the run gets.
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
    /// Busy shares of `lanes` lanes, 0 … 1, in equal parts of a run that has lasted `duration`. The
    /// last part may be shorter. Empty: nothing was added.
    [[nodiscard]] std::vector<float> shares(Nanoseconds duration, unsigned lanes) const;

private:
    Nanoseconds part_ = 1'000'000; ///< length of each; doubled when all are in use
    std::vector<Nanoseconds> busy_;
};

} // namespace blockloom::profile
