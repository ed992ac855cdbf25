// The changes of a block, and to which part of what was written each of them belongs.
#pragma once

#include "state/block_changes.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace blockloom::execute {

/// Parts by hash: more than most machines have workers, so that one that is busy with a task delays
/// the others by less. By the highest bits: the lower half is where a key lies in a part's table.
struct PartsByHash {
    static constexpr unsigned bits = 6;
    static constexpr std::size_t count = std::size_t{1} << bits;

    [[nodiscard]] static std::size_t of(std::uint64_t hash) noexcept {
        return hash >> (64U - bits);
    }
};

/// Refers to changes, which must outlive it. Whoever needs them parted does so, or it was done
/// before, when there was more time: `begin`, then `part` for each of `ranges`, on any threads.
class PartedChanges {
public:
    template <typename Changes>
    requires std::convertible_to<const Changes&, std::span<const state::Change>>
    PartedChanges(const Changes& changes) : all_(changes) {}

    [[nodiscard]] std::span<const state::Change> all() const noexcept { return all_; }
    /// Fewer changes are put on one thread faster than workers are woken.
    [[nodiscard]] bool are_worth_parting() const noexcept { return all_.size() >= worth_parting; }

    void begin() { ranges_.resize((all_.size() + range_size - 1) / range_size); }
    [[nodiscard]] std::size_t ranges() const noexcept { return ranges_.size(); }
    void part(std::size_t range) {
        const std::size_t first = range * range_size;
        ranges_[range].fill(all_.subspan(first, std::min(range_size, all_.size() - first)));
    }
    [[nodiscard]] bool are_parted() const noexcept { return !ranges_.empty(); }
    /// Adds those of a part, in their order.
    void add_part(std::size_t part, std::vector<const state::Change*>& to) const {
        for (std::size_t i = 0; i < ranges_.size(); ++i)
            for (const std::uint16_t place : ranges_[i].of(part))
                to.push_back(&all_[i * range_size + place]);
    }

private:
    static constexpr std::size_t worth_parting = 2048, range_size = 256;

    /// Neighbouring changes, by part.
    struct Range {
        void fill(std::span<const state::Change> changes) {
            for (const state::Change& change : changes)
                ++begins[PartsByHash::of(change.key.hash())];
            std::partial_sum(begins.begin(), begins.end(), begins.begin()); // now the ends
            for (std::size_t i = changes.size(); i-- > 0;)
                order[--begins[PartsByHash::of(changes[i].key.hash())]] =
                    static_cast<std::uint16_t>(i);
        }
        [[nodiscard]] std::span<const std::uint16_t> of(std::size_t part) const noexcept {
            return std::span(order).subspan(begins[part], begins[part + 1] - begins[part]);
        }

        std::array<std::uint16_t, range_size> order;
        std::array<std::uint16_t, PartsByHash::count + 1> begins{}; ///< of each part, in `order`
    };

    std::span<const state::Change> all_;
    std::vector<Range> ranges_;
};

} // namespace blockloom::execute
