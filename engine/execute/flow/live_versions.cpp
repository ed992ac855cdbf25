#include "execute/flow/live_versions.h"

#include "alkanes/state_keys.h"
#include "execute/flow/spin_lock.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

constexpr std::size_t shard_count = 1024;
constexpr std::size_t first_slots = 16;

bool is_stored_code(const state::Key& key) noexcept {
    return !key.empty() && static_cast<alkanes::KeyKind>(key.front()) == alkanes::KeyKind::bytecode;
}

} // namespace

struct alignas(64) LiveVersions::Shard {
    /// A key and its versions in block order. Most keys have one.
    struct Slot {
        const state::Key* key = nullptr; ///< null: free
        Version only;                    ///< if `more` is empty; writer `nobody`: none is left
        std::vector<Version> more;
    };

    SpinLock lock;
    std::uint32_t generation = 0; ///< the slots are of this one
    /// Bits of the hashes of its keys: most reads are of keys that nobody writes, and need no lock.
    std::atomic<std::uint64_t> filter{0};
    std::atomic<std::uint32_t> filter_generation{0};
    std::size_t used = 0;
    std::vector<Slot> slots; ///< open addressing

    static std::uint64_t filter_bit(std::uint64_t hash) noexcept {
        return std::uint64_t{1} << ((hash >> 40U) & 63U);
    }
    [[nodiscard]] std::size_t home_of(std::uint64_t hash) const noexcept {
        return (hash >> 12U) & (slots.size() - 1);
    }
    [[nodiscard]] Slot* find(const state::KeyView& key) noexcept {
        if (slots.empty()) return nullptr;
        for (std::size_t at = home_of(key.hash);; at = (at + 1) & (slots.size() - 1)) {
            Slot& slot = slots[at];
            if (slot.key == nullptr) return nullptr;
            if (state::KeyView(*slot.key) == key) return &slot;
        }
    }
    void grow() {
        std::vector<Slot> old = std::move(slots);
        slots = std::vector<Slot>(std::max(first_slots, 2 * old.size()));
        for (Slot& slot : old)
            if (slot.key != nullptr) {
                std::size_t at = home_of(slot.key->hash());
                while (slots[at].key != nullptr) at = (at + 1) & (slots.size() - 1);
                slots[at] = std::move(slot);
            }
    }
    Slot& add(const state::Key& key) {
        if (2 * (used + 1) > slots.size()) grow();
        std::size_t at = home_of(key.hash());
        while (slots[at].key != nullptr) at = (at + 1) & (slots.size() - 1);
        slots[at].key = &key;
        ++used;
        return slots[at];
    }
    void forget() {
        for (Slot& slot : slots) {
            slot.key = nullptr;
            slot.only = {};
            slot.more.clear();
        }
        used = 0;
    }
};

LiveVersions::LiveVersions() : shards_(std::make_unique<Shard[]>(shard_count)) {}
LiveVersions::~LiveVersions() = default;

void LiveVersions::begin() noexcept {
    ++generation_;
}

LiveVersions::Shard& LiveVersions::shard_of(std::uint64_t hash) const noexcept {
    return shards_[hash & (shard_count - 1)];
}

void LiveVersions::put(std::uint32_t task, const state::Key& key, const state::Value* value) {
    Shard& shard = shard_of(key.hash());
    const std::lock_guard lock(shard.lock);
    if (shard.generation != generation_) {
        shard.forget();
        shard.generation = generation_;
        shard.filter.store(0, std::memory_order_relaxed);
        shard.filter_generation.store(generation_, std::memory_order_relaxed);
    }
    Shard::Slot* slot = shard.find(key);
    if (slot == nullptr) {
        slot = &shard.add(key);
        shard.filter.fetch_or(Shard::filter_bit(key.hash()), std::memory_order_relaxed);
    }
    if (slot->more.empty()) {
        if (slot->only.writer == nobody || slot->only.writer == task) {
            slot->only = {task, value};
            return;
        }
        slot->more.push_back(slot->only);
    }
    const auto at = std::lower_bound(
        slot->more.begin(), slot->more.end(), task,
        [](const Version& version, std::uint32_t wanted) { return version.writer < wanted; });
    if (at != slot->more.end() && at->writer == task)
        at->value = value;
    else
        slot->more.insert(at, {task, value});
}

void LiveVersions::take_out(std::uint32_t task, const state::Key& key) {
    Shard& shard = shard_of(key.hash());
    const std::lock_guard lock(shard.lock);
    Shard::Slot* const slot = shard.generation == generation_ ? shard.find(key) : nullptr;
    if (slot == nullptr) return;
    if (slot->more.empty()) {
        if (slot->only.writer == task) slot->only = {};
        return;
    }
    const auto at = std::find_if(slot->more.begin(), slot->more.end(),
                                 [&](const Version& version) { return version.writer == task; });
    if (at != slot->more.end()) slot->more.erase(at);
    if (!slot->more.empty()) return;
    slot->only = {};
}

bool LiveVersions::publish(std::uint32_t task, const state::WriteSet& writes,
                           const state::WriteSet* before) {
    bool any_new = false;
    // Code first: whoever finds the key that names it looks for it.
    for (const bool code : {true, false})
        for (const auto& [key, value] : writes) {
            if (is_stored_code(key) != code) continue;
            any_new = any_new || before == nullptr || state::written(*before, key) == nullptr;
            put(task, key, &value);
        }
    if (before != nullptr)
        for (const auto& [key, value] : *before)
            if (!is_stored_code(key) && state::written(writes, key) == nullptr) take_out(task, key);
    return any_new;
}

void LiveVersions::estimate(std::uint32_t task, const state::WriteSet& writes) {
    for (const auto& [key, value] : writes)
        if (!is_stored_code(key)) put(task, key, nullptr);
}

LiveVersions::Version LiveVersions::latest_below(std::uint32_t task,
                                                 const state::KeyView& key) const {
    Shard& shard = shard_of(key.hash);
    // Whoever must find a version runs after it was published.
    if (shard.filter_generation.load(std::memory_order_relaxed) != generation_ ||
        (shard.filter.load(std::memory_order_relaxed) & Shard::filter_bit(key.hash)) == 0)
        return {};
    const std::lock_guard lock(shard.lock);
    Shard::Slot* const slot = shard.generation == generation_ ? shard.find(key) : nullptr;
    if (slot == nullptr) return {};
    if (slot->more.empty()) return slot->only.writer < task ? slot->only : Version();
    const auto at = std::lower_bound(
        slot->more.begin(), slot->more.end(), task,
        [](const Version& version, std::uint32_t wanted) { return version.writer < wanted; });
    return at == slot->more.begin() ? Version() : *(at - 1);
}

std::uint32_t LiveVersions::next_writer_above(std::uint32_t task, const state::Key& key) const {
    Shard& shard = shard_of(key.hash());
    const std::lock_guard lock(shard.lock);
    const Shard::Slot* const slot = shard.generation == generation_ ? shard.find(key) : nullptr;
    if (slot == nullptr) return nobody;
    if (slot->more.empty()) // `nobody` is above all
        return slot->only.writer > task ? slot->only.writer : nobody;
    const auto at = std::upper_bound(
        slot->more.begin(), slot->more.end(), task,
        [](std::uint32_t wanted, const Version& version) { return wanted < version.writer; });
    return at == slot->more.end() ? nobody : at->writer;
}

Result<state::Value> LiveView::get(const state::KeyView& key) const {
    const LiveVersions::Version found = versions_->latest_below(task_, key);
    if (found.writer == LiveVersions::nobody) return below_->get(key);
    found_version_ = true;
    if (found.value != nullptr) return *found.value;
    blocked_on_ = found.writer;
    blocked_by_ = key.bytes;
    return Error{ErrorCode::bad_input, "an estimate: its transaction runs again"};
}

} // namespace blockloom::execute
