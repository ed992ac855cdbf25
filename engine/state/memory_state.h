// A state in memory: the reference in tests and the base of single calls.
#pragma once

#include "state/view.h"
#include "state/write_set.h"

#include <functional>
#include <map>

namespace blockloom::state {

/// An ordered map. Several threads may read it while nobody changes it.
class MemoryState final : public StateView {
public:
    using Map = std::map<Key, Value, std::less<>>;

    [[nodiscard]] Result<Value> get(const KeyView& key) const override;

    /// An absent or empty value erases the key.
    void put(std::string_view key, const Value& value);
    void apply(const WriteSet& writes);

    /// In the order of key bytes.
    [[nodiscard]] const Map& entries() const noexcept { return entries_; }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    Map entries_;
};

} // namespace blockloom::state
