// Encodes the traces of messages as an indexer keeps them (docs/metashrew.md#traces). Written after
// the description, not with the reader's functions.
#pragma once

#include "alkanes/call_event.h"

#include <string>
#include <vector>

namespace blockloom::test {

[[nodiscard]] std::string trace_bytes(const std::vector<alkanes::CallEvent>& events);

} // namespace blockloom::test
