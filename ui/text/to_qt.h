// Converts the engine's texts, which are UTF-8, to QString.
#pragma once

#include <QString>

#include <string_view>

namespace blockloom::ui {

/// Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] inline QString to_qt(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace blockloom::ui
