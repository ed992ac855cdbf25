// Who writes what among the candidates of a window: what a transaction reads while those before it
// are not accepted yet, and what its reads are held against.
#pragma once

#include "execute/offer.h"
#include "execute/worker_pool.h"

#include <memory>
#include <span>

namespace blockloom::execute {

/// (key, transaction) → the value that the latest candidate below that transaction writes. Built in
/// parallel and then only read, without locks. Points into the offers, which must outlive it; its
/// memory is kept for the next window.
class VersionIndex {
public:
    /// Offers in block order; null: none yet. `beside` runs with the passes, on one worker.
    void build(std::span<const std::unique_ptr<Offer>> offers, WorkerPool& pool,
               const std::function<void()>& beside = {});

    /// Null: no candidate below `task` writes the key. `hash` is its state::KeyHash; `key` gives
    /// the key and is asked only where a candidate below may have written it: most lookups touch
    /// nothing but the slot.
    template <typename KeyOf>
    [[nodiscard]] const state::Value* latest_below(std::uint32_t task, std::uint64_t hash,
                                                   const KeyOf& key) const noexcept {
        const Part& part = parts_[part_of(hash)];
        const Slot* const slots = &slots_[part.slots];
        for (std::uint64_t at = hash & part.mask; slots[at].key != nullptr;
             at = (at + 1) & part.mask) {
            // A slot without a writer below gives nothing, whether it is the key's or not.
            if (slots[at].hash != hash || slots[at].first_task >= task) continue;
            if (*slots[at].key == key()) return latest_of(slots[at], task);
        }
        return nullptr;
    }

private:
    static constexpr std::size_t few_writes = 4096; ///< fewer make one part

    struct Entry { ///< a write, in block order within its part
        std::uint64_t hash = 0;
        const state::Key* key = nullptr;
        const state::Value* value = nullptr;
        std::uint32_t task = 0, slot = 0;
    };
    struct Slot { ///< a key; open addressing within a part
        std::uint64_t hash = 0;
        const state::Key* key = nullptr; ///< null: free
        std::uint32_t first = 0, count = 0, filled = 0;
        std::uint32_t first_task = 0; ///< the lowest writer
    };
    struct Version {
        std::uint32_t task = 0;
        const state::Value* value = nullptr;
    };
    struct Part {
        std::size_t entries = 0; ///< the first of its own; versions lie at the same places
        std::size_t slots = 0;
        std::uint64_t mask = 0;
    };

    [[nodiscard]] std::size_t part_of(std::uint64_t hash) const noexcept {
        return static_cast<std::size_t>(hash >> 56U) & (parts_.size() - 2);
    }
    void group(std::size_t part);
    [[nodiscard]] const state::Value* latest_of(const Slot& slot,
                                                std::uint32_t task) const noexcept;

    std::vector<Part> parts_ = std::vector<Part>(2); ///< and one behind the last
    std::vector<Entry> entries_;
    std::vector<Slot> slots_;
    std::vector<Version> versions_;
    std::vector<std::size_t> places_; ///< by piece of the offers and part
};

/// The state that one transaction of a window sees.
class WindowView final : public state::StateView {
public:
    WindowView(const VersionIndex& versions, const state::StateView& before, std::uint32_t task)
        : versions_(&versions), before_(&before), task_(task) {}

    [[nodiscard]] Result<state::Value> get(std::string_view key) const override {
        const state::Value* found =
            versions_->latest_below(task_, state::KeyHash{}(key), [&] { return key; });
        return found != nullptr ? Result<state::Value>(*found) : before_->get(key);
    }

private:
    const VersionIndex* versions_;
    const state::StateView* before_;
    std::uint32_t task_;
};

} // namespace blockloom::execute
