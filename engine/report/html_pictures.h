// The pictures of a block in an HTML report: its graph and a Gantt chart, in light and dark.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// Both pictures with captions and legends. A picture that cannot be made is replaced by the
/// reason.
[[nodiscard]] std::string block_pictures(const range::BlockRecord& record, std::uint32_t workers,
                                         const std::stop_token& stop);

} // namespace blockloom::report
