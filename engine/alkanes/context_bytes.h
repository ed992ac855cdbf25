// The context of a call, written into memory that is used again (wire.h has the layout).
#pragma once

#include "base/u128.h"

#include <span>
#include <string>

namespace blockloom::alkanes {

struct ContextFields;
struct Transfer;

/// Appends what `context_bytes` returns.
void append_context(std::string& to, const ContextFields& fields,
                    std::span<const Transfer> incoming, std::span<const u128> inputs);

} // namespace blockloom::alkanes
