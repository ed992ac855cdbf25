// A provider that fails on purpose, so that tests see what callers make of it.
#pragma once

#include "compute/provider.h"

#include <string_view>

namespace blockloom::compute {

/// Counts start at 1; 0: never.
struct Faults {
    std::uint64_t lost_submission = 0;      ///< this one and everything after it is lost
    std::uint64_t full_allocation = 0;      ///< this one finds no memory
    std::uint64_t refused_kernel = 0;       ///< this one is not taken
    std::uint64_t hung_submission = 0;      ///< this one and the rest of its lane never end
    std::uint64_t corrupted_submission = 0; ///< from here on, bits of what comes down are flipped
};

/// "lost@3", "memory@5", "refused@1", "timeout@2", "corrupt@4", joined by
/// commas; without @N the first. The error's message says what was expected.
[[nodiscard]] Result<Faults> parse_faults(std::string_view text);

/// `inner` with the faults of a device. Every message of one starts with "injected fault".
[[nodiscard]] ProviderPtr with_faults(ProviderPtr inner, const Faults& faults);

} // namespace blockloom::compute
