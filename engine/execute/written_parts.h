// What blocks have written, in parts by hash that workers fill at once.
#pragma once

#include "execute/worker_pool.h"
#include "state/block_changes.h"
#include "state/written_state.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
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
    /// `pool` null: on this thread. Otherwise these are stages of the pool.
    void apply(std::span<const state::Change> changes, WorkerPool* pool) {
        if (pool == nullptr || changes.size() < worth_parting)
            return put(changes.size(),
                       [&](std::size_t i) -> const state::Change& { return changes[i]; });
        // First which changes belong to which part, then each part takes its own.
        std::vector<Range> ranges((changes.size() + range_size - 1) / range_size);
        const auto divide = [&](unsigned, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                ranges[i].divide(changes.subspan(
                    i * range_size, std::min(range_size, changes.size() - i * range_size)));
        };
        const auto take = [&](unsigned, std::size_t begin, std::size_t end) {
            std::vector<const state::Change*> own;
            for (std::size_t part = begin; part < end; ++part) {
                own.clear();
                for (std::size_t i = 0; i < ranges.size(); ++i)
                    for (const std::uint16_t place : ranges[i].of(part))
                        own.push_back(&changes[i * range_size + place]);
                put(own.size(), [&](std::size_t i) -> const state::Change& { return *own[i]; });
            }
        };
        const std::array<WorkerPool::Stage, 2> stages{
            {{ranges.size(), 1, divide}, {part_count, 1, take}}};
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
    static constexpr std::size_t part_count = 16, range_size = 256;

    /// By the highest bits: the lower half is where a key lies in a part's table.
    [[nodiscard]] static std::size_t part_of(std::uint64_t hash) noexcept { return hash >> 60U; }
    /// Neighbouring changes, by part.
    struct Range {
        void divide(std::span<const state::Change> changes) {
            for (const state::Change& change : changes) ++begins[part_of(change.key.hash())];
            std::partial_sum(begins.begin(), begins.end(), begins.begin()); // now the ends
            for (std::size_t i = changes.size(); i-- > 0;)
                order[--begins[part_of(changes[i].key.hash())]] = static_cast<std::uint16_t>(i);
        }
        [[nodiscard]] std::span<const std::uint16_t> of(std::size_t part) const noexcept {
            return std::span(order).subspan(begins[part], begins[part + 1] - begins[part]);
        }

        std::array<std::uint16_t, range_size> order;
        std::array<std::uint16_t, part_count + 1> begins{}; ///< of each part, in `order`
    };

    /// change(i) for i below `count`. Slots lie anywhere, and so do entries: they are fetched so
    /// many changes before they are needed.
    template <typename ChangeAt> void put(std::size_t count, const ChangeAt& change) {
        constexpr std::size_t ahead = 12, values_ahead = 6;
        const auto part = [&](std::size_t i) -> state::WrittenState& {
            return parts_[part_of(change(i).key.hash())];
        };
        for (std::size_t i = 0; i < count + ahead; ++i) {
            if (i < count) part(i).expect_place(change(i).key);
            if (const std::size_t next = i - values_ahead; i >= values_ahead && next < count)
                part(next).expect_value(change(next).key);
            if (i >= ahead) part(i - ahead).put(change(i - ahead).key, change(i - ahead).after);
        }
    }

    std::array<state::WrittenState, part_count> parts_;
};

} // namespace blockloom::execute
