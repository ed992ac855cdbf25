#include "state/acceptance.h"

namespace blockloom::state {

Result<bool> accepts(const TransactionLog& log, const StateView& now) {
    for (const Read& read : log.reads) {
        const Result<Value> value = now.get(read.key);
        if (!value) return value.error();
        if (!(*value == read.value)) return false;
    }
    for (const CounterAbove& predicate : log.predicates) {
        const Result<Value> value = now.get(predicate.key);
        if (!value) return value.error();
        if (counter_of(*value) <= predicate.value) return false;
    }
    return true;
}

} // namespace blockloom::state
