// Blocks with runestones, for tests: transactions as plain values, bytes by the chain tests' model.
#pragma once

#include "alkanes/block_messages.h"
#include "chain/random_block.h"

namespace stones {

using namespace blockloom;

inline constexpr std::uint32_t test_height = 892'614;

/// A transaction with one input, `before` plain outputs, the runestone's, and `after` more.
inline model::Transaction carrying(const Bytes& script, std::size_t before = 1,
                                   std::size_t after = 0) {
    static std::uint32_t distinct = 0;
    model::Transaction tx;
    model::Input& input = tx.inputs.emplace_back();
    input.txid.fill(7);
    input.vout = ++distinct;
    input.witness = {Bytes(64, 1)};
    const Bytes plain{0x51};
    for (std::size_t i = 0; i < before; ++i) tx.outputs.push_back({1'000, plain});
    tx.outputs.push_back({0, script});
    for (std::size_t i = 0; i < after; ++i) tx.outputs.push_back({1'000, plain});
    return tx;
}

inline model::Transaction carrying(const std::vector<alkanes::Protostone>& protostones,
                                   std::size_t before = 1, std::size_t after = 0) {
    alkanes::Runestone runestone;
    runestone.protocol = alkanes::encode_protostones(protostones);
    return carrying(alkanes::encode_runestone(runestone), before, after);
}

inline alkanes::Protostone calling(const alkanes::Cellpack& cellpack) {
    alkanes::Protostone stone;
    stone.protocol = alkanes::alkanes_protocol;
    stone.pointer = stone.refund = 0;
    stone.message = alkanes::encode_cellpack(cellpack);
    stone.message.resize((stone.message.size() + 14) / 15 * 15);
    return stone;
}

/// The bytes of a block of these transactions behind a coinbase that pays `coinbase`.
inline Bytes block_bytes(const std::vector<model::Transaction>& transactions,
                         const std::vector<std::uint64_t>& coinbase = {312'500'000}) {
    model::Block block;
    model::Transaction& first = block.transactions.emplace_back();
    model::Input& input = first.inputs.emplace_back();
    input.vout = 0xffffffff;
    input.script = model::height_push(test_height);
    for (const std::uint64_t value : coinbase) first.outputs.push_back({value, {0x51}});
    block.transactions.insert(block.transactions.end(), transactions.begin(), transactions.end());
    model::commit_to_witnesses(block, Bytes(32, 0));
    model::set_merkle_root(block);
    return model::bytes_of(block);
}

} // namespace stones
