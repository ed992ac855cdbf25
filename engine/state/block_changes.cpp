#include "state/block_changes.h"

#include "base/prefetch.h"
#include "state/sort_keys.h"

namespace blockloom::state {
namespace {

using Write = WriteSet::value_type;
using Entry = WrittenState::Entry;

const Key& key_of(const Write& write) noexcept {
    return write.first;
}
const Key& key_of(const Entry& entry) noexcept {
    return entry.key;
}
Value value_of(const Write& write) {
    return write.second.canonical();
}
const Value& value_of(const Entry& entry) noexcept {
    return entry.value;
}

template <typename Item>
Result<std::vector<Change>> changes_of(const StateView& base,
                                       const std::vector<const Item*>& sorted) {
    std::vector<Change> changes;
    changes.reserve(sorted.size());
    // Neither the items nor what the base has of them lie in this order.
    constexpr std::size_t items_ahead = 12, lookups_ahead = 8, values_ahead = 4;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i + items_ahead < sorted.size()) prefetch_near(sorted[i + items_ahead]);
        if (i + lookups_ahead < sorted.size()) base.expect(key_of(*sorted[i + lookups_ahead]));
        if (i + values_ahead < sorted.size()) base.expect_value(key_of(*sorted[i + values_ahead]));
        const Item& item = *sorted[i];
        Result<Value> before = base.get(key_of(item));
        if (!before) return before.error();
        const auto& after = value_of(item);
        if (!(*before == after)) changes.push_back({key_of(item), *std::move(before), after});
    }
    return changes;
}

} // namespace

Result<std::vector<Change>> changes_on(const StateView& base, const WrittenState& written) {
    return changes_of(base, written.sorted());
}

Result<std::vector<Change>> changes_on(const StateView& base, std::vector<const Write*> writes) {
    sort_by_key(writes, [](const Write* write) { return write->first.bytes(); });
    return changes_of(base, writes);
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
