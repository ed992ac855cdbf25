// The parts of a range's report that describe blocks.
#pragma once

#include "range/range.h"
#include "report/document.h"

#include <string>

namespace blockloom::report {

/// A row a block; those with `detailed` true link to their section. Refers to `range`.
[[nodiscard]] Table blocks_table(const range::Range& range, std::vector<bool> detailed);

/// A block's section: figures, level sizes, simulated schedules, its graph and Gantt chart, hot
/// keys. Refers to `record`.
[[nodiscard]] Section block_section(const range::BlockRecord& record, std::size_t number,
                                    std::uint32_t workers, const std::stop_token& stop);

/// "840000", or the beginning of the hash of a block without another label.
[[nodiscard]] std::string label_of(const range::BlockRecord& record);

} // namespace blockloom::report
