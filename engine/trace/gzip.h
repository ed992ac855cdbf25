// gzip by zlib, with a bound on what comes out.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <string>

namespace blockloom::trace {

/// A file may inflate to this many times its size and no further. Real traces compress 5 to 40
/// times; deflate itself can reach 1,032, which is what a bomb looks like.
inline constexpr std::uint64_t most_inflation = 256;

[[nodiscard]] bool is_gzip(ByteView bytes) noexcept;

/// All members, one after the other. The buffer grows with what was really inflated. `place` names
/// the file in errors.
[[nodiscard]] Result<std::string> gunzip(ByteView bytes, const std::string& place);

/// One member without name and time: the same bytes each time.
[[nodiscard]] Result<Bytes> gzip(ByteView bytes);

} // namespace blockloom::trace
