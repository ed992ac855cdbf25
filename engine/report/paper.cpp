#include "report/paper.h"

#include <clocale>
#include <langinfo.h>
#include <locale.h>

namespace blockloom::report {

PaperSize size_of(Paper paper) noexcept {
    if (paper == Paper::letter) return {612, 792};
    return {595.276, 841.89};
}

std::optional<Paper> paper_named(std::string_view name) noexcept {
    if (name == "a4") return Paper::a4;
    if (name == "letter") return Paper::letter;
    return std::nullopt;
}

Paper paper_of_locale() noexcept {
    const locale_t locale = newlocale(LC_PAPER_MASK, "", nullptr);
    if (locale == nullptr) return Paper::a4;
    // glibc hands over a number in place of the pointer: millimetres.
    const auto width = static_cast<int>(
        reinterpret_cast<std::intptr_t>(nl_langinfo_l(_NL_PAPER_WIDTH, locale)) & 0xFFFF);
    freelocale(locale);
    return width == 216 ? Paper::letter : Paper::a4;
}

} // namespace blockloom::report
