// The parts of an HTML report that tell of blocks.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// Row by row, all blocks; those with `detailed` true link to their section.
[[nodiscard]] std::string blocks_table(const range::Range& range,
                                       const std::vector<bool>& detailed);

/// A block's section: figures, level sizes, simulated schedules, its graph and Gantt chart, hot
/// keys.
[[nodiscard]] std::string block_section(const range::BlockRecord& record, std::size_t number,
                                        std::uint32_t workers, std::stop_token stop);

/// "840000", or a hash's beginning where a block has no other label.
[[nodiscard]] std::string label_of(const range::BlockRecord& record);

} // namespace blockloom::report
