#include "execute/message_blocks.h"

namespace blockloom::tests {

using namespace recipes;

namespace {

constexpr std::uint64_t first_height = 960'100, reward = 312'500'000;

} // namespace

MessageBlocks::MessageBlocks() {
    coins_.begin_block(0);
}

Coin MessageBlocks::say(const alkanes::AlkaneId& target, const std::vector<u128>& inputs,
                        Coin input, std::span<const Bytes> witness) {
    alkanes::Protostone stone;
    stone.protocol = alkanes::alkanes_protocol;
    stone.pointer = stone.refund = 0;
    stone.message = padded_message({target, inputs});
    Stones stones;
    stones.protostones.push_back(std::move(stone));
    return builder_
        .add({&input, 1}, {{.value = input.value - std::min<std::uint64_t>(input.value, 2'000)}},
             stones, witness)
        .front();
}

Coin MessageBlocks::coin() {
    Coin made = coins_.made_up();
    made.lock = Lock::witness_script;
    return made;
}

execute::ReplaySource MessageBlocks::end() {
    frame_.reward = reward;
    frame_.height = first_height + made_++;
    frame_.time += 600;
    WrittenBlock block = write_block(frame_, builder_.transactions(), hasher_);
    frame_.previous = block.hash;
    const auto listing = chain::list_block_bytes(std::move(block.bytes), "generated");
    return {listing.blocks.front(), frame_.height, {}};
}

} // namespace blockloom::tests
