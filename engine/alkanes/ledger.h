// Where the tokens of one transaction go: edicts, pointers, refunds
// (docs/alkanes-protocol.md#where-tokens-go).
#pragma once

#include "alkanes/protostone.h"
#include "alkanes/sheet.h"
#include "chain/block.h"

#include <map>
#include <optional>
#include <string>

namespace blockloom::alkanes {

/// Sheets by vout, real and shadow. A text that a step gives back voids the whole transaction.
class Ledger {
public:
    using Fault = std::optional<std::string>;

    /// `spread_skips_silently`: see Rules.
    Ledger(const chain::Block& block, const chain::Transaction& tx, bool spread_skips_silently);

    [[nodiscard]] std::uint32_t outputs() const noexcept {
        return static_cast<std::uint32_t>(burns_.size());
    }
    /// The first output that is no OP_RETURN; 0 if there is none.
    [[nodiscard]] std::uint32_t default_output() const noexcept { return default_; }

    [[nodiscard]] const Sheet& at(std::uint32_t vout) const;
    /// Everything that lies at a vout; nothing stays.
    [[nodiscard]] Sheet take(std::uint32_t vout);
    /// Token by token: those before one that does not fit stay.
    [[nodiscard]] Fault give(std::uint32_t vout, const std::vector<Transfer>& tokens);
    /// What `give` would say, and nothing moves. Each token once.
    [[nodiscard]] Fault refusal(std::uint32_t vout, const Sheet& tokens) const;

    /// Moves tokens out of `source`, edict by edict.
    [[nodiscard]] Fault apply(const std::vector<Edict>& edicts, Sheet& source);

    /// What the real outputs that are no OP_RETURN hold, without empty ones. All else is lost.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, const Sheet*>> kept() const;

private:
    [[nodiscard]] Fault apply(const Edict& edict, Sheet& source);
    [[nodiscard]] Fault spread(const Edict& edict, Sheet& source);
    /// As an edict says it: 0 is everything.
    [[nodiscard]] Fault move(const AlkaneId& id, u128 amount, Sheet& source, std::uint32_t vout);
    [[nodiscard]] Fault transfer(const AlkaneId& id, u128 amount, Sheet& source,
                                 std::uint32_t vout);

    bool spread_skips_silently_;
    std::vector<bool> burns_; ///< one an output: OP_RETURN
    std::uint32_t default_ = 0;
    std::map<std::uint32_t, Sheet> sheets_;
};

} // namespace blockloom::alkanes
