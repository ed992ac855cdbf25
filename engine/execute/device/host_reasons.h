// Why a task of a run on a device finally ran on the host.
#pragma once

#include <string>
#include <string_view>

namespace blockloom::execute {

/// Reasons other than ejections; in addition there are the codes of gpuvm/ejection.h and those of
/// DeviceCalls.
namespace host_reasons {
inline constexpr const char* in_order = "in_order";       ///< further rounds would not pay off
inline constexpr const char* small = "below_batch_min";   ///< fewer tasks than the smallest batch
inline constexpr const char* no_device = "no_device";     ///< the device could not be used at all
inline constexpr const char* host_faster = "host_faster"; ///< as measured on earlier windows
inline constexpr const char* no_code = "no_code"; ///< compiling it for the device has not finished
inline constexpr const char* small_round = "small_round";     ///< the workers run so few faster
inline constexpr const char* workers_share = "workers_share"; ///< while the device ran others
inline constexpr const char* first_of_kind =
    "first_of_kind";                                  ///< it showed what others of its kind read
inline constexpr const char* few_lanes = "few_lanes"; ///< hardly any other lane would continue
inline constexpr const char* flow = "flow"; ///< the workers run tasks that wait for each other
inline constexpr const char* nothing = "nothing_to_run"; ///< no contract's code was reached
inline constexpr const char* profiled = "profiled"; ///< compiled for the processor, to be profiled
inline constexpr const char* undeclared_read = "undeclared_read";
inline constexpr const char* undeclared_write = "undeclared_write";
} // namespace host_reasons

/// A reason in words: "floating point", "in block order: another round would not pay off". An
/// unknown code is returned as it is.
[[nodiscard]] std::string host_reason_text(std::string_view code);

} // namespace blockloom::execute
