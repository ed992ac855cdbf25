// The type of a Bitcoin output script, by its form (BIPs 13, 141, 341 and Core's standard
// templates).
#pragma once

#include "base/bytes.h"

#include <string_view>

namespace blockloom::range {

/// "p2pk", "p2pkh", "p2sh", "p2wpkh", "p2wsh", "p2tr", "op_return" or "other". Reads no more than
/// the script.
[[nodiscard]] std::string_view output_script_type(ByteView script) noexcept;

} // namespace blockloom::range
