// What blocks have written, in parts by hash that workers fill at once.
#pragma once

#include "execute/parted_changes.h"
#include "execute/worker_pool.h"
#include "state/written_state.h"

#include <array>
#include <cstddef>
#include <vector>

namespace blockloom::execute {

/// Several threads may read it while no changes are applied.
class WrittenParts {
public:
    using Entry = state::WrittenState::Entry;

    /// Null: it holds no such key.
    [[nodiscard]] const state::Value* find(const state::KeyView& key) const noexcept {
        return parts_[PartsByHash::of(key.hash)].find(key);
    }
    // As in state::WrittenState.
    void expect(const state::KeyView& key) const noexcept {
        parts_[PartsByHash::of(key.hash)].expect(key);
    }
    void expect_value(const state::KeyView& key) const noexcept {
        parts_[PartsByHash::of(key.hash)].expect_value(key);
    }
    /// `pool` null: on this thread. Otherwise these are stages of the pool.
    void apply(const PartedChanges& changes, WorkerPool* pool) {
        if (pool == nullptr || !changes.are_worth_parting())
            return put(changes.all().size(),
                       [&](std::size_t i) -> const state::Change& { return changes.all()[i]; });
        if (changes.are_parted())
            return pool->each(PartsByHash::count, 1, [&](unsigned, std::size_t part, std::size_t) {
                put_part(changes, part);
            });
        PartedChanges parted = changes;
        parted.begin();
        const auto divide = [&](unsigned, std::size_t range, std::size_t) { parted.part(range); };
        const auto take = [&](unsigned, std::size_t part, std::size_t) { put_part(parted, part); };
        const std::array<WorkerPool::Stage, 2> stages{
            {{parted.ranges(), 1, divide}, {PartsByHash::count, 1, take}}};
        pool->stages(stages);
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
        for (const state::WrittenState& part : parts_) part.add_entries(all);
        state::WrittenState::sort(all);
        return all;
    }

private:
    void put_part(const PartedChanges& changes, std::size_t part) {
        std::vector<const state::Change*> own;
        own.reserve(2 * changes.all().size() / PartsByHash::count);
        changes.add_part(part, own);
        put(own.size(), [&](std::size_t i) -> const state::Change& { return *own[i]; });
    }

    /// change(i) for i below `count`. Slots lie anywhere, and so do entries: they are fetched so
    /// many changes before they are needed.
    template <typename ChangeAt> void put(std::size_t count, const ChangeAt& change) {
        constexpr std::size_t ahead = 12, values_ahead = 6;
        const auto part = [&](std::size_t i) -> state::WrittenState& {
            return parts_[PartsByHash::of(change(i).key.hash())];
        };
        for (std::size_t i = 0; i < count + ahead; ++i) {
            if (i < count) part(i).expect_place(change(i).key);
            if (const std::size_t next = i - values_ahead; i >= values_ahead && next < count)
                part(next).expect_value(change(next).key);
            if (i >= ahead) part(i - ahead).put(change(i - ahead).key, change(i - ahead).after);
        }
    }

    std::array<state::WrittenState, PartsByHash::count> parts_;
};

} // namespace blockloom::execute
