// The comparison of a run with a node's records, in a report.
#pragma once

#include "range/check_result.h"
#include "report/document.h"

namespace blockloom::report {

/// How much was compared, the differences as a table, and what was not compared. The table refers
/// to `check`.
void add_check(std::vector<Part>& parts, const range::NodeCheck& check);

} // namespace blockloom::report
