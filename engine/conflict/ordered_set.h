// Sets of task ids that yield their members in ascending order, each once, and are empty again
// afterwards: they collect the predecessors of a task.
#pragma once

#include "trace/access.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace blockloom::conflict {

/// A tree of bits: bit i of a level says that word i of the level below is not zero. The top level
/// is one word, so a set of depth d holds ids below 64^d. Adding costs d words; taking costs the
/// members and the words above them.
template <int Depth> class OrderedSet {
public:
    using Word = std::uint64_t;

    /// For ids below `ids`, which must be at most 64^Depth.
    explicit OrderedSet(std::size_t ids) {
        for (std::vector<Word>& level : levels_) {
            ids = (ids + 63) / 64;
            level.assign(ids == 0 ? 1 : ids, 0);
        }
    }

    /// Adds the id if `wanted` (without a branch).
    void add(trace::TaskId id, bool wanted = true) noexcept {
        Word bit = wanted;
        for (int depth = 0; depth < Depth; ++depth) {
            levels_[static_cast<std::size_t>(depth)][id / 64] |= bit << (id % 64);
            id /= 64;
        }
    }

    /// Calls `each(id)` for the members in ascending order and empties the set.
    template <typename Each> void take(Each each) { take_below<Depth - 1>(0, each); }

private:
    template <int Level, typename Each> void take_below(std::size_t word, Each& each) {
        Word left = levels_[Level][word];
        if (left == 0) return;
        levels_[Level][word] = 0;
        for (; left != 0; left &= left - 1) {
            const std::size_t below = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
            if constexpr (Level == 0) {
                each(static_cast<trace::TaskId>(below));
            } else {
                take_below<Level - 1>(below, each);
            }
        }
    }

    std::array<std::vector<Word>, Depth> levels_;
};

/// The same as a list that is sorted when its members are taken: for so many ids that the tree of
/// bits would not stay in the cache.
class SortedList {
public:
    explicit SortedList(std::size_t /*ids*/) : members_(64) {}

    void add(trace::TaskId id, bool wanted = true) {
        if (size_ == members_.size()) members_.resize(2 * size_);
        members_[size_] = id;
        size_ += wanted;
    }

    template <typename Each> void take(Each each) {
        trace::TaskId* const first = members_.data();
        trace::TaskId* const last = first + size_;
        if (size_ <= few) {
            insertion_sort(first, last);
        } else {
            std::sort(first, last);
        }
        std::for_each(first, std::unique(first, last), each);
        size_ = 0;
    }

private:
    static constexpr std::size_t few = 24;

    static void insertion_sort(trace::TaskId* first, trace::TaskId* last) noexcept {
        for (trace::TaskId* next = first; next != last; ++next) {
            const trace::TaskId id = *next;
            trace::TaskId* at = next;
            for (; at != first && at[-1] > id; --at) *at = at[-1];
            *at = id;
        }
    }

    std::vector<trace::TaskId> members_;
    std::size_t size_ = 0;
};

} // namespace blockloom::conflict
