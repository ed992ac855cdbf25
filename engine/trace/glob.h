// Globs: the patterns by which a key policy selects keys.
#pragma once

#include <string>
#include <string_view>

namespace blockloom::trace {

/// `*` matches any run of characters (also an empty one), `?` any one character, `[abc]`, `[a-z]`,
/// `[!a-z]` or `[^a-z]` one of a set, `\x` the character x itself. The whole text must match; case
/// matters; a character is a byte. The pattern must be well formed (`glob_fault`). Time O(pattern ×
/// text), no recursion.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text) noexcept;

/// What is wrong with a pattern, in words; empty: nothing.
[[nodiscard]] std::string glob_fault(std::string_view pattern);

} // namespace blockloom::trace
