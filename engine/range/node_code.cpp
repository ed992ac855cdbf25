#include "range/node_code.h"

#include "base/sha256.h"

#include <algorithm>

namespace blockloom::range {

using alkanes::BuiltInSlot;

Status take_code_of_node(alkanes::BuiltInCode& code, std::span<const BuiltInSlot> slots,
                         const NodeRecords& records) {
    const auto tip = records.tip();
    if (!tip) return tip.error();
    const auto bound = code.bindings();
    for (const BuiltInSlot& slot : slots) {
        if (*slot.hash == '\0' || bound.contains(slot.name)) continue;
        // Indexers up to 2.1 store it when it changes.
        for (const std::uint64_t height : {std::min(slot.from, *tip), *tip}) {
            const auto module = records.stored_module(slot.id, height);
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
