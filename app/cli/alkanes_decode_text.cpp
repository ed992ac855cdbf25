#include "alkanes.h"
#include "base/number_text.h"
#include "terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace blockloom::cli {

namespace {

using alkanes::BlockMessages;

std::string short_txid(const chain::Block& block, std::uint32_t transaction) {
    return shortened(to_reversed_hex(block.txids[transaction]), 8, 4);
}

/// As many inputs as fit on a line; zeros that only pad the message are counted.
std::string inputs_text(std::span<const u128> inputs) {
    constexpr std::size_t most = 6;
    const auto last = std::find_if(inputs.rbegin(), inputs.rend(), [](u128 v) { return v != 0; });
    const auto used = static_cast<std::size_t>(inputs.rend() - last);
    std::string text;
    for (std::size_t i = 0; i < std::min(used, most); ++i)
        text += (i == 0 ? "" : " ") + u128_text(inputs[i]);
    if (used > most) text += fmt::format(" … {} more", used - most);
    if (used < inputs.size())
        text += fmt::format("{}0×{}", used == 0 ? "" : " ", inputs.size() - used);
    return text;
}

std::string vout_text(const std::optional<std::uint32_t>& vout) {
    return vout ? std::to_string(*vout) : "none";
}

std::string head(const chain::Block& block, const BlockMessages& messages) {
    std::map<std::string, std::size_t> flaws;
    std::size_t voided = 0;
    for (const alkanes::RunestoneTransaction& tx : messages.transactions) {
        if (tx.runestone.flaw) ++flaws[alkanes::flaw_name(*tx.runestone.flaw)];
        voided += tx.void_reason ? 1U : 0U;
    }
    std::size_t cenotaphs = 0;
    std::string reasons;
    for (const auto& [name, count] : flaws) {
        cenotaphs += count;
        reasons += fmt::format("{}{} {}", reasons.empty() ? ": " : ", ", count, name);
    }
    std::string text = fmt::format(
        "Block {} {}\n{}, {} ({}{}), {}, {}, {}\n",
        block.height ? std::to_string(*block.height) : "of unknown height",
        to_reversed_hex(block.hash), counted(block.transactions.size(), "transaction"),
        counted(messages.transactions.size(), "runestone"), counted(cenotaphs, "cenotaph"), reasons,
        counted(messages.protostones.size(), "protostone"),
        counted(messages.messages.size(), "message"),
        counted(messages.envelopes.size(), "envelope"));
    if (voided != 0)
        text += fmt::format("{} void: the protocol field cannot be decoded\n",
                            counted(voided, "transaction"));
    text +=
        fmt::format("Fuel is divided among {} vbytes; {} mint the reward; the coinbase pays {}\n",
                    count_text(messages.vfsize), counted(messages.mint_transactions, "transaction"),
                    bitcoin_text(static_cast<std::uint64_t>(messages.coinbase_total)));
    return text;
}

/// How often each target and opcode is called, most frequent first.
std::string targets(const BlockMessages& messages) {
    struct Called {
        std::string target, opcode;
        std::size_t count = 0;
    };
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (const alkanes::Message& message : messages.messages) {
        if (!message.cellpack) {
            ++counts[{"none", ""}];
            continue;
        }
        const auto& inputs = message.cellpack->inputs;
        ++counts[{alkanes::id_text(message.cellpack->target),
                  inputs.empty() ? "" : u128_text(inputs.front())}];
    }
    std::vector<Called> rows;
    for (const auto& [key, count] : counts) rows.push_back({key.first, key.second, count});
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Called& a, const Called& b) { return a.count > b.count; });
    constexpr std::size_t most = 20;
    Table table({"Target", "First input", "Messages", "Share"});
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
        table.add({rows[i].target, rows[i].opcode, count_text(rows[i].count),
                   percent_text(static_cast<double>(rows[i].count) /
                                static_cast<double>(messages.messages.size()))});
    std::string text = table.text();
    if (rows.size() > most) text += fmt::format("and {} more\n", rows.size() - most);
    return text;
}

std::string message_table(const chain::Block& block, const BlockMessages& messages,
                          std::size_t rows) {
    Table table({"Tx", "<Txid", "Stone", "Vout", "Target", "Pointer", "Refund", "<Inputs"});
    for (std::size_t i = 0; i < std::min(rows, messages.messages.size()); ++i) {
        const alkanes::Message& message = messages.messages[i];
        const alkanes::PlacedProtostone& placed = messages.protostones[message.protostone];
        table.add({std::to_string(message.transaction), short_txid(block, message.transaction),
                   std::to_string(placed.place), std::to_string(placed.vout),
                   message.cellpack ? alkanes::id_text(message.cellpack->target) : "none",
                   vout_text(placed.protostone.pointer), vout_text(placed.protostone.refund),
                   message.cellpack ? inputs_text(message.cellpack->inputs) : message.error});
    }
    std::string text = table.text();
    if (messages.messages.size() > rows)
        text += fmt::format("and {} more (--rows lists them)\n", messages.messages.size() - rows);
    return text;
}

std::string envelope_table(const chain::Block& block, const BlockMessages& messages) {
    Table table({"Tx", "<Txid", "Input", "Envelope", "<Content"});
    std::size_t budget = most_looked_at;
    for (const alkanes::PlacedEnvelope& placed : messages.envelopes) {
        const Result<Bytes> content = look_into(placed.envelope, budget);
        table.add({std::to_string(placed.transaction), short_txid(block, placed.transaction),
                   std::to_string(placed.envelope.input), size_text(placed.envelope.payload.size()),
                   content ? "gzip of " + size_text(content->size())
                           : printable(content.error().message)});
    }
    return table.text();
}

} // namespace

std::string decoded_text(const chain::Block& block, const BlockMessages& messages,
                         std::size_t rows) {
    std::string text = head(block, messages);
    if (!messages.messages.empty())
        text += "\n" + targets(messages) + "\n" + message_table(block, messages, rows);
    if (!messages.envelopes.empty()) text += "\n" + envelope_table(block, messages);
    return text;
}

} // namespace blockloom::cli
