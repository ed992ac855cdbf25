#include "alkanes/block_messages.h"

#include "alkanes/witness.h"

#include <algorithm>

namespace blockloom::alkanes {

namespace {

class Decoder {
public:
    Decoder(const chain::Block& block, bool pointer_anywhere)
        : block_(block), pointer_anywhere_(pointer_anywhere) {
        found_.memory = Arena(first_chunk);
    }

    BlockMessages decode() {
        found_.places.resize(block_.transactions.size());
        for (std::uint32_t i = 0; i < block_.transactions.size(); ++i) {
            const chain::Transaction& tx = block_.transactions[i];
            if (const auto output = find_runestone(block_, tx)) runestone(i, *output);
            for (Envelope& envelope : find_envelopes(block_, tx))
                found_.envelopes.push_back({i, std::move(envelope)});
        }
        const chain::Transaction& coinbase = block_.transactions.front();
        for (std::uint32_t i = 0; i < coinbase.output_count; ++i)
            found_.coinbase_total += block_.outputs[coinbase.first_output + i].value;
        return std::move(found_);
    }

private:
    void runestone(std::uint32_t index, std::uint32_t output) {
        const chain::Transaction& tx = block_.transactions[index];
        RunestoneTransaction& at = found_.transactions.emplace_back();
        at.transaction = index;
        found_.places[index] = static_cast<std::uint32_t>(found_.transactions.size());
        at.output = output;
        at.runestone = decode_runestone(block_.script(block_.outputs[tx.first_output + output]),
                                        tx.output_count, pointer_anywhere_, &found_.memory);
        at.first_protostone = static_cast<std::uint32_t>(found_.protostones.size());
        at.first_message = static_cast<std::uint32_t>(found_.messages.size());
        const Status decoded = decode_protostones(at.runestone.protocol, found_.memory, stones_);
        if (!decoded) {
            at.void_reason = decoded.error().message;
            return;
        }
        for (Protostone& stone : stones_) place(at, tx, std::move(stone));
        share_fuel(at, tx);
    }

    void place(RunestoneTransaction& at, const chain::Transaction& tx, Protostone stone) {
        PlacedProtostone& placed = found_.protostones.emplace_back();
        placed.transaction = at.transaction;
        placed.place = at.protostone_count++;
        placed.vout = shadow_vout(tx.output_count, placed.place);
        placed.protostone = std::move(stone);
        if (placed.protostone.protocol != alkanes_protocol || !placed.protostone.is_message())
            return;
        placed.message = static_cast<std::uint32_t>(found_.messages.size());
        ++at.message_count;
        Message& message = found_.messages.emplace_back();
        message.transaction = at.transaction;
        message.protostone = static_cast<std::uint32_t>(found_.protostones.size() - 1);
        auto cellpack = decode_cellpack(placed.protostone.message, &found_.memory);
        if (cellpack) {
            message.cellpack = *std::move(cellpack);
        } else {
            message.error = cellpack.error().message;
        }
    }

    void share_fuel(RunestoneTransaction& at, const chain::Transaction& tx) {
        bool any = false, mint = false, code = false;
        for (const Message& message : found_.messages_of(at)) {
            if (!message.cellpack) continue;
            any = true;
            mint |= is_reward_mint(*message.cellpack);
            code |= brings_code(*message.cellpack);
        }
        if (!any) return;
        found_.mint_transactions += mint ? 1 : 0;
        at.vfsize = code ? virtual_size_without_first_witness(block_, tx) : virtual_size(tx);
        found_.vfsize += at.vfsize;
    }

    static constexpr std::size_t first_chunk = 16'384;

    const chain::Block& block_;
    bool pointer_anywhere_;
    std::vector<Protostone> stones_; ///< of one transaction
    BlockMessages found_;
};

} // namespace

BlockMessages decode_messages(const chain::Block& block, bool pointer_anywhere) {
    return Decoder(block, pointer_anywhere).decode();
}

std::optional<std::size_t> find_transaction(const BlockMessages& messages,
                                            std::uint32_t transaction) noexcept {
    const std::uint32_t place =
        transaction < messages.places.size() ? messages.places[transaction] : 0;
    return place == 0 ? std::nullopt : std::optional<std::size_t>(place - 1);
}

const Envelope* first_envelope(const BlockMessages& messages, std::uint32_t transaction) noexcept {
    const auto at =
        std::lower_bound(messages.envelopes.begin(), messages.envelopes.end(), transaction,
                         [](const PlacedEnvelope& placed, std::uint32_t index) {
                             return placed.transaction < index;
                         });
    return at == messages.envelopes.end() || at->transaction != transaction ? nullptr
                                                                            : &at->envelope;
}

} // namespace blockloom::alkanes
