// Attempts of a block that had to be repeated: how many for which reason, and each of the first
// ones.
#pragma once

#include "base/clock.h"
#include "trace/abort_reason.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::execute {

/// An attempt of a transaction whose result was not kept.
struct AbortedAttempt {
    /// A transaction of the block window.
    struct Writer {
        std::uint64_t height = 0;
        std::uint32_t transaction = 0; ///< in its block
        bool operator==(const Writer&) const = default;
    };

    std::uint32_t transaction = 0; ///< in its block
    trace::AbortReason reason = trace::AbortReason::outdated_read;
    std::uint32_t executions = 0; ///< tasks that it had executed; 0: it did not end
    std::string key;              ///< in the state, whose value was another one; empty: none
    std::optional<Writer> writer; ///< left the value that it should have found; absent: nobody, or
                                  ///< unknown
    Nanoseconds at = 0; ///< when that was found, by the steady clock; after it ended, and before
                        ///< the next attempt began; 0: unknown
};

/// Counts attempts of transactions, not tasks.
struct AbortedAttempts {
    /// Beyond these a block's attempts are only counted.
    static constexpr std::size_t most_listed = 4096;

    std::array<std::uint64_t, trace::abort_reason_count> counts{};
    std::vector<AbortedAttempt> listed; ///< in the order in which they were found

    void add(AbortedAttempt attempt) {
        ++counts[static_cast<std::size_t>(attempt.reason)];
        if (listed.size() < most_listed) listed.push_back(std::move(attempt));
    }
    [[nodiscard]] std::uint64_t count(trace::AbortReason reason) const noexcept {
        return counts[static_cast<std::size_t>(reason)];
    }
};

} // namespace blockloom::execute
