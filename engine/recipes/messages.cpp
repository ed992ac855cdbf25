#include "recipes/messages.h"

#include "recipes/misbehaviour.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::recipes {

namespace {

using alkanes::AlkaneId;
using alkanes::Protostone;

constexpr AlkaneId prefix{8, 8};
constexpr u128 opcode_initialize = 0, opcode_fill = 1, opcode_empty = 2, opcode_swap = 3,
               opcode_move = 11, opcode_mint = 77;

/// A tag-1 protostone without a message: what lies at its shadow vout goes by edicts.
Protostone edicts_only(FlatList<alkanes::Edict> edicts, const Outputs& outputs) {
    Protostone stone;
    stone.protocol = alkanes::alkanes_protocol;
    stone.pointer = stone.refund = outputs.carrier;
    stone.edicts = std::move(edicts);
    return stone;
}

Stones one(Protostone stone, std::uint32_t token, const Outputs& outputs) {
    Stones stones;
    stones.protostones.push_back(std::move(stone));
    if (token != 0) stones.left = {{outputs.carrier, token}};
    return stones;
}

std::array<double, action_count> weights_of(const MessageMix& mix) {
    return {mix.free_mint, mix.reward_mint, mix.swap,   mix.liquidity,
            mix.transfer,  mix.move,        mix.create, mix.misbehave};
}

} // namespace

Bytes padded_message(const alkanes::Cellpack& cellpack) {
    constexpr std::size_t chunk = 15;
    Bytes message = alkanes::encode_cellpack(cellpack);
    message.resize((message.size() + chunk - 1) / chunk * chunk, 0);
    return message;
}

u128 text_word(std::string_view text) {
    u128 word = 0;
    for (std::size_t i = std::min<std::size_t>(text.size(), u128_size); i > 0; --i)
        word = word << 8U | static_cast<Byte>(text[i - 1]);
    return word;
}

ContractCounts contract_counts(const Recipe& recipe) {
    constexpr std::uint32_t most_pools = 1024, most_misbehaving = 8, most_coins = 2000;
    ContractCounts counts;
    const bool mints =
        std::any_of(recipe.shapes.begin(), recipe.shapes.end(), [](const BlockShape& shape) {
            return shape.messages && shape.messages->mix.free_mint > 0;
        });
    for (const BlockShape& shape : recipe.shapes) {
        if (!shape.messages) continue;
        const MessageMix& mix = shape.messages->mix;
        const auto weights = weights_of(mix);
        double sum = 0;
        for (const double weight : weights) sum += weight;
        const std::uint32_t each =
            shape.messages->contracts != 0 ? shape.messages->contracts : shape.tasks;
        const std::uint32_t few = std::min(each, most_pools);
        const bool pooled = mix.swap + mix.liquidity > 0;
        if (mix.free_mint + mix.transfer + mix.misbehave > 0)
            counts.free_mints = std::max(counts.free_mints, each);
        if (pooled) counts.pools = std::max(counts.pools, mints ? std::max(few / 2, 1U) : few);
        if (mix.move > 0) counts.tokens = std::max(counts.tokens, few);
        if (mix.misbehave > 0)
            counts.misbehaving = std::max(counts.misbehaving, std::min(each, most_misbehaving));
        const double traded =
            (mix.swap + mix.liquidity + mix.transfer) / sum * static_cast<double>(shape.tasks);
        if (pooled)
            counts.coins =
                std::max(counts.coins,
                         static_cast<std::uint32_t>(std::clamp(traded, 8.0, double{most_coins})));
    }
    if (counts.pools != 0) counts.free_mints = std::max(counts.free_mints, counts.pools + 1);
    return counts;
}

Messages::Messages(const ContractCounts& counts, Random& random)
    : counts_(counts), ids_(counts), random_(random) {}

void Messages::begin_block(const BlockShape& shape) {
    const MessageShape& messages = *shape.messages;
    if (skew_ != shape.skew) zipfs_.clear();
    skew_ = shape.skew;
    prefixed_ = messages.prefixed;
    cap_ = messages.cap;
    until_ = weights_of(messages.mix);
    for (std::size_t i = 1; i < action_count; ++i) until_[i] += until_[i - 1];
}

Action Messages::draw_action() {
    // 2^-24: a double holds the products exactly enough to be the same on every machine.
    const double drawn =
        static_cast<double>(random_.below(1U << 24U)) / (1U << 24U) * until_.back();
    const auto at = std::upper_bound(until_.begin(), until_.end(), drawn);
    return static_cast<Action>(std::min<std::ptrdiff_t>(at - until_.begin(), action_count - 1));
}

std::uint32_t Messages::pick(std::uint32_t count) {
    if (count < 2) return 0;
    if (skew_ == 0) return turn_++ % count;
    return static_cast<std::uint32_t>(
        zipfs_.try_emplace(count, count, skew_).first->second.draw(random_));
}

std::uint32_t Messages::wanted_token(Action action) {
    switch (action) {
    case Action::swap: {
        const std::uint32_t pool = pick(counts_.pools);
        return random_.chance(0.5) ? 1 : pool + 2;
    }
    case Action::liquidity: {
        const std::uint32_t pool = pick(counts_.pools);
        return random_.chance(0.4) ? ids_.shares_number(pool) : pool + 2;
    }
    case Action::transfer:
        return counts_.free_mints == 0 ? ids_.reward_number() : 1 + pick(counts_.free_mints);
    default:
        return 0;
    }
}

Action Messages::fitting(Action action, std::uint32_t carried) const {
    const bool trades = action == Action::swap || action == Action::liquidity;
    if (carried == 0) {
        if (!trades && action != Action::transfer) return action;
        return counts_.free_mints != 0 ? Action::free_mint : Action::reward_mint;
    }
    if (action == Action::move || action == Action::misbehave) return action;
    if (trades && ids_.is_share(carried)) return Action::liquidity;
    if (trades && ids_.is_pool_token(carried)) return Action::swap;
    return Action::transfer;
}

Stones Messages::speak(Action action, std::uint32_t carried, std::uint32_t wanted,
                       const Outputs& outputs) {
    switch (action) {
    case Action::free_mint: {
        const bool mintable = wanted != 0 && wanted <= counts_.free_mints;
        // The busiest are the last ones, which no pool trades and which have a cap.
        const std::uint32_t last = counts_.free_mints - 1;
        const std::uint32_t place = mintable ? wanted - 1 : last - pick(counts_.free_mints);
        return one(call(ids_.free_mint(place), {opcode_mint}, outputs), place + 1, outputs);
    }
    case Action::reward_mint:
        return one(call(reward_contract, {opcode_mint}, outputs), ids_.reward_number(), outputs);
    case Action::swap:
        return swap(carried, outputs);
    case Action::liquidity:
        return outputs.most_stones < 2 ? transfer(carried, outputs) : empty_pool(carried, outputs);
    case Action::transfer:
        return transfer(carried, outputs);
    case Action::move:
        return move(carried, outputs);
    case Action::create:
        return create(carried, outputs);
    case Action::misbehave:
        break;
    }
    const AlkaneId target = ids_.misbehaving(pick(counts_.misbehaving));
    const MakeCall make_call = [this](const AlkaneId& to, std::vector<u128> inputs,
                                      const Outputs& at) {
        return call(to, std::move(inputs), at);
    };
    Stones stones = misbehaviour(make_call, random_, target, ids_.misbehaving(0), fork_, outputs);
    if (carried != 0 && stones.left.empty()) stones.left = {{outputs.carrier, carried}};
    return stones;
}

alkanes::Protostone Messages::call(const AlkaneId& target, std::vector<u128> inputs,
                                   const Outputs& outputs) {
    alkanes::Cellpack cellpack{target, {}};
    if (prefixed_ > 0 && random_.chance(prefixed_)) {
        inputs.insert(inputs.begin(), {target.block, target.tx});
        cellpack.target = prefix;
    }
    cellpack.inputs = inputs;
    Protostone stone;
    stone.protocol = alkanes::alkanes_protocol;
    stone.pointer = stone.refund = outputs.carrier;
    stone.message = padded_message(cellpack);
    return stone;
}

/// To the carrier; or some to the first output; or evenly to all of many.
Stones Messages::transfer(std::uint32_t carried, const Outputs& outputs) {
    const AlkaneId id = ids_.token_of(carried);
    const std::uint32_t payments = outputs.carrier;
    if (payments == 0)
        return one(edicts_only({{id, 0, outputs.carrier}}, outputs), carried, outputs);
    if (payments >= 3) { // only transactions that widen their lane: a chain would soon be empty
        Stones all = one(edicts_only({{id, 0, outputs.count}}, outputs), carried, outputs);
        for (std::uint32_t i = 0; i < payments; ++i) all.left.emplace_back(i, carried);
        return all;
    }
    const u128 some = random_.between(1, 1'000);
    Stones part =
        one(edicts_only({{id, some, 0}, {id, 0, outputs.carrier}}, outputs), carried, outputs);
    part.left.emplace_back(0, carried);
    return part;
}

Stones Messages::swap(std::uint32_t carried, const Outputs& outputs) {
    const std::uint32_t pool = carried == 1 ? pick(counts_.pools) : pool_of(carried);
    return one(call(ids_.pool(pool), {opcode_swap, 1}, outputs), carried == 1 ? pool + 2 : 1,
               outputs);
}

Stones Messages::fill_pool(std::uint32_t pool, const Outputs& outputs) {
    return one(call(ids_.pool(pool), {opcode_fill}, outputs), ids_.shares_number(pool), outputs);
}

/// Both tokens come back to the shadow vout of a second protostone, which parts them.
Stones Messages::empty_pool(std::uint32_t shares, const Outputs& outputs) {
    const std::uint32_t pool = shares - ids_.shares_number(0);
    const std::uint32_t base_to = 0, side_to = outputs.carrier;
    Stones stones;
    Protostone burn = call(ids_.pool(pool), {opcode_empty}, outputs);
    burn.pointer = outputs.count + 2; // the shadow vout of the second of two
    stones.protostones.push_back(std::move(burn));
    stones.protostones.push_back(edicts_only(
        {{ids_.free_mint(0), 0, base_to}, {ids_.free_mint(pool + 1), 0, side_to}}, outputs));
    stones.left = {{side_to, pool + 2}};
    if (base_to != side_to) stones.left.emplace_back(base_to, 1);
    return stones;
}

Stones Messages::move(std::uint32_t carried, const Outputs& outputs) {
    const auto account = [&] {
        return skew_ == 0 ? static_cast<std::uint32_t>(random_.below(endowed_accounts))
                          : pick(endowed_accounts);
    };
    const std::uint32_t from = account();
    std::uint32_t to = account();
    if (to == from) to = (from + 1) % endowed_accounts;
    const AlkaneId target = ids_.token(pick(counts_.tokens));
    return one(call(target, {opcode_move, from, to, random_.between(1, 1000)}, outputs), carried,
               outputs);
}

Stones Messages::create(std::uint32_t carried, const Outputs& outputs) {
    const std::string name = fmt::format("MADE {}", random_.below(1'000'000));
    const u128 cap = cap_;
    return one(call({6, template_at::free_mint},
                    {opcode_initialize, 0, random_.between(1, 1'000'000), cap, text_word(name), 0,
                     text_word("MADE")},
                    outputs),
               carried, outputs);
}

} // namespace blockloom::recipes
