// The unspent outputs that a generator knows; its transactions spend them next.
#pragma once

#include "recipes/block_writer.h"
#include "recipes/random.h"

#include <optional>
#include <vector>

namespace blockloom::recipes {

/// What the tasks of a lane left unspent in this block, oldest first from `spent` on.
struct Lane {
    std::vector<Coin> open;
    std::size_t spent = 0;
    [[nodiscard]] bool empty() const noexcept { return spent == open.size(); }
    /// Takes the oldest or the newest. There must be one.
    Coin take(bool oldest);
};

/// Outputs of this block by lane, and those of the blocks before it.
class Coins {
public:
    Coins(std::uint64_t seed, Random& random, Sha256& hasher)
        : seed_(seed), random_(random), hasher_(hasher) {}

    void begin_block(std::uint32_t lanes) { lanes_.assign(lanes, {}); }
    /// Makes what is left unspent available to the next blocks.
    void end_block();

    [[nodiscard]] Lane& lane(std::size_t place) { return lanes_[place]; }
    /// Keeps a coin for the next blocks only.
    void keep(const Coin& coin) { fresh_.push_back(coin); }

    /// An unspent output of an earlier block of the range without a token, or of a block before it.
    [[nodiscard]] Coin older();
    /// One of an earlier block that carries this token.
    [[nodiscard]] std::optional<Coin> with_token(std::uint32_t token);
    /// An output of a block before the range.
    [[nodiscard]] Coin made_up();
    [[nodiscard]] Lock some_lock();

private:
    [[nodiscard]] Coin draw(std::vector<Coin>& from);

    std::uint64_t seed_;
    Random& random_;
    Sha256& hasher_;
    std::uint64_t made_up_ = 0;
    std::vector<Coin> older_, fresh_;
    std::vector<std::vector<Coin>> purses_; ///< older ones with tokens, by number
    std::vector<Lane> lanes_;
};

} // namespace blockloom::recipes
