// The format of a file of kept machine code (docs/native.md#kept-code).
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <span>
#include <string_view>
#include <vector>

namespace blockloom::native {

inline constexpr std::uint32_t most_code_objects = 1u << 16;

/// Object files under a key: magic, version, key, SHA-256 of what follows, count, sizes, bytes.
[[nodiscard]] Bytes code_file_bytes(const Hash256& key, std::span<const ByteView> objects);

/// The object files, which are views of `file`. Fails unless every byte is as it was written and
/// the file belongs to `key`. `place` begins the message.
[[nodiscard]] Result<std::vector<ByteView>> read_code_file(ByteView file, const Hash256& key,
                                                           std::string_view place);

} // namespace blockloom::native
