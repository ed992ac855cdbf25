// What blocks have written, in parts by hash that workers fill at once.
#pragma once

#include "execute/worker_pool.h"
#include "state/block_changes.h"
#include "state/written_state.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

namespace blockloom::execute {

/// Several threads may read it while no changes are applied.
class WrittenParts {
public:
    using Entry = state::WrittenState::Entry;

    /// Null: it holds no such key.
    [[nodiscard]] const state::Value* find(const state::KeyView& key) const noexcept {
        return parts_[part_of(key.hash)].find(key);
    }
    // As in state::WrittenState.
    void expect(const state::KeyView& key) const noexcept { parts_[part_of(key.hash)].expect(key); }
    void expect_value(const state::KeyView& key) const noexcept {
        parts_[part_of(key.hash)].expect_value(key);
    }
    /// `pool` null: on this thread. Otherwise this is a stage of the pool.
    void apply(const std::vector<state::Change>& changes, WorkerPool* pool) {
        if (pool == nullptr || changes.size() < worth_parting)
            return put_of(changes, 0, parts_.size());
        // Each share is a pass over all changes.
        const std::size_t share = (parts_.size() - 1) / pool->workers() + 1;
        pool->each(parts_.size(), share, [&](unsigned, std::size_t begin, std::size_t end) {
            put_of(changes, begin, end);
        });
    }
    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t size = 0;
        for (const state::WrittenState& part : parts_) size += part.size();
        return size;
    }
    /// All entries, by key bytes.
    [[nodiscard]] std::vector<const Entry*> sorted() const {
        std::vector<const Entry*> all;
        all.reserve(size());
        for (const state::WrittenState& part : parts_) {
            const auto own = part.sorted();
            const auto middle = static_cast<std::ptrdiff_t>(all.size());
            all.insert(all.end(), own.begin(), own.end());
            std::inplace_merge(all.begin(), all.begin() + middle, all.end(),
                               [](const Entry* a, const Entry* b) { return a->key < b->key; });
        }
        return all;
    }

private:
    /// Fewer changes are put faster than workers are woken.
    static constexpr std::size_t worth_parting = 2048;

    /// By the highest bits: the lower half is where a key lies in a part's table.
    [[nodiscard]] static std::size_t part_of(std::uint64_t hash) noexcept { return hash >> 60U; }
    /// Those changes that belong to parts [begin, end).
    void put_of(const std::vector<state::Change>& changes, std::size_t begin, std::size_t end) {
        // The slots lie anywhere, and so do the entries: they are fetched this many changes before
        // they are needed.
        constexpr std::size_t ahead = 12, values_ahead = 6;
        const auto is_own = [begin, end](const state::Change& change) {
            const std::size_t part = part_of(change.key.hash());
            return part >= begin && part < end;
        };
        for (std::size_t i = 0; i < changes.size() + ahead; ++i) {
            if (i < changes.size() && is_own(changes[i]))
                parts_[part_of(changes[i].key.hash())].expect_place(changes[i].key);
            if (const std::size_t next = i - values_ahead;
                i >= values_ahead && next < changes.size() && is_own(changes[next]))
                expect_value(changes[next].key);
            if (i < ahead) continue;
            const state::Change& change = changes[i - ahead];
            if (is_own(change)) parts_[part_of(change.key.hash())].put(change.key, change.after);
        }
    }

    std::array<state::WrittenState, 16> parts_;
};

} // namespace blockloom::execute
