// Modules that the indexer carries in itself: which one a contract runs at a height
// (rule_table.h, BuiltInSlot). The files are the user's.
#pragma once

#include "alkanes/contract.h"
#include "alkanes/rule_table.h"
#include "base/result.h"

#include <map>
#include <memory>
#include <string>

namespace blockloom::alkanes {

/// What names a slot's module in messages: "diesel-eoa, SHA-256 f780aacd1718a312…".
[[nodiscard]] std::string slot_text(const BuiltInSlot& slot);

/// Whether a module of this SHA-256 and size may fill the slot, as far as that is known.
[[nodiscard]] bool may_fill(const BuiltInSlot& slot, const Hash256& hash, std::uint64_t size);

/// The modules of one network's slots. Filled once, then shared by threads.
class BuiltInCode {
public:
    explicit BuiltInCode(Network network, wasm::FuelRule fuel = wasm::FuelRule::counted)
        : network_(network), fuel_(fuel) {}

    [[nodiscard]] Network network() const noexcept { return network_; }

    /// Fills a slot of the network. Fails where another module is known to belong there.
    Status bind(const BuiltInSlot& slot, ByteView module);

    /// What a contract runs at a height; null: its code lies in the state. Fails where the slot is
    /// empty, with a sentence that names contract, height and module.
    [[nodiscard]] Result<std::shared_ptr<const Contract>> at(const AlkaneId& id,
                                                             std::uint64_t height) const;

    /// Names of filled slots to SHA-256 of their modules.
    [[nodiscard]] std::map<std::string, Hash256> bindings() const;

private:
    Network network_;
    wasm::FuelRule fuel_;
    std::map<const BuiltInSlot*, std::shared_ptr<const Contract>> modules_;
};

} // namespace blockloom::alkanes
