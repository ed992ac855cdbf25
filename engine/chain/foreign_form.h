// Files that hold blocks in a form that is not read here: recognised, so that the error names it.
#pragma once

#include "base/bytes.h"

#include <optional>
#include <string>

namespace blockloom::chain {

/// What JSON of a node's answer it is, plain or in gzip, by the names near its beginning: "JSON of
/// a Solana block (getBlock)". Nothing: it is no JSON. `beginning`: the first 64 KiB suffice.
[[nodiscard]] std::optional<std::string> foreign_form(ByteView beginning);

} // namespace blockloom::chain
