// Which tasks of a flow read which keys, so that a write is compared with the reads that it may
// have changed and with no others.
#pragma once

#include "execute/huge_page_buffer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace blockloom::execute {

/// Maps the hash of a key to tasks, by their place in the round. Any worker adds and looks at any
/// time. Keys may share a list: a reader too many is compared for nothing. Keeps its memory. Most
/// lists are one cache line, lock included.
class KeyReaders {
public:
    KeyReaders() = default;
    KeyReaders(const KeyReaders&) = delete;
    KeyReaders& operator=(const KeyReaders&) = delete;

    /// Forgets everything. Nobody may be using it. `tasks`: about how many will be added.
    void begin(std::size_t tasks);

    void add(std::uint64_t hash, std::uint32_t place);
    /// Prefetches what `add` and `each_above` will change.
    void prefetch(std::uint64_t hash) const noexcept {
        __builtin_prefetch(&lists_[hash & mask_], 1);
    }
    /// Calls `found(place)` for each reader above `place`, some of them several times. It must not
    /// call this object.
    template <typename Found>
    void each_above(std::uint32_t place, std::uint64_t hash, const Found& found) const {
        List& list = lock(hash);
        const Unlock unlocked{list};
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const std::uint32_t reader = i < inside ? list.places[i] : (*list.beyond)[i - inside];
            if (reader > place) found(reader);
        }
    }

private:
    static constexpr std::uint32_t inside = 11;

    struct alignas(64) List {
        std::uint32_t locked;     ///< accessed atomically
        std::uint32_t generation; ///< the places are of this one
        std::uint32_t count;
        std::array<std::uint32_t, inside> places;
        std::vector<std::uint32_t>* beyond; ///< places from `inside` on; null: there were none yet
    };

    /// At the end of the scope.
    struct Unlock {
        List& list;
        ~Unlock() { unlock(list); }
    };

    static void remove_repeated(List& list);
    [[nodiscard]] List& lock(std::uint64_t hash) const;
    static void unlock(List& list) noexcept;

    mutable HugePageBuffer<List> lists_;
    std::size_t size_ = 0, mask_ = 0; ///< lists that were ever used; those in use, less 1
    std::uint32_t generation_ = 0;
    std::mutex beyond_guard_;
    std::deque<std::vector<std::uint32_t>> beyond_;
};

} // namespace blockloom::execute
