// What drivers trust without looking: bytes of a file, preceded by a SHA-256.
#pragma once

#include "base/bytes.h"

namespace blockloom::compute {

/// The bytes of a file with this content.
[[nodiscard]] Bytes sealed(ByteView content);
/// The content; nothing if the file is damaged.
[[nodiscard]] ByteView unsealed(ByteView file);

} // namespace blockloom::compute
