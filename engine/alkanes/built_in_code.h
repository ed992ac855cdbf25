// Modules that are built into the indexer: which one a contract runs at a height (rule_table.h,
// BuiltInSlot). The user provides the files.
#pragma once

#include "alkanes/contract.h"
#include "alkanes/rule_table.h"
#include "base/result.h"

#include <map>
#include <memory>
#include <string>

namespace blockloom::alkanes {

/// A slot's module as named in messages: "diesel-eoa, SHA-256 f780aacd1718a312…".
[[nodiscard]] std::string slot_text(const BuiltInSlot& slot);

/// Whether a module of this SHA-256 and size may fill the slot, as far as that is known.
[[nodiscard]] bool may_fill(const BuiltInSlot& slot, const Hash256& hash, std::uint64_t size);

/// The modules of one network's slots. Filled once, then shared by threads.
class BuiltInCode {
public:
    explicit BuiltInCode(Network network, wasm::FuelRule fuel = wasm::FuelRule::counted)
        : network_(network), fuel_(fuel) {}

    [[nodiscard]] Network network() const noexcept { return network_; }

    /// Fills a slot of the network. Fails if a different module is known to belong there.
    Status bind(const BuiltInSlot& slot, ByteView module);

    /// The code that a contract runs at a height; null: its code is in the state. Fails if the slot
    /// is empty, with a message that names contract, height and module.
    [[nodiscard]] Result<std::shared_ptr<const Contract>> at(const AlkaneId& id,
                                                             std::uint64_t height) const;

    /// Maps names of filled slots to the SHA-256 of their modules.
    [[nodiscard]] std::map<std::string, Hash256> bindings() const;

private:
    Network network_;
    wasm::FuelRule fuel_;
    std::map<const BuiltInSlot*, std::shared_ptr<const Contract>> modules_;
};

} // namespace blockloom::alkanes
