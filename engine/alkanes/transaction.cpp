#include "alkanes/transaction.h"

#include "alkanes/state_keys.h"
#include "base/small_vector.h"
#include "chain/commitments.h"

namespace blockloom::alkanes {

bool lies_flat(const MessageRecord& record) noexcept {
    static const std::size_t inside = std::string().capacity();
    return record.text.capacity() == inside && record.fuel_doubt.capacity() == inside &&
           record.host_calls.capacity() == 0 && record.changes.capacity() == 0 &&
           record.events.capacity() == 0 && blockloom::lies_flat(record.inputs) &&
           blockloom::lies_flat(record.incoming) && blockloom::lies_flat(record.transfers) &&
           blockloom::lies_flat(record.storage) && lies_flat(record.data);
}

bool surely_concerns_alkanes(const BlockContext& context, std::uint32_t transaction) {
    if (transaction == 0 && !context.forced.empty()) return true;
    const auto place = find_transaction(context.messages, transaction);
    return place && context.messages.transactions[*place].protostone_count != 0;
}

Result<bool> concerns_alkanes(const BlockContext& context, std::uint32_t transaction,
                              const state::StateView& before) {
    if (surely_concerns_alkanes(context, transaction)) return true;
    const chain::Block& block = *context.block;
    const chain::Transaction& tx = block.transactions[transaction];
    for (std::uint32_t i = 0; i < tx.input_count; ++i) {
        const ByteView outpoint = block.outpoint(block.inputs[tx.first_input + i]);
        if (chain::is_null_outpoint(outpoint.data())) continue;
        if (context.window->with_stones.contains(chain::txid_of(outpoint))) return true;
        const auto there = before.get(spent_sheet_key(outpoint));
        if (!there) return there.error();
        if (*there) return true;
    }
    return false;
}

void expect_transaction(const BlockContext& context, std::uint32_t transaction,
                        const state::StateView& before) {
    const chain::Block& block = *context.block;
    const chain::Transaction& tx = block.transactions[transaction];
    constexpr std::size_t most_keys = 8;
    SmallVector<state::Key, most_keys> keys;
    const auto add = [&](const state::Key& key) {
        if (keys.size() == most_keys) return;
        keys.push_back(key);
        before.expect(key);
    };
    for (std::uint32_t i = 0; i < tx.input_count; ++i)
        add(spent_sheet_key(block.outpoint(block.inputs[tx.first_input + i])));
    if (const auto place = find_transaction(context.messages, transaction))
        for (const Message& message :
             context.messages.messages_of(context.messages.transactions[*place]))
            if (message.cellpack) add(code_key(message.cellpack->target));
    for (const state::Key& key : keys) before.expect_value(key);
}

} // namespace blockloom::alkanes
