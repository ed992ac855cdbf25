#include "state/memory_state.h"

namespace blockloom::state {

Result<Value> MemoryState::get(const KeyView& key) const {
    const auto found = entries_.find(key.bytes);
    return found == entries_.end() ? Value() : found->second;
}

void MemoryState::put(std::string_view key, const Value& value) {
    const auto found = entries_.find(key);
    Value canonical = value.canonical();
    if (!canonical) {
        if (found != entries_.end()) entries_.erase(found);
    } else if (found != entries_.end()) {
        found->second = std::move(canonical);
    } else {
        entries_.emplace(Key(key), std::move(canonical));
    }
}

void MemoryState::apply(const WriteSet& writes) {
    for (const auto& [key, value] : writes) put(key, value);
}

} // namespace blockloom::state
