// The aborted attempts of a kept run's block, as its document lists them, and in words.
#pragma once

#include "base/clock.h"
#include "trace/abort_reason.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockloom {
class JsonValue;
}

namespace blockloom::runs {

/// One attempt of a transaction that had to be repeated.
struct KeptAbort {
    std::uint32_t transaction = 0;            ///< in its block
    std::optional<trace::AbortReason> reason; ///< absent: one that only a newer version knows
    std::string key;                          ///< printable; empty: none
    /// Height and transaction whose write it missed; absent: none, or unknown.
    std::optional<std::pair<std::uint64_t, std::uint32_t>> writer;
    /// When that was found, since the spans' start: after the attempt had ended, before the next
    /// one began; absent: unknown.
    std::optional<Nanoseconds> at;
};

/// Attempts of transactions by reason, as documents name it.
using AbortCounts = std::map<std::string, std::uint64_t>;

/// Of a block. An older document lists neither.
struct KeptAborts {
    std::optional<AbortCounts> counts;                      ///< absent: not recorded
    std::shared_ptr<const std::vector<KeptAbort>> attempts; ///< the first ones; null: not recorded
};

/// Those of a block of a run's document. Wrong values are refused.
[[nodiscard]] KeptAborts read_aborts(JsonValue block);

/// Why the attempt of a transaction that began at `begin`, in the spans' time, was repeated; null:
/// it was not, or nothing is known of it.
[[nodiscard]] const KeptAbort* abort_of(const KeptAborts& aborts, std::uint32_t transaction,
                                        Nanoseconds begin) noexcept;
/// "read an outdated value (storage:…, written by transaction 12)".
[[nodiscard]] std::string abort_words(const KeptAbort& abort, std::uint64_t height);

/// "415 attempts aborted: 412 read an outdated value, 3 had a wrong fuel budget"; empty: none was.
[[nodiscard]] std::string aborts_words(const AbortCounts& counts);

} // namespace blockloom::runs
