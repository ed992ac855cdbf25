// Why an execution is rejected: what the check and the flows report.
#pragma once

#include "execute/execution_result.h"
#include "trace/abort_reason.h"

#include <cstdint>
#include <string_view>

namespace blockloom::execute {

/// Refers to the execution that it is about. Made only when one is rejected.
struct Rejection {
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    trace::AbortReason reason = trace::AbortReason::outdated_read;
    std::string_view key{};        ///< whose value was another one; empty: no key
    std::uint32_t writer = nobody; ///< the task of the block window that left the value that it
                                   ///< should have found; `nobody`: none did, or it is unknown
};

/// The reason if a probe of this kind does not hold.
[[nodiscard]] inline trace::AbortReason reason_of(Probe::Kind kind) noexcept {
    using trace::AbortReason;
    switch (kind) {
    case Probe::Kind::blind:
    case Probe::Kind::net_blind:
        return AbortReason::silent_write;
    case Probe::Kind::compared:
        return AbortReason::outdated_comparison;
    case Probe::Kind::read:
    case Probe::Kind::predicate:
    case Probe::Kind::write:
        break;
    }
    return AbortReason::outdated_read;
}

} // namespace blockloom::execute
