#include "state/block_changes.h"

namespace blockloom::state {

Result<Value> BlockState::get(std::string_view key) const {
    const auto found = written_.find(key);
    if (found != written_.end()) return found->second;
    return base_->get(key);
}

void BlockState::apply(const WriteSet& writes) {
    for (const auto& [key, value] : writes) written_.insert_or_assign(key, value.canonical());
}

Result<std::vector<Change>> BlockState::changes() const {
    std::vector<Change> changes;
    changes.reserve(written_.size());
    for (const auto& [key, after] : written_) {
        Result<Value> before = base_->get(key);
        if (!before) return before.error();
        if (!(*before == after)) changes.push_back({key, std::move(*before), after});
    }
    return changes;
}

} // namespace blockloom::state
