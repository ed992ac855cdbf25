#include "wasm/generator/module_bytes.h"

namespace blockloom::tests {

using wasm::ValueType;

void append_unsigned(Bytes& to, std::uint64_t value) {
    do {
        const Byte low = value & 0x7f;
        value >>= 7;
        to.push_back(value != 0 ? low | 0x80 : low);
    } while (value != 0);
}

void append_signed(Bytes& to, std::int64_t value) {
    while (value < -64 || value > 63) {
        to.push_back(static_cast<Byte>((value & 0x7f) | 0x80));
        value >>= 7;
    }
    to.push_back(static_cast<Byte>(value & 0x7f));
}

void append_bytes(Bytes& to, const Bytes& what) {
    to.insert(to.end(), what.begin(), what.end());
}

void append_name(Bytes& to, const std::string& name) {
    append_unsigned(to, name.size());
    to.insert(to.end(), name.begin(), name.end());
}

void append_section(Bytes& to, Byte id, const Bytes& content) {
    to.push_back(id);
    append_unsigned(to, content.size());
    append_bytes(to, content);
}

void append_types(Bytes& to, const std::vector<ValueType>& types) {
    append_unsigned(to, types.size());
    for (const ValueType type : types) to.push_back(static_cast<Byte>(type));
}

void append_constant(Bytes& to, ValueType type, wasm::Cell cell) {
    switch (type) {
    case ValueType::i32:
        to.push_back(0x41);
        append_signed(to, static_cast<std::int32_t>(cell));
        break;
    case ValueType::i64:
        to.push_back(0x42);
        append_signed(to, static_cast<std::int64_t>(cell));
        break;
    case ValueType::f32:
        to.push_back(0x43);
        append_le(to, static_cast<std::uint32_t>(cell));
        break;
    default:
        to.push_back(0x44);
        append_le(to, cell);
        break;
    }
}

} // namespace blockloom::tests
