#include "trace/glob.h"

#include <fmt/format.h>

namespace blockloom::trace {
namespace {

constexpr std::size_t no_match = std::string_view::npos;

/// The place after the `]` of the set that begins at `at`; npos: it is never closed. A `]` that
/// comes first is a member.
std::size_t set_end(std::string_view pattern, std::size_t at) noexcept {
    std::size_t i = at + 1;
    if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) ++i;
    for (bool first = true; i < pattern.size(); ++i, first = false) {
        if (pattern[i] == ']' && !first) return i + 1;
        if (pattern[i] == '\\') ++i;
    }
    return no_match;
}

/// One member of a set, unescaped; moves `at` past it.
unsigned char set_member(std::string_view pattern, std::size_t& at) noexcept {
    if (pattern[at] == '\\') ++at;
    return static_cast<unsigned char>(pattern[at++]);
}

bool set_has(std::string_view pattern, std::size_t at, std::size_t end, char character) noexcept {
    const auto wanted = static_cast<unsigned char>(character);
    std::size_t i = at + 1;
    const bool negated = pattern[i] == '!' || pattern[i] == '^';
    if (negated) ++i;
    bool found = false;
    while (i < end - 1) {
        const unsigned char low = set_member(pattern, i);
        unsigned char high = low;
        if (i + 1 < end - 1 && pattern[i] == '-') {
            ++i;
            high = set_member(pattern, i);
        }
        found = found || (low <= wanted && wanted <= high);
    }
    return found != negated;
}

/// Matches one element (no `*`) against one character; the place after it, or npos.
std::size_t match_one(std::string_view pattern, std::size_t at, char character) noexcept {
    switch (pattern[at]) {
    case '?':
        return at + 1;
    case '[': {
        const std::size_t end = set_end(pattern, at);
        return end != no_match && set_has(pattern, at, end, character) ? end : no_match;
    }
    case '\\':
        return at + 1 < pattern.size() && pattern[at + 1] == character ? at + 2 : no_match;
    default:
        return pattern[at] == character ? at + 1 : no_match;
    }
}

} // namespace

bool glob_matches(std::string_view pattern, std::string_view text) noexcept {
    std::size_t p = 0, t = 0;
    // Where the last `*` would continue: backtracking to one star at a time is enough.
    std::size_t star = no_match, star_text = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            star_text = t;
            continue;
        }
        const std::size_t next = p < pattern.size() ? match_one(pattern, p, text[t]) : no_match;
        if (next != no_match) {
            p = next;
            ++t;
        } else if (star != no_match) {
            p = star;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::string glob_fault(std::string_view pattern) {
    if (pattern.empty()) return "expected a pattern, found nothing";
    for (std::size_t i = 0; i < pattern.size();) {
        if (pattern[i] == '\\') {
            if (i + 1 == pattern.size())
                return fmt::format(
                    "expected a character after the last \\ of \"{}\", found its end", pattern);
            i += 2;
        } else if (pattern[i] == '[') {
            const std::size_t end = set_end(pattern, i);
            if (end == no_match)
                return fmt::format("expected ] after character {} of \"{}\", found its end", i + 1,
                                   pattern);
            i = end;
        } else {
            ++i;
        }
    }
    return {};
}

} // namespace blockloom::trace
