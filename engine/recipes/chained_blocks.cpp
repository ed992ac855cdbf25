#include "recipes/chained_blocks.h"

#include "recipes/deployment.h"
#include "recipes/misbehaviour.h"

#include <algorithm>

namespace blockloom::recipes {

namespace {

constexpr std::uint64_t satoshi = 100'000'000; // of a bitcoin
constexpr std::uint64_t dust = 1'000;

std::uint64_t subsidy(std::uint64_t height) {
    const std::uint64_t halvings = height / 210'000;
    return halvings >= 64 ? 0 : (50 * satoshi) >> halvings;
}

} // namespace

ChainedBlocks::ChainedBlocks(const Recipe& recipe)
    : recipe_(recipe), random_(recipe.seed), coins_(recipe.seed, random_, hasher_),
      builder_(hasher_) {
    if (recipe_.has_messages()) {
        counts_ = contract_counts(recipe_);
        messages_.emplace(counts_, random_);
    }
    frame_.height = recipe.first_height;
    frame_.time = 1'700'000'000;
    for (std::size_t i = 0; i < frame_.previous.size() - 4; ++i) // a block nobody has
        frame_.previous[i] = static_cast<Byte>(random_.next());
}

std::uint32_t ChainedBlocks::tasks() const noexcept {
    return messages_ ? builder_.tasks() : transactions();
}

std::uint32_t ChainedBlocks::transactions() const noexcept {
    return static_cast<std::uint32_t>(builder_.transactions().size() + 1);
}

WrittenBlock ChainedBlocks::next() {
    builder_.begin();
    const bool deploys_first = messages_ && recipe_.blocks > 1;
    coins_.begin_block(0);
    if (messages_ && made_ == 0)
        deploy(counts_, recipe_.shapes.front().messages->cap, *messages_, coins_, builder_);
    if (!deploys_first || made_ > 0)
        add_tasks(recipe_.shapes[(made_ - (deploys_first ? 1 : 0)) % recipe_.shapes.size()]);
    coins_.end_block();

    frame_.reward = subsidy(frame_.height) + builder_.fees();
    WrittenBlock block = write_block(frame_, builder_.transactions(), hasher_);
    frame_.previous = block.hash;
    frame_.time += static_cast<std::uint32_t>(random_.between(60, 1200));
    ++frame_.height;
    ++made_;
    return block;
}

void ChainedBlocks::add_tasks(const BlockShape& shape) {
    const Zipf lanes(shape.lanes, shape.skew);
    coins_.begin_block(shape.lanes);
    if (!messages_) {
        for (std::uint32_t task = 1; task < shape.tasks; ++task) add_spend(shape, lanes);
        return;
    }
    messages_->begin_block(shape);
    const std::uint32_t end = builder_.tasks() + shape.tasks;
    double plain = 0;
    while (builder_.tasks() < end) {
        for (plain += shape.messages->plain; plain >= 1; --plain) add_plain(shape, lanes);
        add_message(shape, lanes, end - builder_.tasks());
    }
}

/// Inputs of a task that spends from a lane, or starts one.
ChainedBlocks::Draft ChainedBlocks::chained_draft(const BlockShape& shape, const Zipf& lanes) {
    Draft draft;
    draft.lane = &coins_.lane(lanes.draw(random_));
    draft.widen = random_.chance(shape.fan_out);
    if (draft.lane->empty()) {
        draft.inputs.push_back(coins_.older());
    } else {
        draft.inputs.push_back(draft.lane->take(draft.widen));
        Lane& other = coins_.lane(lanes.draw(random_));
        if (random_.chance(shape.joins) && !other.empty())
            draft.inputs.push_back(other.take(false));
    }
    return draft;
}

/// One transaction without a message: spends from a lane, starts one, or is independent of the
/// others.
void ChainedBlocks::add_spend(const BlockShape& shape, const Zipf& lanes) {
    Draft draft;
    if (random_.chance(shape.chained)) {
        draft = chained_draft(shape, lanes);
    } else {
        for (std::uint64_t count = random_.between(1, 3); count > 0; --count)
            draft.inputs.push_back(coins_.older());
    }
    std::vector<Payment> payments = pay(draft);
    put(draft, std::move(payments), {});
}

/// The newest of a lane's last outputs that carries no token; with `any` the newest.
Coin ChainedBlocks::plain_coin(Lane& lane, bool any) {
    constexpr std::size_t most_looked_at = 16;
    const std::size_t open = lane.open.size() - lane.spent;
    for (std::size_t back = 1; back <= std::min(open, most_looked_at); ++back) {
        const auto at = lane.open.end() - static_cast<std::ptrdiff_t>(back);
        if (at->token != 0 && !any) continue;
        const Coin coin = *at;
        lane.open.erase(at);
        return coin;
    }
    return coins_.older();
}

/// Like `add_spend`, but next to messages: it spends no tokens, except for a few that get lost.
void ChainedBlocks::add_plain(const BlockShape& shape, const Zipf& lanes) {
    const bool hostile = shape.messages->mix.misbehave > 0;
    Draft draft;
    if (random_.chance(shape.chained)) {
        draft.lane = &coins_.lane(lanes.draw(random_));
        draft.widen = random_.chance(shape.fan_out);
        draft.inputs.push_back(plain_coin(*draft.lane, hostile));
        Lane& other = coins_.lane(lanes.draw(random_));
        if (random_.chance(shape.joins) && !other.empty())
            draft.inputs.push_back(plain_coin(other, hostile));
    } else {
        draft.inputs.push_back(coins_.older());
    }
    Stones stones;
    if (hostile && random_.chance(0.5)) stones.script = broken_runestone(random_);
    std::vector<Payment> payments = pay(draft);
    put(draft, std::move(payments), stones);
}

void ChainedBlocks::add_message(const BlockShape& shape, const Zipf& lanes,
                                std::uint32_t most_stones) {
    Action action = messages_->draw_action();
    Draft draft;
    std::uint32_t wanted = 0, carried = 0, pool = 0;
    bool fills = false;
    if (random_.chance(shape.chained)) {
        draft = chained_draft(shape, lanes);
        bool several = false;
        for (const Coin& coin : draft.inputs) {
            several = several || (carried != 0 && coin.token != 0 && coin.token != carried);
            if (carried == 0) carried = coin.token;
        }
        if (carried == 0)
            wanted = messages_->wanted_token(action); // minted here, traded by the next
        action = several ? Action::transfer : messages_->fitting(action, carried);
    } else {
        wanted = messages_->wanted_token(action);
        if (const auto coin = wanted == 0 ? std::nullopt : coins_.with_token(wanted)) {
            draft.inputs.push_back(*coin);
            carried = wanted;
        } else {
            draft.inputs.push_back(coins_.older());
        }
        fills =
            action == Action::liquidity && carried > 1 && messages_->ids().is_pool_token(carried);
        if (const auto base = fills ? coins_.with_token(1) : std::nullopt) {
            draft.inputs.push_back(*base);
            pool = messages_->pool_of(carried);
        } else {
            fills = false;
            action = messages_->fitting(action, carried);
        }
    }
    std::vector<Payment> payments = pay(draft);
    const Outputs outputs{.carrier = static_cast<std::uint32_t>(payments.size() - 1),
                          .count = static_cast<std::uint32_t>(payments.size() + 1),
                          .most_stones = most_stones};
    const Stones stones = fills ? messages_->fill_pool(pool, outputs)
                                : messages_->speak(action, carried, wanted, outputs);
    put(draft, std::move(payments), stones);
}

/// What the inputs are worth, less a fee, in payments.
std::vector<Payment> ChainedBlocks::pay(const Draft& draft) {
    std::uint64_t value = 0;
    for (const Coin& coin : draft.inputs) value += coin.value;
    const std::uint64_t fee = value > 2 * dust ? random_.between(100, dust) : 0;
    return split(value - fee, draft.widen);
}

/// Payments, and last the change, which has most of the value: a chain never runs out of value.
std::vector<Payment> ChainedBlocks::split(std::uint64_t value, bool widen) {
    std::vector<Payment> outputs;
    for (std::uint64_t count = widen ? random_.between(2, 7) : random_.between(0, 2);
         count > 0 && value > 20 * dust; --count) {
        const std::uint64_t paid = random_.between(dust, std::min(value / 8, satoshi / 100));
        outputs.push_back({paid, coins_.some_lock()});
        value -= paid;
    }
    outputs.push_back({value, coins_.some_lock()});
    return outputs;
}

void ChainedBlocks::put(const Draft& draft, std::vector<Payment> payments, const Stones& stones) {
    const std::vector<Coin> left = builder_.add(draft.inputs, std::move(payments), stones);
    for (const Coin& coin : left) {
        if (draft.lane != nullptr)
            draft.lane->open.push_back(coin);
        else
            coins_.keep(coin);
    }
}

} // namespace blockloom::recipes
