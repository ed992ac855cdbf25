// How a replay is compared with a node's records (range/node_check.h).
#pragma once

namespace blockloom::range {

/// How a replay is compared.
struct CheckRules {
    /// Fuel is metered as the indexer does; else it is not compared.
    bool exact_fuel = false;
    /// The code of built-in contracts is chosen by height: what the state has is not compared.
    bool code_by_height = false;
};

} // namespace blockloom::range
