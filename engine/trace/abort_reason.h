// Why an attempt to execute a transaction had to be repeated (docs/execution.md#aborted-attempts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::trace {

/// In the order in which they are listed.
enum class AbortReason : std::uint8_t {
    outdated_read,    ///< it read a value other than the one that the transactions before it left
    wrong_prediction, ///< the same, where the value that it read had been predicted
    replanned,        ///< nothing refuted it, but now other values were predicted for it
    wrong_budget,     ///< with the fuel budget that it really gets it might have done otherwise
    silent_write,     ///< it wrote, without reading it, the value that the key already had
    outdated_comparison, ///< a write that was dropped with a void transaction had been compared
                         ///< with another value
    estimate,            ///< it read a key that an aborted transaction will write again, and waited
    undeclared_read,     ///< it read outside its declared access set
    undeclared_write,    ///< it wrote outside that set
    ejected,             ///< the device passed it to the host
    count
};
inline constexpr std::size_t abort_reason_count = static_cast<std::size_t>(AbortReason::count);

/// As documents name it: "outdated_read".
[[nodiscard]] const char* name_of(AbortReason reason) noexcept;
[[nodiscard]] std::optional<AbortReason> abort_reason_named(std::string_view name) noexcept;
/// In words, of one attempt or of many: "read an outdated value".
[[nodiscard]] const char* words_of(AbortReason reason) noexcept;

/// Whether an attempt that ended for this reason executed its transaction to the end, so that it
/// counts as an execution and has spans of category message.
[[nodiscard]] bool has_result(AbortReason reason) noexcept;

} // namespace blockloom::trace
