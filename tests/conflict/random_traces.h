// Seeded traces of many shapes, with names, costs, transactions and votes.
#pragma once

#include "trace/block_trace.h"

#include <memory>
#include <random>

namespace blockloom::test {

struct TraceShape {
    trace::TaskId tasks = 20;
    trace::KeyId keys = 10;
    unsigned most_touches = 4; ///< a task draws 0 to this many keys
    double skew = 0;           ///< Zipf exponent of the keys
    double write_share = 0.4, both_share = 0.2;
    bool costs = false, transactions = false, votes = false;
};

/// Keys are named by turns "storage:A:7", "balance:A", "nonce:A", "utxo:…" and so on over few
/// accounts, so that patterns and coarsening have something to take.
[[nodiscard]] std::shared_ptr<const trace::BlockTrace> random_trace(std::mt19937_64& random,
                                                                    const TraceShape& shape);

/// A shape drawn at random: from empty to a few dozen tasks on one to many keys.
[[nodiscard]] TraceShape random_shape(std::mt19937_64& random);

} // namespace blockloom::test
