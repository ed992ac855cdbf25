#include "execute/seen_state.h"

#include "base/u128.h"

namespace blockloom::execute {

state::MemoryState seen_state(const state::TransactionLog& log) {
    state::MemoryState state;
    for (const state::CounterAbove& predicate : log.predicates)
        state.put(predicate.key, u128_bytes(predicate.value + 1));
    for (const state::Read& read : log.reads) state.put(read.key, read.value);
    return state;
}

} // namespace blockloom::execute
