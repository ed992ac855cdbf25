#include "range/node_code.h"

#include "alkanes/envelope.h"
#include "alkanes/state_keys.h"
#include "base/sha256.h"
#include "range/indexer_keys.h"

#include <algorithm>

namespace blockloom::range {
namespace {

using alkanes::BuiltInSlot;

/// The module that the node stores for a contract after a block; empty: none that could be one.
Result<Bytes> stored_module(const NodeRecords& records, const alkanes::AlkaneId& contract,
                            std::uint64_t height) {
    const auto stored = records.get(indexer_code_key(contract), height);
    if (!stored) return stored.error();
    if (!*stored) return Bytes();
    const ByteView bytes = as_bytes(**stored);
    if (alkanes::is_module(bytes)) return Bytes(bytes.begin(), bytes.end());
    auto module = alkanes::inflate_code(bytes, records.place());
    return module ? module : Result<Bytes>(Bytes()); // a template's id, or no code at all
}

} // namespace

Status take_code_of_node(alkanes::BuiltInCode& code, std::span<const BuiltInSlot> slots,
                         const NodeRecords& records) {
    const auto tip = records.tip();
    if (!tip) return tip.error();
    const auto bound = code.bindings();
    for (const BuiltInSlot& slot : slots) {
        if (*slot.hash == '\0' || bound.contains(slot.name)) continue;
        // Indexers up to 2.1 store it when it changes.
        for (const std::uint64_t height : {std::min(slot.from, *tip), *tip}) {
            const auto module = stored_module(records, slot.id, height);
            if (!module) return module.error();
            if (module->empty() ||
                !alkanes::may_fill(slot, Sha256().once({*module}), module->size()))
                continue;
            if (const Status filled = code.bind(slot, *module); !filled) return filled;
            break;
        }
    }
    return {};
}

} // namespace blockloom::range
