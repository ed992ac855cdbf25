#include "range/transaction_rows.h"

#include "base/number_text.h"
#include "range/output_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>

namespace blockloom::range {
namespace {

constexpr std::size_t most_outputs = 200;

std::span<const chain::Input> inputs_of(const chain::Block& block,
                                        const chain::Transaction& transaction) {
    return std::span(block.inputs).subspan(transaction.first_input, transaction.input_count);
}

std::span<const chain::Output> outputs_of(const chain::Block& block,
                                          const chain::Transaction& transaction) {
    return std::span(block.outputs).subspan(transaction.first_output, transaction.output_count);
}

struct ShortHash {
    std::size_t operator()(const Hash256& hash) const noexcept {
        return read_le<std::size_t>(hash.data());
    }
};

/// Σ of the outputs; nothing if it leaves 64 bits (absurd values are legal bytes).
std::optional<std::uint64_t> sum_of(std::span<const chain::Output> outputs) {
    std::uint64_t sum = 0;
    for (const chain::Output& output : outputs)
        if (__builtin_add_overflow(sum, output.value, &sum)) return std::nullopt;
    return sum;
}

/// What the transaction spends; nothing where an output comes from another block.
std::optional<std::uint64_t> spent_value(const chain::Block& block,
                                         const chain::Transaction& transaction) {
    std::unordered_map<Hash256, std::size_t, ShortHash> place;
    for (std::size_t i = 0; i < block.txids.size(); ++i) place.emplace(block.txids[i], i);
    std::uint64_t sum = 0;
    for (const chain::Input& input : inputs_of(block, transaction)) {
        const ByteView outpoint = block.outpoint(input);
        Hash256 txid;
        std::copy_n(outpoint.begin(), txid.size(), txid.begin());
        const auto found = place.find(txid);
        if (found == place.end()) return std::nullopt;
        const auto outputs = outputs_of(block, block.transactions[found->second]);
        const auto vout = read_le<std::uint32_t>(outpoint.data() + 32);
        if (vout >= outputs.size() || __builtin_add_overflow(sum, outputs[vout].value, &sum))
            return std::nullopt;
    }
    return sum;
}

std::string fee_text(const chain::Block& block, std::size_t transaction) {
    if (transaction == 0) return "none: coinbase";
    const auto spent = spent_value(block, block.transactions[transaction]);
    const auto paid = sum_of(outputs_of(block, block.transactions[transaction]));
    if (!spent || !paid || *paid > *spent) return "unknown: it spends outputs of other blocks";
    return bitcoin_text(*spent - *paid);
}

/// Locktimes below 500,000,000 are heights, others are seconds (BIP 113 aside).
std::string locktime_text(std::uint32_t locktime) {
    if (locktime == 0) return "none";
    return locktime < 500'000'000 ? fmt::format("height {}", count_text(locktime))
                                  : fmt::format("{} s since 1 January 1970", count_text(locktime));
}

} // namespace

void append_transaction(TaskDetails& details, const chain::Block& block, std::size_t at) {
    if (at >= block.transactions.size() || details.sections.empty()) return;
    const chain::Transaction& transaction = block.transactions[at];
    auto& rows = details.sections.front().rows;
    rows.push_back({"Size", fmt::format("{} B · {} in, {} out", count_text(transaction.size),
                                        count_text(transaction.input_count),
                                        count_text(transaction.output_count))});
    rows.push_back({"Witness", transaction.has_witness()
                                   ? count_text(transaction.witness_size) + " B"
                                   : "none"});
    rows.push_back({"Version", fmt::format("{}", transaction.version)});
    rows.push_back({"Locktime", locktime_text(transaction.locktime)});
    rows.push_back({"Fee", fee_text(block, at)});

    const auto outputs = outputs_of(block, transaction);
    DetailSection section;
    section.title = "Outputs";
    if (const auto sum = sum_of(outputs)) section.note = bitcoin_text(*sum);
    for (std::size_t i = 0; i < std::min(outputs.size(), most_outputs); ++i)
        section.rows.push_back(
            {fmt::format("{} · {}", i, output_script_type(block.script(outputs[i]))),
             bitcoin_text(outputs[i].value), true});
    if (outputs.size() > most_outputs)
        section.sentence = fmt::format("And {} more.", count_text(outputs.size() - most_outputs));
    details.sections.push_back(std::move(section));
}

} // namespace blockloom::range
