// The log of an execution: what it depended on and what it changes. Acceptance checks it, and the
// true trace is made from it (docs/state.md#what-is-logged).
#pragma once

#include "base/arena.h"
#include "base/flat_list.h"
#include "base/u128.h"
#include "state/key.h"
#include "state/value.h"
#include "state/write_set.h"

namespace blockloom::state {

/// The first read of a key by a task that had not written it before.
struct Read {
    Key key;
    Value value;
    bool inside = false; ///< the value was left by an earlier task of the same transaction

    bool operator==(const Read&) const = default;
};
[[nodiscard]] inline bool lies_flat(const Read& read) noexcept {
    return lies_flat(read.key) && lies_flat(read.value);
}

/// The predicate "the counter at `key` (`counter_of`) is above `value`": it holds for more states
/// than a read of the counter would.
struct CounterAbove {
    Key key;
    u128 value = 0;
    bool inside = false; ///< the counter was left by an earlier task of the same transaction

    bool operator==(const CounterAbove&) const = default;
};
[[nodiscard]] inline bool lies_flat(const CounterAbove& predicate) noexcept {
    return lies_flat(predicate.key);
}

/// The log of one task. Reads are in the order in which they happened; reads that are only implied
/// by a silent write come last.
struct TaskLog {
    FlatList<Read> reads;              ///< each key once
    FlatList<CounterAbove> predicates; ///< each key once, with the highest value compared
    WriteSet writes;                   ///< net, compared with the value before the task
    FlatList<Key> attempted;           ///< rolled back and not in `writes`; sorted, each once
};
[[nodiscard]] inline bool lies_flat(const TaskLog& log) noexcept {
    return blockloom::lies_flat(log.reads) && blockloom::lies_flat(log.predicates) &&
           blockloom::lies_flat(log.writes) && blockloom::lies_flat(log.attempted);
}

/// One transaction: the unit of acceptance. Its reads and predicates are those that were answered
/// by the state below it, and its writes are net, compared with that state.
struct TransactionLog {
    /// Where the lists of a log lie that an execution left (docs/state.md#memory-of-a-log): it must
    /// be moved with them.
    Arena memory;
    FlatList<Read> reads;
    FlatList<CounterAbove> predicates;
    WriteSet writes;
    FlatList<TaskLog> tasks; ///< in program order
    /// Of a void transaction: the values of the state below it that dropped writes were compared
    /// with, where `reads` does not have them. What is attempted and what is silent depends on
    /// them.
    FlatList<Read> compared;
};

} // namespace blockloom::state
