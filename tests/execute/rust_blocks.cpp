#include "execute/rust_blocks.h"

#include "alkanes/envelope.h"
#include "execute/message_blocks.h"
#include "rust_contract/rust_contract.h"

namespace blockloom::tests {
namespace {

using namespace recipes;

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

} // namespace

std::vector<execute::ReplaySource> rust_blocks(std::uint32_t mints) {
    MessageBlocks writer;
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
