// The memory that a host function of Alkanes reads and writes.
#pragma once

#include "alkanes/frame.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::execute {

/// Arguments are pointers to buffers (alkanes/guest_memory.h). No other memory is accessed.
struct HostShape {
    std::uint32_t reads = 0;   ///< bit i: the buffer at argument i
    int writes = -1;           ///< the argument of the buffer that is written, or none
    std::uint64_t written = 0; ///< its bytes, without the length
};

/// Nothing if it is unknown before the call.
[[nodiscard]] std::optional<HostShape> shape_of(std::string_view import,
                                                const alkanes::Frame& frame);

} // namespace blockloom::execute
