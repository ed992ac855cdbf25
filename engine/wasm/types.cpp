#include "wasm/types.h"

namespace blockloom::wasm {

const char* name_of(ValueType type) noexcept {
    switch (type) {
    case ValueType::i32:
        return "i32";
    case ValueType::i64:
        return "i64";
    case ValueType::f32:
        return "f32";
    case ValueType::f64:
        return "f64";
    case ValueType::funcref:
        return "funcref";
    case ValueType::externref:
        return "externref";
    }
    return "?";
}

std::string to_text(const FunctionType& type) {
    const auto list = [](const std::vector<ValueType>& types) {
        std::string text = "(";
        for (const ValueType value : types) {
            if (text.size() > 1) text += ", ";
            text += name_of(value);
        }
        return text + ")";
    };
    return list(type.parameters) + " -> " + list(type.results);
}

} // namespace blockloom::wasm
