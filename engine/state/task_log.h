// What an execution depended on and what it wants to change: the log that acceptance checks and
// that the true trace is made of (docs/state.md#what-is-logged).
#pragma once

#include "base/u128.h"
#include "state/value.h"
#include "state/write_set.h"

#include <vector>

namespace blockloom::state {

/// The first read of a key by a task that had not written it before.
struct Read {
    Key key;
    Value value;
    bool inside = false; ///< the value was left by an earlier task of the same transaction

    bool operator==(const Read&) const = default;
};

/// The predicate "the counter at `key` (`counter_of`) is above `value`": holds for more states than
/// a read of the counter would.
struct CounterAbove {
    Key key;
    u128 value = 0;
    bool inside = false; ///< the counter was left by an earlier task of the same transaction

    bool operator==(const CounterAbove&) const = default;
};

/// One task. Reads in the order in which they happened; reads that only a silent write stands for
/// come last.
struct TaskLog {
    std::vector<Read> reads;              ///< each key once
    std::vector<CounterAbove> predicates; ///< each key once, with the highest value asked for
    WriteSet writes;                      ///< net, against the value before the task
    std::vector<Key> attempted;           ///< rolled back and not in `writes`; sorted, each once
};

/// One transaction: the unit of acceptance. Its reads and predicates are those that were answered
/// from below it, its writes are net against the state below it.
struct TransactionLog {
    std::vector<Read> reads;
    std::vector<CounterAbove> predicates;
    WriteSet writes;
    std::vector<TaskLog> tasks; ///< in program order
};

} // namespace blockloom::state
