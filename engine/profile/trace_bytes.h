// A trace as bytes, about ten a span, and back. What is kept with a run, and what another machine
// may have written: reading trusts nothing.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "profile/span.h"

namespace blockloom::profile {

[[nodiscard]] Bytes trace_bytes(const Trace& trace);

/// `place` names the bytes in errors, which tell the offset. Memory is bounded by the bytes: a span
/// takes at least seven of them.
[[nodiscard]] Result<Trace> read_trace(ByteView bytes, const std::string& place);

} // namespace blockloom::profile
