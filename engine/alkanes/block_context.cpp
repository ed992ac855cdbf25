#include "alkanes/block_context.h"

#include "alkanes/forced_writes.h"
#include "alkanes/fuel_tank.h"
#include "alkanes/genesis.h"
#include "alkanes/state_keys.h"
#include "alkanes/witness.h"
#include "chain/commitments.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

constexpr AlkaneId prefix{8, 8};

/// Takes the prefix off a message; what is left must be a cellpack again.
void take_off_prefix(Message& message) {
    if (!message.cellpack || message.cellpack->target != prefix) return;
    message.candidate = true;
    FlatList<u128>& inputs = message.cellpack->inputs;
    if (inputs.size() < 2) {
        message.cellpack.reset();
        message.error = fmt::format("cellpack: expected a target after the prefix 8:8, found {} "
                                    "integers",
                                    inputs.size());
        return;
    }
    message.cellpack->target = {inputs[0], inputs[1]};
    inputs.drop_front(2);
}

/// What depends on targets, once prefixes are off.
void count_again(const chain::Block& block, BlockMessages& messages) {
    messages.vfsize = messages.mint_transactions = 0;
    for (RunestoneTransaction& at : messages.transactions) {
        bool any = false, mint = false, code = false;
        for (const Message& message : messages.messages_of(at)) {
            if (!message.cellpack) continue;
            const Cellpack& cellpack = *message.cellpack;
            any = true;
            mint = mint || is_reward_mint(cellpack);
            code = code || brings_code(cellpack);
        }
        const chain::Transaction& tx = block.transactions[at.transaction];
        at.vfsize = !any   ? 0
                    : code ? virtual_size_without_first_witness(block, tx)
                           : virtual_size(tx);
        messages.vfsize += at.vfsize;
        messages.mint_transactions += mint ? 1 : 0;
    }
}

/// Transactions with a bearer of the prefix; without those that spend an output of another one.
void find_candidates(BlockContext& context) {
    const chain::Block& block = *context.block;
    TxidSet bearers;
    for (const RunestoneTransaction& at : context.messages.transactions) {
        const auto messages = context.messages.messages_of(at);
        if (std::none_of(messages.begin(), messages.end(),
                         [](const Message& message) { return message.candidate; }))
            continue;
        const chain::Transaction& tx = block.transactions[at.transaction];
        bool spends = false;
        for (std::uint32_t i = 0; i < tx.input_count; ++i)
            spends =
                spends ||
                bearers.contains(chain::txid_of(block.outpoint(block.inputs[tx.first_input + i])));
        bearers.insert(block.txids[at.transaction]);
        if (spends)
            ++context.demoted;
        else
            context.candidates.push_back(at.transaction);
    }
}

void add_to(Window& window, const BlockContext& context) {
    const chain::Block& block = *context.block;
    window.txids.reserve(window.txids.size() + block.txids.size());
    for (const Hash256& txid : block.txids) window.txids.insert(txid);
    window.with_stones.reserve(window.with_stones.size() + context.messages.transactions.size());
    for (const RunestoneTransaction& at : context.messages.transactions)
        if (at.protostone_count != 0) window.with_stones.insert(block.txids[at.transaction]);
}

} // namespace

Result<BlockContext> decode_block(std::shared_ptr<const chain::Block> block,
                                  const BlockOptions& options) {
    BlockContext context;
    const std::optional<std::uint64_t> height = options.height ? options.height : block->height;
    if (!height)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a height, found none in the block", block->source)};
    if (block->transactions.empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a coinbase, found no transaction", block->source)};
    context.height = *height;
    context.rules = rules_at(options.network, *height, options.line);
    context.rules.fuel = options.fuel;
    context.forced = forced_writes(context.rules);
    context.block = std::move(block);
    context.built_ins = options.built_ins;
    context.messages = decode_messages(*context.block, context.rules.rune_pointer_anywhere);
    if (context.rules.candidate_prefix) {
        for (Message& message : context.messages.messages) take_off_prefix(message);
        count_again(*context.block, context.messages);
        find_candidates(context);
    }
    auto window = std::make_shared<Window>();
    add_to(*window, context);
    context.window = std::move(window);
    return context;
}

Status begin_on(BlockContext& context, const state::StateView& before) {
    if (context.built_ins != nullptr && context.rules.genesis) {
        const auto first = genesis_writes(*context.built_ins, context.rules, context.height,
                                          context.block->bytes, before);
        if (!first) return first.error();
        context.forced.append_each(first->begin(), first->end());
    }
    const auto counter = before.get(sequence_key());
    if (!counter) return counter.error();
    context.window_sequence = state::counter_of(*counter);
    return {};
}

Result<BlockContext> open_block(std::shared_ptr<const chain::Block> block,
                                const BlockOptions& options, const state::StateView& before) {
    auto context = decode_block(std::move(block), options);
    if (!context) return context;
    if (const Status begun = begin_on(*context, before); !begun) return begun.error();
    return context;
}

void join_windows(std::span<BlockContext> blocks) {
    if (blocks.size() < 2) return;
    auto window = std::make_shared<Window>();
    for (const BlockContext& context : blocks) add_to(*window, context);
    for (BlockContext& context : blocks) {
        context.window = window;
        context.window_sequence = blocks.front().window_sequence;
    }
}

std::uint64_t likely_budget(const BlockContext& context, std::size_t transaction) {
    const FuelTank tank(context.rules, context.messages.vfsize);
    return tank.budget_for(context.messages.transactions[transaction].vfsize);
}

} // namespace blockloom::alkanes
