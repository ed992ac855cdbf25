#include "alkanes/forced_writes.h"

#include "alkanes/state_keys.h"

#include <algorithm>
#include <array>

namespace blockloom::alkanes {
namespace {

constexpr std::array frozen{AlkaneId{4, 65'522}, AlkaneId{4, 65'523}};
constexpr AlkaneId owner_token{2, 69'805};

} // namespace

state::WriteSet forced_writes(const Rules& rules) {
    state::WriteSet writes;
    if (!rules.owner_fixed) return writes;
    const bool gone = rules.owner_gone;
    for (const AlkaneId& contract : frozen) {
        writes.emplace_back(storage_key(contract, "/auth"),
                            id_bytes(gone ? AlkaneId{} : owner_token));
        if (gone) writes.emplace_back(balance_key(contract, owner_token), u128_bytes(0));
    }
    std::sort(writes.begin(), writes.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return writes;
}

} // namespace blockloom::alkanes
