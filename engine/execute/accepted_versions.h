// The latest writes of the accepted tasks of a block window: they do not change any more, and are
// not collected again for each check.
#pragma once

#include "state/write_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace blockloom::execute {

/// Slots of a hash table, a cache line. Filled from the front.
struct alignas(64) VersionBucket {
    static constexpr std::size_t size = 8;
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    std::array<std::uint32_t, size> tags;
    std::array<std::uint32_t, size> tasks; ///< free: `nobody`

    [[nodiscard]] bool is_full() const noexcept { return tasks.back() != nobody; }
    /// False: no slot in use has it. Compares all at once: most lookups need to know no more.
    [[nodiscard]] bool may_have(std::uint32_t tag) const noexcept {
        // Written as a loop, it would become a comparison and a jump for each.
        using Four [[gnu::vector_size(16)]] = std::uint32_t;
        using Halves [[gnu::vector_size(16)]] = std::uint64_t;
        static_assert(sizeof tags == 2 * sizeof(Four));
        Four first, second;
        std::memcpy(&first, tags.data(), sizeof first);
        std::memcpy(&second, tags.data() + size / 2, sizeof second);
        const auto halves = reinterpret_cast<Halves>((first == tag) | (second == tag));
        return (halves[0] | halves[1]) != 0;
    }
};

/// Keys in parts, which different threads may fill at the same time. Points into the executions.
/// A key's part and tag are those of its hash in VersionIndex.
class AcceptedVersions {
public:
    using Write = state::WriteSet::value_type;

    /// Forgets all; its memory is kept.
    void begin(std::size_t parts);
    /// Takes the place of an earlier write of the key.
    void put(std::size_t part, std::uint32_t tag, std::uint32_t task, const Write& write);

    struct Found {
        std::uint32_t task = VersionBucket::nobody;
        const Write* write = nullptr;
    };
    /// `key` returns the key's bytes and is only called if it may be there.
    template <typename KeyOf>
    [[nodiscard]] Found find(std::size_t part, std::uint32_t tag, const KeyOf& key) const {
        const Part& of = parts_[part];
        if (of.count == 0) return {};
        for (std::size_t at = of.home_of(tag);; at = of.after(at)) {
            const VersionBucket& bucket = of.buckets[at];
            for (std::size_t i = 0; i < VersionBucket::size; ++i) {
                if (bucket.tags[i] != tag || bucket.tasks[i] == VersionBucket::nobody) continue;
                const Write* const write = of.writes[at * VersionBucket::size + i];
                if (write->first == key()) return {bucket.tasks[i], write};
            }
            if (!bucket.is_full()) return {};
        }
    }
    /// True: nobody wrote a key with this tag.
    [[nodiscard]] bool surely_none(std::size_t part, std::uint32_t tag) const noexcept {
        const Part& of = parts_[part];
        if (of.count == 0) return true;
        for (std::size_t at = of.home_of(tag);; at = of.after(at)) {
            const VersionBucket& bucket = of.buckets[at];
            for (std::size_t i = 0; i < VersionBucket::size; ++i)
                if (bucket.tags[i] == tag && bucket.tasks[i] != VersionBucket::nobody) return false;
            if (!bucket.is_full()) return true;
        }
    }
    /// Prefetches what a lookup will access.
    void prefetch(std::size_t part, std::uint32_t tag) const noexcept {
        const Part& of = parts_[part];
        if (of.count != 0) __builtin_prefetch(&of.buckets[of.home_of(tag)]);
    }

private:
    /// Open addressing by buckets; at most half of the slots are in use.
    struct alignas(64) Part {
        std::size_t count = 0; ///< keys
        std::vector<VersionBucket> buckets;
        std::vector<const Write*> writes; ///< by slot

        [[nodiscard]] std::size_t home_of(std::uint32_t tag) const noexcept {
            return static_cast<std::size_t>((tag * std::uint64_t{buckets.size()}) >> 32U);
        }
        [[nodiscard]] std::size_t after(std::size_t at) const noexcept {
            return at + 1 == buckets.size() ? 0 : at + 1;
        }
        void make(std::size_t size);
        void add(std::uint32_t tag, std::uint32_t task, const Write& write);
    };

    std::vector<Part> parts_;
};

} // namespace blockloom::execute
