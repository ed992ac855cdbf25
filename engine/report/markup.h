// Escaping of text for XML and HTML: names come from files and are never trusted.
#pragma once

#include <string>
#include <string_view>

namespace blockloom::report {

/// Escapes & < > " and '; replaces invalid UTF-8 and control characters that XML 1.0 forbids by
/// U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

} // namespace blockloom::report
