#include "execute/rust_blocks.h"

#include "alkanes/envelope.h"
#include "recipes/block_builder.h"
#include "recipes/coins.h"
#include "rust_contract/rust_contract.h"

namespace blockloom::tests {
namespace {

using namespace recipes;

constexpr std::uint64_t height = 960'100, reward = 312'500'000;
constexpr std::uint32_t initialize = 0, mint = 77, withdraw = 78, deposit = 79;

/// The contract's number in the reserved space of ids.
constexpr std::uint32_t first_number = 777;

alkanes::AlkaneId contract(std::uint32_t place) {
    return {4, first_number + place};
}

/// All others, once; the last three fail: already initialized, unrecognized, a panic.
std::vector<std::vector<u128>> others() {
    return {{99},
            {100},
            {101},
            {102},
            {103},
            {105},
            {withdraw, 2, 3, 50},
            {withdraw, 2, 3, u128{1} << 100},
            {106, 7, u128{1} << 90, 3},
            {106, ~u128{0}, ~u128{0}, ~u128{0}},
            {107, 1},
            {deposit, 2, 3},
            {initialize, 5},
            {1'234},
            {107, 9}};
}

class Writer {
public:
    Writer() { coins_.begin_block(0); }

    void begin() { builder_.begin(); }
    /// A transaction with one message; its outputs.
    Coin say(const alkanes::AlkaneId& target, const std::vector<u128>& inputs, Coin input,
             std::span<const Bytes> witness = {}) {
        alkanes::Protostone stone;
        stone.protocol = alkanes::alkanes_protocol;
        stone.pointer = stone.refund = 0;
        stone.message = padded_message({target, inputs});
        Stones stones;
        stones.protostones.push_back(std::move(stone));
        return builder_
            .add({&input, 1},
                 {{.value = input.value - std::min<std::uint64_t>(input.value, 2'000)}}, stones,
                 witness)
            .front();
    }
    Coin coin() {
        Coin made = coins_.made_up();
        made.lock = Lock::witness_script;
        return made;
    }
    execute::ReplaySource end() {
        frame_.reward = reward;
        frame_.height = height + made_++;
        frame_.time += 600;
        WrittenBlock block = write_block(frame_, builder_.transactions(), hasher_);
        frame_.previous = block.hash;
        const auto listing = chain::list_block_bytes(std::move(block.bytes), "generated");
        return {listing.blocks.front(), frame_.height, {}};
    }

private:
    Random random_{1};
    Sha256 hasher_;
    Coins coins_{1, random_, hasher_};
    BlockBuilder builder_{hasher_};
    BlockFrame frame_;
    std::uint64_t made_ = 0;
};

} // namespace

std::vector<execute::ReplaySource> rust_blocks(std::uint32_t mints) {
    Writer writer;
    std::vector<execute::ReplaySource> blocks;
    writer.begin();
    const auto packed = alkanes::deflate_code(rust_contract());
    for (std::uint32_t i = 0; i < 2 * mints; ++i)
        (void)writer.say(
            {3, contract(i).tx},
            {initialize, 1'000'000'000, 50'000, 0, text_word("Rusty  coin"), 0, text_word("rst")},
            writer.coin(), alkanes::envelope_witness(*packed));
    blocks.push_back(writer.end());
    std::vector<Coin> minted;
    const auto rest = others();
    for (const bool last : {false, true}) {
        writer.begin();
        std::vector<Coin> spent = std::move(minted);
        minted.clear();
        for (std::uint32_t i = 0; i < mints; ++i) {
            if (last && i % 2 == 1)
                (void)writer.say(contract(2 * i), {deposit, 2, i}, spent[i]);
            else
                minted.push_back(writer.say(contract(2 * i), {mint}, writer.coin()));
            (void)writer.say(contract(2 * i + 1), rest[i % rest.size()], writer.coin());
        }
        blocks.push_back(writer.end());
    }
    return blocks;
}

} // namespace blockloom::tests
