// Whether a round goes to a device or to the workers: by what both have taken so far.
#pragma once

#include "base/clock.h"

#include <cstddef>

namespace blockloom::execute {

/// A device takes a time of its own for each round, however small, and little for each attempt of
/// it; the workers take time for each. So the workers run what they finish within the shortest time
/// of any round on the device.
class RoundPlacement {
public:
    [[nodiscard]] bool is_for_host(std::size_t attempts) const noexcept;

    /// Wall times of a round.
    void note_host(std::size_t attempts, Nanoseconds wall) noexcept;
    void note_device(std::size_t attempts, Nanoseconds wall) noexcept;

private:
    /// Until both sides were measured, rounds with fewer attempts are the workers'.
    static constexpr std::size_t first_guess = 32;
    /// On the host, smaller rounds say nothing: most workers have nothing to do.
    static constexpr std::size_t fewest_measured = 16;
    /// A shortest time is forgotten by so much with each longer one: conditions change.
    static constexpr double forgotten = 0.01;

    double host_each_ = 0;    ///< nanoseconds of wall time an attempt, smoothed; 0: not measured
    double device_least_ = 0; ///< nanoseconds of a round; 0: not measured
};

} // namespace blockloom::execute
