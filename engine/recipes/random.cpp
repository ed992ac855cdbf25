#include "recipes/random.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace blockloom::recipes {

Random::Random(std::uint64_t seed) noexcept {
    for (std::uint64_t& word : state_) { // splitmix64
        seed += 0x9e3779b97f4a7c15;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        word = z ^ (z >> 31);
    }
}

std::uint64_t Random::next() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t end) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * end) >> 64);
}

bool Random::chance(double probability) noexcept {
    return static_cast<double>(next() >> 11) < probability * 0x1p53;
}

Zipf::Zipf(std::size_t count, double exponent) {
    cumulative_.reserve(count);
    std::uint64_t sum = 0;
    for (std::size_t rank = 0; rank < count; ++rank) {
        const double weight = 0x1p32 / std::pow(static_cast<double>(rank + 1), exponent);
        sum += std::max<std::uint64_t>(1, static_cast<std::uint64_t>(weight));
        cumulative_.push_back(sum);
    }
}

std::size_t Zipf::draw(Random& random) const noexcept {
    const std::uint64_t at = random.below(cumulative_.back());
    return static_cast<std::size_t>(std::upper_bound(cumulative_.begin(), cumulative_.end(), at) -
                                    cumulative_.begin());
}

} // namespace blockloom::recipes
