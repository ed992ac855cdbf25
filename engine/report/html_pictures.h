// The pictures of a block in an HTML report: its graph and a Gantt chart, each for light and dark.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// Both pictures with captions and legends; `number` makes their ids unique in the page. A picture
/// that cannot be made is replaced by the reason in words.
[[nodiscard]] std::string block_pictures(const range::BlockRecord& record, std::size_t number,
                                         std::uint32_t workers, const std::stop_token& stop);

/// A picture as SVG for inlining: every id and every reference to one gets `prefix`, since ids are
/// the page's.
[[nodiscard]] std::string with_unique_ids(const std::string& svg, const std::string& prefix);

} // namespace blockloom::report
