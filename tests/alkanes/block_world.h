// Blocks of plain transactions, executed on a state: what tests of whole blocks share.
#pragma once

#include "alkanes/block_execution.h"
#include "alkanes/host_functions.h"
#include "alkanes/message_blocks.h"
#include "state/memory_state.h"

#include <QtTest>

#include <algorithm>

namespace calls {

using namespace blockloom;

class OwnBytes final : public chain::BlockStorage {
public:
    Bytes bytes;
};

/// The block of these transactions behind a coinbase.
inline std::shared_ptr<const chain::Block>
decoded(const std::vector<model::Transaction>& transactions) {
    auto storage = std::make_shared<OwnBytes>();
    storage->bytes = stones::block_bytes(transactions);
    const ByteView view = storage->bytes;
    auto block = chain::decode_block(std::move(storage), view, "test");
    if (!block) qFatal("%s", block.error().message.c_str());
    return std::make_shared<const chain::Block>(*std::move(block));
}

inline Hash256 txid_of(const model::Transaction& tx) {
    return Sha256().twice({model::bytes_of(tx, false)});
}

/// Adds an input that spends an output of another transaction.
inline void spend(model::Transaction& tx, const model::Transaction& from, std::uint32_t vout) {
    model::Input& input = tx.inputs.emplace_back();
    input.txid = txid_of(from);
    input.vout = vout;
}

inline alkanes::BlockContext opened(const std::shared_ptr<const chain::Block>& block,
                                    const state::StateView& before, std::uint64_t height,
                                    alkanes::Network network = alkanes::Network::mainnet,
                                    alkanes::RuleLine line = alkanes::RuleLine::released) {
    auto context = alkanes::open_block(block, {network, height, line, {}}, before);
    if (!context) qFatal("%s", context.error().message.c_str());
    return *std::move(context);
}

inline alkanes::BlockExecution executed(const alkanes::BlockContext& context,
                                        const state::StateView& before,
                                        alkanes::Engine engine = alkanes::Engine::interpreter,
                                        bool record = false) {
    static const auto contracts = std::make_shared<alkanes::Contracts>();
    alkanes::Runtime runtime(alkanes::host_imports, contracts, engine);
    SilentProgress silent;
    alkanes::TransactionOptions options;
    options.record = record;
    auto block = alkanes::execute_block(runtime, context, before, options, silent);
    if (!block) qFatal("%s", block.error().message.c_str());
    return *std::move(block);
}

/// What a transaction did, by its place in the block. Aborts where it did nothing.
inline const alkanes::TransactionResult& result_of(const alkanes::BlockExecution& block,
                                                   std::uint32_t transaction) {
    const auto found = std::find_if(block.transactions.begin(), block.transactions.end(),
                                    [&](const alkanes::TransactionResult& result) {
                                        return result.transaction == transaction;
                                    });
    if (found == block.transactions.end()) qFatal("transaction %u did nothing", transaction);
    return *found;
}

inline std::vector<alkanes::Transfer> tokens_at(const state::StateView& state,
                                                const model::Transaction& tx, std::uint32_t vout) {
    const auto value = state.get(alkanes::sheet_key({txid_of(tx), vout}));
    return value->has_value() ? alkanes::tokens_of_sheet(value->bytes()).value()
                              : std::vector<alkanes::Transfer>{};
}

/// State after a block.
inline state::MemoryState after(state::MemoryState state, const alkanes::BlockExecution& block) {
    for (const state::Change& change : block.changes) state.put(change.key, change.after);
    return state;
}

} // namespace calls
