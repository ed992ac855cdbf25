// What was left out of a range, in words.
#pragma once

#include "range/range.h"

#include <algorithm>
#include <string_view>

namespace blockloom::range {

/// The reason without the source's name before it, for a line or row that already names the source.
[[nodiscard]] inline std::string_view reason_alone(const LeftOut& out) noexcept {
    std::string_view reason = out.reason;
    if (!out.source.empty() && reason.starts_with(out.source)) {
        reason.remove_prefix(out.source.size());
        reason.remove_prefix(std::min(reason.find_first_not_of(": "), reason.size()));
    }
    return reason.empty() ? std::string_view(out.reason) : reason;
}

} // namespace blockloom::range
