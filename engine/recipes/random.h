// Random numbers that are the same everywhere: the distributions of the C++ standard differ between
// libraries, and a seed must always give the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockloom::recipes {

/// xoshiro256** (Blackman and Vigna, prng.di.unimi.it), seeded by splitmix64.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept;

    [[nodiscard]] std::uint64_t next() noexcept;

    /// A number below `end` (> 0); its bias is below 2^-32 for ends below 2^32.
    [[nodiscard]] std::uint64_t below(std::uint64_t end) noexcept;

    /// A number from `least` to `most`, both included.
    [[nodiscard]] std::uint64_t between(std::uint64_t least, std::uint64_t most) noexcept {
        return least + below(most - least + 1);
    }

    /// True with this probability.
    [[nodiscard]] bool chance(double probability) noexcept;

private:
    std::array<std::uint64_t, 4> state_{};
};

/// Draws ranks 0 … count - 1 with probability proportional to 1 / (rank + 1)^exponent. Weights are
/// integers, so that the last bit of a library's `pow` does not matter.
class Zipf {
public:
    Zipf(std::size_t count, double exponent);

    [[nodiscard]] std::size_t draw(Random& random) const noexcept;

private:
    std::vector<std::uint64_t> cumulative_;
};

} // namespace blockloom::recipes
