#include "state/block_changes.h"

namespace blockloom::state {

Result<Value> BlockState::get(const KeyView& key) const {
    if (const Value* const found = written_.find(key)) return *found;
    return base_->get(key);
}

void BlockState::apply(const WriteSet& writes) {
    for (const auto& [key, value] : writes) written_.put(key, value.canonical());
}

Result<std::vector<Change>> BlockState::changes() const {
    std::vector<Change> changes;
    changes.reserve(written_.size());
    for (const WrittenState::Entry* const entry : written_.sorted()) {
        Result<Value> before = base_->get(entry->key);
        if (!before) return before.error();
        if (!(*before == entry->value))
            changes.push_back({entry->key, std::move(*before), entry->value});
    }
    return changes;
}

} // namespace blockloom::state
