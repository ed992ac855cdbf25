// Which memory a host function of Alkanes looks at and writes.
#pragma once

#include "alkanes/frame.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::execute {

/// Arguments are pointers to buffers (alkanes/guest_memory.h). Nothing else of the memory is
/// touched.
struct HostShape {
    std::uint32_t reads = 0;   ///< bit i: the buffer at argument i
    int writes = -1;           ///< the argument of the buffer that is written, or none
    std::uint64_t written = 0; ///< its bytes, without the length
};

/// Nothing where it cannot be told before the call.
[[nodiscard]] std::optional<HostShape> shape_of(std::string_view import,
                                                const alkanes::Frame& frame);

} // namespace blockloom::execute
