// What each figure of a report means, in a sentence: every number in a report is defined there.
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
