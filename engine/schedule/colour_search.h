// Shared by the searches for a colouring with k colours: colours, a time limit, random numbers.
#pragma once

#include "base/clock.h"
#include "conflict/conflict_index.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace blockloom::schedule {

using conflict::ConflictGraph;
using Colours = std::vector<std::uint32_t>; ///< 0-based, one per vertex

/// When a search has to give up. Checked every few thousand moves.
struct Limit {
    Nanoseconds deadline = 0;
    std::stop_token stop;
    [[nodiscard]] bool reached() const { return stop.stop_requested() || now_ns() >= deadline; }
};

/// xorshift64*: small, fast, the same everywhere.
class Chance {
public:
    explicit Chance(std::uint64_t seed)
        : state_(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}
    /// A number below n > 0.
    std::uint32_t below(std::uint32_t n) noexcept {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        const std::uint64_t high = (state_ * 0x2545f4914f6cdd1du) >> 32;
        return static_cast<std::uint32_t>((high * n) >> 32);
    }

private:
    std::uint64_t state_;
};

} // namespace blockloom::schedule
