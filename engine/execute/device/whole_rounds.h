// Whether a round runs on a device or on the workers, as a whole: by what both have taken so far.
#pragma once

#include "base/clock.h"

#include <array>
#include <cstddef>

namespace blockloom::execute {

/// For a device that workers keep busy with flights of their own (worker_flights.h): they have as
/// much to do with either, so nothing is gained by dividing a round. Rounds of about the same size
/// are compared with each other; of each size both sides are tried, the workers first, and the
/// slower one again from time to time, since conditions change.
class WholeRounds {
public:
    /// Where the next round of so many attempts goes. `shortest_flight`: no round on the device
    /// takes less; 0: not known.
    [[nodiscard]] bool to_device(std::size_t attempts, Nanoseconds shortest_flight) noexcept;
    /// How long a round has taken there. Not called for a round without a flight.
    void note(bool on_device, std::size_t attempts, Nanoseconds wall) noexcept;

private:
    /// The first rounds on a device pay for what later ones have, such as larger buffers.
    static constexpr unsigned trials = 3;
    /// Rounds until the slower side is tried again: twice as many each time that it stays slower.
    static constexpr unsigned first_patience = 8, most_patience = 128;

    struct Side {
        double each = 0;     ///< nanoseconds an attempt: follows shorter ones at once
        unsigned rounds = 0; ///< measured
        void note(double now) noexcept;
    };
    struct Size {
        Side host, device;
        unsigned patience = first_patience, since = 0; ///< rounds since the slower one was tried
    };
    [[nodiscard]] Size& of(std::size_t attempts) noexcept;
    /// Whether it had its trials: a single one, where larger rounds had theirs.
    [[nodiscard]] bool is_measured_there(const Size& size) const noexcept;

    std::array<Size, 24> sizes_; ///< by the number of bits of the attempts
};

} // namespace blockloom::execute
