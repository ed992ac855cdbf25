// Base64 for bytes in JSON documents (RFC 4648, section 4).
#pragma once

#include "base/bytes.h"

#include <optional>
#include <string>
#include <string_view>

namespace blockloom::runs {

[[nodiscard]] std::string base64(ByteView bytes);

/// Nothing unless the text is base64 with correct padding and no bits left over.
[[nodiscard]] std::optional<Bytes> from_base64(std::string_view text);

} // namespace blockloom::runs
