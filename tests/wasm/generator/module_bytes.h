// Writes pieces of WebAssembly's binary format.
#pragma once

#include "base/bytes.h"
#include "wasm/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::tests {

void append_unsigned(Bytes& to, std::uint64_t value); ///< LEB128
void append_signed(Bytes& to, std::int64_t value);
void append_bytes(Bytes& to, const Bytes& what);
void append_name(Bytes& to, const std::string& name);
void append_section(Bytes& to, Byte id, const Bytes& content);
void append_types(Bytes& to, const std::vector<wasm::ValueType>& types); ///< with their number
/// The instruction that pushes a cell of a number type.
void append_constant(Bytes& to, wasm::ValueType type, wasm::Cell cell);

} // namespace blockloom::tests
