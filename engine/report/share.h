// A part of a whole as a fraction.
#pragma once

#include <cstdint>

namespace blockloom::report {

/// 0 if the whole is 0.
[[nodiscard]] constexpr double share(std::uint64_t part, std::uint64_t whole) noexcept {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace blockloom::report
