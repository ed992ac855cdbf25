#include "recipes/coins.h"

#include <utility>

namespace blockloom::recipes {

namespace {
constexpr std::uint64_t bitcoin = 100'000'000; // satoshi
constexpr std::size_t most_older = 50'000;     // coins that are remembered for later blocks

void forget_oldest(std::vector<Coin>& coins) {
    if (coins.size() > most_older)
        coins.erase(coins.begin(), coins.end() - static_cast<std::ptrdiff_t>(most_older));
}
} // namespace

Coin Lane::take(bool oldest) {
    if (oldest) return open[spent++];
    const Coin coin = open.back();
    open.pop_back();
    return coin;
}

void Coins::end_block() {
    for (const Lane& lane : lanes_)
        fresh_.insert(fresh_.end(), lane.open.begin() + static_cast<std::ptrdiff_t>(lane.spent),
                      lane.open.end());
    for (const Coin& coin : fresh_) {
        if (coin.token >= purses_.size()) purses_.resize(coin.token + 1);
        (coin.token == 0 ? older_ : purses_[coin.token]).push_back(coin);
    }
    fresh_.clear();
    forget_oldest(older_);
    for (std::vector<Coin>& purse : purses_) forget_oldest(purse);
}

Coin Coins::draw(std::vector<Coin>& from) {
    std::swap(from[random_.below(from.size())], from.back());
    const Coin coin = from.back();
    from.pop_back();
    return coin;
}

Coin Coins::older() {
    if (!older_.empty() && random_.chance(0.75)) return draw(older_);
    return made_up();
}

std::optional<Coin> Coins::with_token(std::uint32_t token) {
    if (token >= purses_.size() || purses_[token].empty()) return std::nullopt;
    return draw(purses_[token]);
}

Coin Coins::made_up() {
    Bytes name;
    append_le(name, seed_);
    append_le(name, made_up_++);
    const Hash256 txid = hasher_.twice({name});
    return {txid, static_cast<std::uint32_t>(random_.below(4)),
            random_.between(bitcoin / 10, 100 * bitcoin), some_lock()};
}

Lock Coins::some_lock() {
    const std::uint64_t draw = random_.below(10);
    return draw < 7 ? Lock::witness_script : draw < 9 ? Lock::script_hash : Lock::bare;
}

} // namespace blockloom::recipes
