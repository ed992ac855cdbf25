// The trace that an Alkanes indexer keeps of a message: {repeated 1 event}, as protocol buffers
// (docs/metashrew.md#traces).
#pragma once

#include "alkanes/call_event.h"
#include "base/result.h"

#include <string_view>
#include <vector>

namespace blockloom::range {

/// The events of a trace, in its order. Events of kinds that later indexers have are left out.
/// Fails on malformed bytes; the message names the event and what it expected there.
[[nodiscard]] Result<std::vector<alkanes::CallEvent>> read_node_trace(std::string_view bytes);

} // namespace blockloom::range
