#include "recipes/block_builder.h"

#include "alkanes/runestone.h"

namespace blockloom::recipes {

void BlockBuilder::begin() {
    transactions_.clear();
    meant_.clear();
    tasks_ = 0;
    fees_ = 0;
}

std::vector<Coin> BlockBuilder::add(std::span<const Coin> inputs, std::vector<Payment> payments,
                                    const Stones& stones, std::span<const Bytes> first_witness) {
    for (const Coin& coin : inputs) fees_ += coin.value;
    for (const Payment& payment : payments) fees_ -= payment.value;
    const std::size_t own = payments.size();
    Bytes script = stones.script;
    if (script.empty() && !stones.protostones.empty()) {
        alkanes::Runestone runestone;
        runestone.protocol = alkanes::encode_protostones(stones.protostones);
        script = alkanes::encode_runestone(runestone);
    }
    if (!script.empty()) payments.push_back({.value = 0, .script = script});

    const auto place = static_cast<std::uint32_t>(transactions_.size() + 1);
    for (std::size_t i = 0; i < stones.protostones.size(); ++i) {
        const alkanes::Protostone& stone = stones.protostones[i];
        tasks_ += stone.protocol == alkanes::alkanes_protocol ? 1 : 0;
        meant_.push_back({place, static_cast<std::uint32_t>(i), stone});
    }
    transactions_.push_back(write_transaction(inputs, payments, hasher_, first_witness));
    std::vector<Coin> left;
    left.reserve(own);
    for (std::uint32_t i = 0; i < own; ++i)
        left.push_back({transactions_.back().txid, i, payments[i].value, payments[i].lock});
    for (const auto& [output, token] : stones.left)
        if (output < own) left[output].token = token;
    return left;
}

} // namespace blockloom::recipes
