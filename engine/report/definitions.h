// What each figure of a report means, in a sentence: no number is shown that is not defined beside
// it.
#pragma once

#include <span>

namespace blockloom::report {

struct Definition {
    const char* name;
    const char* text;
};

/// In the order in which reports show the figures.
[[nodiscard]] std::span<const Definition> definitions() noexcept;

} // namespace blockloom::report
