// The window's texts outside classes that have a tr() of their own.
#pragma once

#include <QString>

namespace blockloom::ui {

/// `text` in the language of the window.
[[nodiscard]] QString words(const char* text);

} // namespace blockloom::ui
