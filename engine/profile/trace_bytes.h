// A trace as bytes, about ten per span, and back. Kept with a run, and possibly written by another
// machine: reading trusts nothing.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "profile/span.h"

namespace blockloom::profile {

[[nodiscard]] Bytes trace_bytes(const Trace& trace);

/// `place` names the bytes in errors, which state the offset. Memory is bounded by the bytes: a
/// span takes at least seven.
[[nodiscard]] Result<Trace> read_trace(ByteView bytes, const std::string& place);

} // namespace blockloom::profile
