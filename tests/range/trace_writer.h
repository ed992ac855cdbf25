// Encodes the traces of messages as an indexer keeps them (docs/metashrew.md#traces). Written after
// the description, not with the reader's functions.
#pragma once

#include "alkanes/call_event.h"

#include <string>
#include <vector>

namespace blockloom::test {

[[nodiscard]] std::string trace_bytes(const std::vector<alkanes::CallEvent>& events);

// Protocol buffers.
[[nodiscard]] std::string varint(std::uint64_t number);
/// A field with contents.
[[nodiscard]] std::string field(unsigned number, const std::string& content);
/// A field with a number; left out if it is 0.
[[nodiscard]] std::string number_field(unsigned number, std::uint64_t value);
/// {1 low, 2 high}.
[[nodiscard]] std::string message(u128 number);

} // namespace blockloom::test
