// gzip by zlib, with a bound on the inflated size.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <string>

namespace blockloom::trace {

/// A file may inflate to at most this many times its size. Real traces compress 5 to 40 times;
/// deflate itself can reach 1,032, as a decompression bomb does.
inline constexpr std::uint64_t most_inflation = 256;

[[nodiscard]] bool is_gzip(ByteView bytes) noexcept;

/// Inflates all members, one after the other. The buffer grows with the actual output. `place`
/// names the file in errors.
[[nodiscard]] Result<std::string> gunzip(ByteView bytes, const std::string& place);

/// Writes one member without name and time, so equal input gives equal bytes.
[[nodiscard]] Result<Bytes> gzip(ByteView bytes);

} // namespace blockloom::trace
