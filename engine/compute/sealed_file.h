// What drivers trust without looking: bytes of a file, preceded by a SHA-256.
#pragma once

#include "base/bytes.h"

#include <string_view>

namespace blockloom::compute {

/// The bytes of a file with this content; with a name they are only its content under that name.
[[nodiscard]] Bytes sealed(ByteView content, std::string_view name = {});
/// The content; nothing if the file is damaged, or was sealed under another name.
[[nodiscard]] ByteView unsealed(ByteView file, std::string_view name = {});

} // namespace blockloom::compute
