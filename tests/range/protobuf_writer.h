// Protocol buffers as an indexer writes them. Independent of the reader.
#pragma once

#include "alkanes/ids.h"
#include "base/u128.h"

#include <cstdint>
#include <string>

namespace blockloom::test {

[[nodiscard]] std::string varint(std::uint64_t number);
/// A field with contents.
[[nodiscard]] std::string field(unsigned number, const std::string& content);
/// A field with a number; left out if it is 0.
[[nodiscard]] std::string number_field(unsigned number, std::uint64_t value);
/// {1 low, 2 high}.
[[nodiscard]] std::string message(u128 number);
/// {1 block, 2 tx}.
[[nodiscard]] std::string id_message(const alkanes::AlkaneId& id);

} // namespace blockloom::test
