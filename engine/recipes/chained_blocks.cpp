#include "recipes/chained_blocks.h"

#include <algorithm>
#include <iterator>

namespace blockloom::recipes {

namespace {

constexpr std::uint64_t satoshi = 100'000'000; // of a bitcoin
constexpr std::uint64_t dust = 1'000;
constexpr std::size_t most_older = 50'000; // coins that are remembered for later blocks

std::uint64_t subsidy(std::uint64_t height) {
    const std::uint64_t halvings = height / 210'000;
    return halvings >= 64 ? 0 : (50 * satoshi) >> halvings;
}

} // namespace

ChainedBlocks::ChainedBlocks(const Recipe& recipe) : recipe_(recipe), random_(recipe.seed) {
    frame_.height = recipe.first_height;
    frame_.time = 1'700'000'000;
    for (std::size_t i = 0; i < frame_.previous.size() - 4; ++i) // a block nobody has
        frame_.previous[i] = static_cast<Byte>(random_.next());
}

WrittenBlock ChainedBlocks::next() {
    const BlockShape& block_shape = shape();
    const Zipf lanes(block_shape.lanes, block_shape.skew);
    fees_ = 0;
    transactions_.clear();
    lanes_.assign(block_shape.lanes, {});
    for (std::uint32_t task = 1; task < block_shape.tasks; ++task) add_task(block_shape, lanes);

    for (const Lane& lane : lanes_)
        fresh_.insert(fresh_.end(), lane.open.begin() + static_cast<std::ptrdiff_t>(lane.spent),
                      lane.open.end());
    older_.insert(older_.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
    if (older_.size() > most_older)
        older_.erase(older_.begin(), older_.end() - static_cast<std::ptrdiff_t>(most_older));

    frame_.reward = subsidy(frame_.height) + fees_;
    WrittenBlock block = write_block(frame_, transactions_, hasher_);
    frame_.previous = block.hash;
    frame_.time += static_cast<std::uint32_t>(random_.between(60, 1200));
    ++frame_.height;
    ++made_;
    return block;
}

/// One transaction: spends from a lane, starts one, or has nothing to do with the others.
void ChainedBlocks::add_task(const BlockShape& block_shape, const Zipf& lanes) {
    std::vector<Coin> inputs;
    Lane* lane = nullptr;
    bool widen = false;
    if (random_.chance(block_shape.chained)) {
        lane = &lanes_[lanes.draw(random_)];
        widen = random_.chance(block_shape.fan_out);
        if (lane->empty()) {
            inputs.push_back(older_coin());
        } else {
            inputs.push_back(take(*lane, widen));
            Lane& other = lanes_[lanes.draw(random_)];
            if (random_.chance(block_shape.joins) && !other.empty())
                inputs.push_back(take(other, false));
        }
    } else {
        for (std::uint64_t count = random_.between(1, 3); count > 0; --count)
            inputs.push_back(older_coin());
    }
    std::uint64_t value = 0;
    for (const Coin& coin : inputs) value += coin.value;
    const std::uint64_t fee = value > 2 * dust ? random_.between(100, dust) : 0;
    fees_ += fee;
    const std::vector<Payment> outputs = split(value - fee, widen);
    WrittenTransaction tx = write_transaction(inputs, outputs, hasher_);
    std::vector<Coin>& left = lane != nullptr ? lane->open : fresh_;
    for (std::uint32_t place = 0; place < outputs.size(); ++place)
        left.push_back({tx.txid, place, outputs[place].value, outputs[place].lock});
    transactions_.push_back(std::move(tx));
}

Coin ChainedBlocks::take(Lane& lane, bool oldest) {
    if (oldest) return lane.open[lane.spent++];
    const Coin coin = lane.open.back();
    lane.open.pop_back();
    return coin;
}

/// An unspent output of an earlier block of the range, or of a block before it.
Coin ChainedBlocks::older_coin() {
    if (!older_.empty() && random_.chance(0.75)) {
        std::swap(older_[random_.below(older_.size())], older_.back());
        const Coin coin = older_.back();
        older_.pop_back();
        return coin;
    }
    Bytes name;
    append_le(name, recipe_.seed);
    append_le(name, made_up_++);
    const Hash256 txid = hasher_.twice({name});
    return {txid, static_cast<std::uint32_t>(random_.below(4)),
            random_.between(satoshi / 10, 100 * satoshi), some_lock()};
}

/// Payments, and last the change, which has most of the value: a chain never runs dry.
std::vector<Payment> ChainedBlocks::split(std::uint64_t value, bool widen) {
    std::vector<Payment> outputs;
    for (std::uint64_t count = widen ? random_.between(2, 7) : random_.between(0, 2);
         count > 0 && value > 20 * dust; --count) {
        const std::uint64_t paid = random_.between(dust, std::min(value / 8, satoshi / 100));
        outputs.push_back({paid, some_lock()});
        value -= paid;
    }
    outputs.push_back({value, some_lock()});
    return outputs;
}

Lock ChainedBlocks::some_lock() {
    const std::uint64_t draw = random_.below(10);
    return draw < 7 ? Lock::witness_script : draw < 9 ? Lock::script_hash : Lock::bare;
}

} // namespace blockloom::recipes
