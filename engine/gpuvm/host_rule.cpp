#include "gpuvm/host_rule.h"

#include <algorithm>
#include <cstddef>

namespace blockloom::gpuvm {

bool suits(const HostRule& rule, const wasm::FunctionType& type) {
    const auto pointers = [&](std::size_t count) {
        return type.parameters.size() >= count &&
               std::all_of(type.parameters.begin(),
                           type.parameters.begin() + static_cast<std::ptrdiff_t>(count),
                           [](wasm::ValueType each) { return each == wasm::ValueType::i32; });
    };
    const bool answers = type.results.size() == 1;
    if (type.results.size() > 1 || rule.slot >= blob_slots) return false;
    switch (rule.kind) {
    case HostRule::Kind::constant:
        return answers && (type.results[0] == wasm::ValueType::i64 || rule.value >> 32 == 0);
    case HostRule::Kind::blob_length:
        return answers;
    case HostRule::Kind::value_length:
        return answers && pointers(1);
    case HostRule::Kind::value_copy:
        return pointers(2);
    case HostRule::Kind::pair_copy:
        return pointers(3);
    case HostRule::Kind::known_call:
        return answers && pointers(3);
    default:
        return pointers(1);
    }
}

} // namespace blockloom::gpuvm
