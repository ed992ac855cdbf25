#include "state/block_changes.h"

namespace blockloom::state {

Result<std::vector<Change>> changes_on(const StateView& base, const WrittenState& written) {
    std::vector<Change> changes;
    changes.reserve(written.size());
    const std::vector<const WrittenState::Entry*> sorted = written.sorted();
    // Neither the entries nor what the base has of them lie in this order.
    constexpr std::size_t entries_ahead = 12, lookups_ahead = 8, values_ahead = 4;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i + entries_ahead < sorted.size()) WrittenState::expect(*sorted[i + entries_ahead]);
        if (i + lookups_ahead < sorted.size()) base.expect(sorted[i + lookups_ahead]->key);
        if (i + values_ahead < sorted.size()) base.expect_value(sorted[i + values_ahead]->key);
        const WrittenState::Entry* const entry = sorted[i];
        Result<Value> before = base.get(entry->key);
        if (!before) return before.error();
        if (!(*before == entry->value))
            changes.push_back({entry->key, *std::move(before), entry->value});
    }
    return changes;
}

Result<Value> BlockState::get(const KeyView& key) const {
    if (const Value* const found = written_.find(key)) return *found;
    return base_->get(key);
}

void BlockState::expect(const KeyView& key) const noexcept {
    written_.expect(key);
    base_->expect(key);
}

void BlockState::expect_value(const KeyView& key) const noexcept {
    written_.expect_value(key);
    base_->expect_value(key);
}

void BlockState::apply(const WriteSet& writes) {
    for (const auto& [key, value] : writes) written_.put(key, value.canonical());
}

} // namespace blockloom::state
