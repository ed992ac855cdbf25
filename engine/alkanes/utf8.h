// Whether bytes are UTF-8, as Rust's String demands it of a contract's log.
#pragma once

#include "base/bytes.h"

#include <string_view>

namespace blockloom::alkanes {

/// No overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

} // namespace blockloom::alkanes
