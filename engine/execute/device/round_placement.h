// How a round is divided between a device and the workers: by what both have taken so far.
#pragma once

#include "base/clock.h"

#include <cstddef>

namespace blockloom::execute {

/// The device's share of a round costs the workers time before and after its wave, and the wave
/// takes a time of its own, in which the workers run the rest. So the rest is what they finish
/// while the wave runs; a round is theirs as a whole if they finish it sooner alone, or within the
/// shortest time of any round with the device.
class RoundPlacement {
public:
    /// How many of these attempts go to the device; 0: all are the workers'.
    [[nodiscard]] std::size_t device_share(std::size_t attempts) const noexcept;

    /// Wall time in which the workers ran attempts.
    void note_host(std::size_t attempts, Nanoseconds wall) noexcept;
    /// A round of which the device had `share`: the wall time without that in which the workers ran
    /// the rest or waited, and how long the device was busy, by its own clock.
    void note_device(std::size_t share, Nanoseconds own, Nanoseconds wave) noexcept;
    /// A round was the workers' as a whole.
    void note_declined() noexcept;

private:
    /// Until both sides were measured, rounds with fewer attempts are the workers'.
    static constexpr std::size_t first_guess = 32;
    /// On the host, smaller rounds say nothing: most workers have nothing to do.
    static constexpr std::size_t fewest_measured = 16;
    /// The first rounds on a device pay for what later ones have: they say little.
    static constexpr unsigned trials = 3;
    /// What a device takes is forgotten by so much with each longer round, and with each round that
    /// it does not get: conditions change.
    static constexpr double forgotten = 0.01, forgotten_declined = 0.03;

    double host_each_ = 0;    ///< nanoseconds of wall time an attempt, smoothed; 0: not measured
    double device_least_ = 0; ///< nanoseconds of a round, wave included; 0: not measured
    double device_each_ = 0;  ///< nanoseconds before and after the wave, an attempt
    double wave_ = 0;         ///< nanoseconds
    unsigned tried_ = 0;      ///< rounds of the device
};

} // namespace blockloom::execute
