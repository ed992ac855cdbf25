// The parts of an HTML report about blocks.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// All blocks, one per row; those with `detailed` true link to their section.
[[nodiscard]] std::string blocks_table(const range::Range& range,
                                       const std::vector<bool>& detailed);

/// A block's section: figures, level sizes, simulated schedules, its graph and Gantt chart, hot
/// keys.
[[nodiscard]] std::string block_section(const range::BlockRecord& record, std::size_t number,
                                        std::uint32_t workers, std::stop_token stop);

/// "840000", or the beginning of the hash of a block without another label.
[[nodiscard]] std::string label_of(const range::BlockRecord& record);

} // namespace blockloom::report
