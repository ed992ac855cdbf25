// A block's dependency edges for graph programs: Graphviz DOT and GraphML.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// Nodes are tasks with name, level, group and cost; an edge (i, j) means that j waits for i.
/// Directed, block order.
[[nodiscard]] std::string dependency_dot(const range::BlockRecord& record);

/// The same as GraphML (http://graphml.graphdrawing.org): well-formed XML whatever the names
/// contain.
[[nodiscard]] std::string dependency_graphml(const range::BlockRecord& record);

} // namespace blockloom::report
