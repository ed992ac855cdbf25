// What can go wrong on a device, by kind, so that callers can choose a fallback.
#pragma once

#include "base/result.h"

namespace blockloom::compute {

/// Codes in addition to those of base, which knows no devices. `ErrorCode::unavailable` keeps its
/// meaning, the requested backend or device does not exist; `cancelled`: a stop was requested while
/// waiting.
inline constexpr ErrorCode device_lost{64};   ///< this provider can no longer be used
inline constexpr ErrorCode out_of_memory{65}; ///< the device's memory, or the limit that was set
inline constexpr ErrorCode timed_out{66}; ///< not finished in time; the work may still be running
inline constexpr ErrorCode kernel_refused{67}; ///< the driver rejected the shader
inline constexpr ErrorCode misused{68};        ///< the caller broke the interface's rules
inline constexpr ErrorCode corrupted{69};      ///< data was damaged in the transfer from the device

/// True for the codes above; the command line then ends with exit status 4.
[[nodiscard]] constexpr bool is_device_error(ErrorCode code) noexcept {
    return code >= device_lost && code <= corrupted;
}

/// "device_lost", "out_of_memory", …; empty for a code of base.
[[nodiscard]] const char* device_error_name(ErrorCode code) noexcept;

} // namespace blockloom::compute
