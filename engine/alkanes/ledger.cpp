#include "alkanes/ledger.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace blockloom::alkanes {
namespace {

constexpr Byte op_return = 0x6a;

/// Where the sheet of a vout is, or would be.
auto place_of(auto& sheets, std::uint32_t vout) {
    return std::lower_bound(sheets.begin(), sheets.end(), vout,
                            [](const auto& sheet, std::uint32_t of) { return sheet.first < of; });
}

Ledger::Fault too_much(std::uint32_t vout) {
    return fmt::format("output {}: a token's amount passes 128 bits", vout);
}

} // namespace

Ledger::Ledger(const chain::Block& block, const chain::Transaction& tx, bool spread_skips_silently)
    : spread_skips_silently_(spread_skips_silently) {
    burns_.reserve(tx.output_count);
    bool found = false;
    for (std::uint32_t i = 0; i < tx.output_count; ++i) {
        const ByteView script = block.script(block.outputs[tx.first_output + i]);
        burns_.push_back(!script.empty() && script.front() == op_return);
        if (burns_[i] || found) continue;
        default_ = i;
        found = true;
    }
}

const Sheet& Ledger::at(std::uint32_t vout) const {
    static const Sheet none;
    const auto found = place_of(sheets_, vout);
    return found == sheets_.end() || found->first != vout ? none : found->second;
}

Sheet& Ledger::sheet_of(std::uint32_t vout) {
    auto found = place_of(sheets_, vout);
    if (found == sheets_.end() || found->first != vout)
        found = sheets_.insert(found, {vout, Sheet()});
    return found->second;
}

Sheet Ledger::take(std::uint32_t vout) {
    const auto found = place_of(sheets_, vout);
    if (found == sheets_.end() || found->first != vout) return {};
    Sheet taken = std::move(found->second);
    sheets_.erase(found);
    return taken;
}

Ledger::Fault Ledger::give(std::uint32_t vout, std::span<const Transfer> tokens) {
    if (tokens.empty()) return std::nullopt;
    if (sheet_of(vout).add(tokens)) return std::nullopt;
    return too_much(vout);
}

Ledger::Fault Ledger::refusal(std::uint32_t vout, const Sheet& tokens) const {
    const Sheet& there = at(vout);
    const bool fit =
        std::all_of(tokens.tokens().begin(), tokens.tokens().end(),
                    [&](const Transfer& token) { return token.value <= ~there.amount(token.id); });
    return fit ? std::nullopt : too_much(vout);
}

Ledger::Fault Ledger::apply(std::span<const Edict> edicts, Sheet& source) {
    for (const Edict& edict : edicts)
        if (Fault fault = apply(edict, source)) return fault;
    return std::nullopt;
}

Ledger::Fault Ledger::apply(const Edict& edict, Sheet& source) {
    if (edict.id.block == 0 && edict.id.tx != 0)
        return fmt::format("edict: expected a token, found {}", id_text(edict.id));
    // The indexer compares as many bits as its addresses have.
    if (static_cast<std::uint32_t>(edict.output) == outputs()) return spread(edict, source);
    if (edict.output > std::numeric_limits<std::uint32_t>::max())
        return fmt::format("edict: expected an output of 32 bits, found {}",
                           u128_text(edict.output));
    return move(edict.id, edict.amount, source, static_cast<std::uint32_t>(edict.output));
}

Ledger::Fault Ledger::move(const AlkaneId& id, u128 amount, Sheet& source, std::uint32_t vout) {
    return transfer(id, amount == 0 ? source.amount(id) : amount, source, vout);
}

Ledger::Fault Ledger::spread(const Edict& edict, Sheet& source) {
    const auto count = static_cast<u128>(std::count(burns_.begin(), burns_.end(), false));
    if (count == 0) return std::nullopt;
    u128 left = source.amount(edict.id);
    const u128 share = left / count;
    u128 rest = left % count;
    for (std::uint32_t vout = 0; vout < outputs(); ++vout) {
        if (edict.amount != 0) {
            const u128 amount = std::min(edict.amount, left);
            if (burns_[vout] && spread_skips_silently_) continue;
            left -= amount;
            if (burns_[vout]) continue;
            // A share of nothing means, as in any edict, everything that the sheet still has: what
            // the OP_RETURN outputs used up of the share, and nobody got.
            if (Fault fault = move(edict.id, amount, source, vout)) return fault;
            continue;
        }
        if (burns_[vout]) continue;
        const u128 amount = share + (rest != 0 ? 1 : 0);
        rest -= rest != 0 ? 1 : 0;
        if (Fault fault = transfer(edict.id, amount, source, vout)) return fault;
    }
    return std::nullopt;
}

Ledger::Fault Ledger::transfer(const AlkaneId& id, u128 amount, Sheet& source, std::uint32_t vout) {
    const u128 taken = source.take(id, amount);
    if (taken == 0) return std::nullopt;
    const Transfer token{id, taken};
    return give(vout, {&token, 1});
}

SmallVector<std::pair<std::uint32_t, const Sheet*>, 4> Ledger::kept() const {
    SmallVector<std::pair<std::uint32_t, const Sheet*>, 4> kept;
    for (const auto& [vout, sheet] : sheets_)
        if (vout < outputs() && !burns_[vout] && !sheet.empty()) kept.push_back({vout, &sheet});
    return kept;
}

} // namespace blockloom::alkanes
