// Sizes of paper for documents of pages.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::report {

/// Rows of a table that are shown; a note below them says how many are left out.
inline constexpr std::size_t most_rows_on_paper = 1'000;

enum class Paper : std::uint8_t { a4, letter };

/// Points, 1/72 inch.
struct PaperSize {
    double width = 0, height = 0;
};
[[nodiscard]] PaperSize size_of(Paper paper) noexcept;

/// "a4" or "letter".
[[nodiscard]] std::optional<Paper> paper_named(std::string_view name) noexcept;

/// The paper of the user's locale (LC_ALL, LC_PAPER, LANG): Letter where that says so, else A4.
[[nodiscard]] Paper paper_of_locale() noexcept;

} // namespace blockloom::report
