// What can go wrong on a device, told apart so that callers fall back by kind.
#pragma once

#include "base/result.h"

namespace blockloom::compute {

/// Codes beside those of base, which knows no devices. `ErrorCode::unavailable` stays what it is:
/// the backend or device asked for is not there; `cancelled`: a stop was asked for while waiting.
inline constexpr ErrorCode device_lost{64};    ///< this provider is of no use any more
inline constexpr ErrorCode out_of_memory{65};  ///< the device's memory, or the limit that was set
inline constexpr ErrorCode timed_out{66};      ///< not done yet; the work may still be running
inline constexpr ErrorCode kernel_refused{67}; ///< the driver did not take the shader
inline constexpr ErrorCode misused{68};        ///< the caller broke the interface's rules
inline constexpr ErrorCode corrupted{69};      ///< what came from the device is not what it had

/// True for the codes above: the command line ends with exit status 4.
[[nodiscard]] constexpr bool is_device_error(ErrorCode code) noexcept {
    return code >= device_lost && code <= corrupted;
}

/// "device_lost", "out_of_memory", …; empty for a code of base.
[[nodiscard]] const char* device_error_name(ErrorCode code) noexcept;

} // namespace blockloom::compute
