// A state in memory: the reference in tests, the base of single calls.
#pragma once

#include "state/view.h"
#include "state/write_set.h"

#include <functional>
#include <map>

namespace blockloom::state {

/// An ordered map. Reading by several threads is safe while nobody changes it.
class MemoryState final : public StateView {
public:
    using Map = std::map<Key, Value, std::less<>>;

    [[nodiscard]] Result<Value> get(std::string_view key) const override;

    /// Absence and an empty value erase.
    void put(std::string_view key, const Value& value);
    void apply(const WriteSet& writes);

    /// In the order of key bytes.
    [[nodiscard]] const Map& entries() const noexcept { return entries_; }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    Map entries_;
};

} // namespace blockloom::state
