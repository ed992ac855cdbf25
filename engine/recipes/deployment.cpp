#include "recipes/deployment.h"

#include "alkanes/envelope.h"
#include "recipes/contracts.h"

#include <fmt/format.h>

namespace blockloom::recipes {

namespace {

using alkanes::AlkaneId;

constexpr std::uint64_t smallest_payment = 1'000, fee = 2'000;
constexpr u128 premine = 1'000'000'000'000'000'000; // of each token that a pool trades
constexpr u128 mint_value = 1'000'000'000, endowment = 1'000'000'000;
constexpr u128 get_name = 99, get_supply = 101; // calls that work before a template is initialized

class Deployer {
public:
    Deployer(const ContractCounts& counts, Messages& messages, Coins& coins, BlockBuilder& builder)
        : counts_(counts), messages_(messages), coins_(coins), builder_(builder) {}

    void templates() {
        put(Contract::reward_mint, {1, 0}, {0}, messages_.ids().reward_number());
        put(Contract::auth_token, {3, template_at::auth_token}, {get_name});
        put(Contract::free_mint, {3, template_at::free_mint}, {get_name});
        put(Contract::token, {3, template_at::token}, {get_supply});
        put(Contract::amm_pool, {3, template_at::pool}, {get_supply});
        put(Contract::misbehaving, {3, template_at::misbehaving}, {0});
        say(coins_.made_up(), reward_contract, {1});
    }

    void free_mints(std::uint64_t cap) {
        for (std::uint32_t i = 0; i < counts_.free_mints; ++i) {
            const bool pooled = messages_.ids().is_pool_token(i + 1);
            const Coin held =
                say(coins_.made_up(), {6, template_at::free_mint},
                    {0, pooled ? premine : 0, mint_value, pooled ? 0 : cap,
                     text_word(fmt::format("FREE {}", i)), 0, text_word(fmt::format("F{}", i))},
                    pooled ? i + 1 : 0);
            if (pooled)
                spread(i + 1, held);
            else
                coins_.keep(held);
        }
    }

    void pools() {
        for (std::uint32_t i = 0; i < counts_.pools; ++i) {
            const AlkaneId base = messages_.ids().free_mint(0),
                           side = messages_.ids().free_mint(i + 1);
            coins_.keep(say(coins_.made_up(), {6, template_at::pool},
                            {0, base.block, base.tx, side.block, side.tx}));
            const std::array lumps{base_lumps_[i], side_lumps_[i]};
            add(lumps,
                messages_.fill_pool(i, outputs)); // its shares are never spent: pools stay deep
        }
    }

    void tokens() {
        for (std::uint32_t i = 0; i < counts_.tokens; ++i) {
            const Coin owner = say(
                coins_.made_up(), {6, template_at::token},
                {1, 1, 0, text_word(fmt::format("TOKEN {}", i)), text_word(fmt::format("T{}", i))});
            say(owner, messages_.ids().token(i), {14, endowed_accounts, endowment});
        }
    }

    void misbehaving() {
        for (std::uint32_t i = 0; i < counts_.misbehaving; ++i)
            coins_.keep(say(coins_.made_up(), {6, template_at::misbehaving}, {0}));
    }

private:
    static constexpr Outputs outputs{.carrier = 0, .count = 2}; // one, and the runestone's

    std::vector<Coin> add(std::span<const Coin> inputs, const Stones& stones,
                          std::span<const Bytes> witness = {}) {
        std::uint64_t value = 0;
        for (const Coin& coin : inputs) value += coin.value;
        return builder_.add(inputs, {{.value = value - std::min(value, fee)}}, stones, witness);
    }

    /// One message; returns the output that receives what it returns.
    Coin say(const Coin& input, const AlkaneId& target, std::vector<u128> inputs,
             std::uint32_t token = 0) {
        Stones stones;
        stones.protostones.push_back(messages_.call(target, std::move(inputs), outputs));
        stones.left = {{outputs.carrier, token}};
        return add(std::array{input}, stones).front();
    }

    void put(Contract contract, const AlkaneId& target, std::vector<u128> inputs,
             std::uint32_t token = 0) {
        const Result<Bytes> packed = alkanes::deflate_code(code_of(contract));
        const std::vector<Bytes> witness =
            packed ? alkanes::envelope_witness(*packed) : std::vector<Bytes>{};
        Coin input = coins_.made_up();
        input.lock = Lock::witness_script;
        Stones stones;
        stones.protostones.push_back(messages_.call(target, std::move(inputs), outputs));
        stones.left = {{outputs.carrier, token}};
        for (const Coin& coin : add(std::array{input}, stones, witness)) coins_.keep(coin);
    }

    /// A pool token's premine: lumps to fill pools with, the rest evenly over many outputs.
    void spread(std::uint32_t number, const Coin& held) {
        const bool base = number == 1;
        const std::uint32_t lumps = base ? counts_.pools : 1;
        const std::uint32_t coins =
            base ? counts_.coins : std::max(8U, counts_.coins / (number - 1));
        const u128 lump = premine / 2 / lumps;
        const std::uint32_t count = lumps + coins;
        std::vector<Payment> payments(count, {.value = smallest_payment});
        const std::uint64_t paid = count * smallest_payment + fee;
        payments.back().value += held.value - std::min(held.value, paid);

        alkanes::Protostone stone;
        stone.protocol = alkanes::alkanes_protocol;
        stone.pointer = stone.refund = count - 1;
        const AlkaneId id = messages_.ids().token_of(number);
        Stones stones;
        for (std::uint32_t i = 0; i < lumps; ++i) stone.edicts.push_back({id, lump, i});
        stone.edicts.push_back({id, 0, count + 1}); // the runestone's output counts
        stones.protostones.push_back(std::move(stone));
        for (std::uint32_t i = 0; i < count; ++i) stones.left.emplace_back(i, number);
        const std::vector<Coin> left = builder_.add(std::array{held}, std::move(payments), stones);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i >= lumps)
                coins_.keep(left[i]);
            else
                (base ? base_lumps_ : side_lumps_).push_back(left[i]);
        }
    }

    const ContractCounts& counts_;
    Messages& messages_;
    Coins& coins_;
    BlockBuilder& builder_;
    std::vector<Coin> base_lumps_, side_lumps_;
};

} // namespace

void deploy(const ContractCounts& counts, std::uint64_t cap, Messages& messages, Coins& coins,
            BlockBuilder& builder) {
    Deployer deployer(counts, messages, coins, builder);
    deployer.templates();
    deployer.free_mints(cap);
    deployer.pools();
    deployer.tokens();
    deployer.misbehaving();
}

} // namespace blockloom::recipes
