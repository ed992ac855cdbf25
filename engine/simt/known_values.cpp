#include "simt/known_values.h"

#include "compute/errors.h"

#include <algorithm>

namespace blockloom::simt {

Status KnownValues::take(const gpuvm::Inputs& inputs) {
    const auto lies_in = [&](const gpuvm::Piece& piece) {
        return std::uint64_t{piece.offset} + piece.bytes <= inputs.bytes.size();
    };
    for (const gpuvm::KnownValue& value : inputs.values)
        if (!lies_in(value.key) || !lies_in(value.value))
            return Error{compute::misused,
                         "compiled lanes: expected known values within the inputs, found one that "
                         "lies outside"};
    bytes_.assign(inputs.bytes.begin(), inputs.bytes.end());
    values_.assign(inputs.values.begin(), inputs.values.end());
    std::sort(values_.begin(), values_.end(), [this](const auto& a, const auto& b) {
        if (a.owner != b.owner) return a.owner < b.owner;
        return std::ranges::lexicographical_compare(bytes(a.key), bytes(b.key));
    });
    return {};
}

const gpuvm::KnownValue* KnownValues::find(std::uint32_t owner, ByteView key) const {
    const auto at = std::lower_bound(
        values_.begin(), values_.end(), key, [&](const gpuvm::KnownValue& value, ByteView wanted) {
            if (value.owner != owner) return value.owner < owner;
            return std::ranges::lexicographical_compare(bytes(value.key), wanted);
        });
    if (at == values_.end() || at->owner != owner || !std::ranges::equal(bytes(at->key), key))
        return nullptr;
    return &*at;
}

} // namespace blockloom::simt
