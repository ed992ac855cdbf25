// Why an attempt was aborted, as its run recorded it.
#pragma once

#include "trace/abort_reason.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace blockloom::schedule {

struct RecordedAbort {
    std::uint32_t transaction = 0;              ///< in its block
    std::optional<trace::AbortReason> reason;   ///< absent: one that only a newer version knows
    std::string key;                            ///< printable; empty: none
    std::optional<std::uint32_t> writer;        ///< the transaction whose write it missed
    std::optional<std::uint64_t> writer_height; ///< of an earlier block; absent: of its own
    /// When that was found, since the block's executions began; absent: unknown.
    std::optional<std::uint64_t> at;
};

} // namespace blockloom::schedule
