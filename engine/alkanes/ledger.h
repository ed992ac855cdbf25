// Where the tokens of one transaction go: edicts, pointers, refunds
// (docs/alkanes-protocol.md#where-tokens-go).
#pragma once

#include "alkanes/protostone.h"
#include "alkanes/sheet.h"
#include "base/small_vector.h"
#include "chain/block.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::alkanes {

/// Sheets by vout, real and shadow. If a step returns a text, the whole transaction is void.
class Ledger {
public:
    using Fault = std::optional<std::string>;

    /// `spread_skips_silently`: see Rules.
    Ledger(const chain::Block& block, const chain::Transaction& tx, bool spread_skips_silently);

    [[nodiscard]] std::uint32_t outputs() const noexcept {
        return static_cast<std::uint32_t>(burns_.size());
    }
    /// The first output that is not an OP_RETURN; 0 if there is none.
    [[nodiscard]] std::uint32_t default_output() const noexcept { return default_; }

    [[nodiscard]] const Sheet& at(std::uint32_t vout) const;
    /// Removes and returns everything at a vout.
    [[nodiscard]] Sheet take(std::uint32_t vout);
    /// Adds token by token: those before one that does not fit stay.
    [[nodiscard]] Fault give(std::uint32_t vout, std::span<const Transfer> tokens);
    /// The error that `give` would return, without moving anything. Each token once.
    [[nodiscard]] Fault refusal(std::uint32_t vout, const Sheet& tokens) const;

    /// Moves tokens out of `source`, edict by edict.
    [[nodiscard]] Fault apply(std::span<const Edict> edicts, Sheet& source);

    /// The non-empty sheets of real outputs that are not OP_RETURN. Everything else is lost.
    [[nodiscard]] SmallVector<std::pair<std::uint32_t, const Sheet*>, 4> kept() const;

private:
    [[nodiscard]] Fault apply(const Edict& edict, Sheet& source);
    [[nodiscard]] Fault spread(const Edict& edict, Sheet& source);
    /// Moves as an edict does: amount 0 means everything.
    [[nodiscard]] Fault move(const AlkaneId& id, u128 amount, Sheet& source, std::uint32_t vout);
    [[nodiscard]] Fault transfer(const AlkaneId& id, u128 amount, Sheet& source,
                                 std::uint32_t vout);

    bool spread_skips_silently_;
    SmallVector<bool, 16> burns_; ///< one per output: whether it is an OP_RETURN
    std::uint32_t default_ = 0;
    [[nodiscard]] Sheet& sheet_of(std::uint32_t vout);

    SmallVector<std::pair<std::uint32_t, Sheet>, 4> sheets_; ///< by vout
};

} // namespace blockloom::alkanes
