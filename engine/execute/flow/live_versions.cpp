#include "execute/flow/live_versions.h"

#include "alkanes/state_keys.h"
#include "execute/flow/spin_lock.h"

#include <algorithm>
#include <bit>

namespace blockloom::execute {
namespace {

using Stamp = std::atomic_ref<std::uint64_t>;

/// Cells after a key's own one in which it may lie.
constexpr std::size_t most_looked_at = 32;
constexpr std::size_t fewest_cells = 64, most_cells = std::size_t{1} << 20U;
constexpr std::size_t most_writes_a_task = 1024;
constexpr std::uint64_t lock_bit = 1;

bool is_stored_code(const state::Key& key) noexcept {
    return !key.empty() && static_cast<alkanes::KeyKind>(key.front()) == alkanes::KeyKind::bytecode;
}

/// `free`: the stamp while nobody holds the lock. For a few dozen nanoseconds.
void wait_for_lock(std::uint64_t& stamp, std::uint64_t free) noexcept {
    const Stamp shared(stamp);
    for (;;) {
        std::uint64_t seen = free;
        if (shared.compare_exchange_weak(seen, free | lock_bit, std::memory_order_acquire,
                                         std::memory_order_relaxed))
            return;
        spin_while_held([&] { return shared.load(std::memory_order_relaxed) == free; });
    }
}

void unlock(std::uint64_t& stamp) noexcept {
    const Stamp shared(stamp);
    shared.store(shared.load(std::memory_order_relaxed) & ~lock_bit, std::memory_order_release);
}

} // namespace

/// A key's cell, locked until the end of the scope; or none.
class LiveVersions::Locked {
public:
    explicit Locked(Cell* cell) noexcept : cell_(cell) {}
    ~Locked() {
        if (cell_ != nullptr) unlock(cell_->stamp);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

    [[nodiscard]] bool is_there() const noexcept { return cell_ != nullptr; }
    [[nodiscard]] Cell& operator*() const noexcept { return *cell_; }
    [[nodiscard]] Cell* operator->() const noexcept { return cell_; }

private:
    Cell* cell_;
};

void LiveVersions::begin(std::size_t tasks) {
    ++generation_;
    lists_used_ = 0;
    if (any_beyond_.exchange(false)) {
        beyond_.clear();
        writes_a_task_ = std::min(most_writes_a_task, 2 * writes_a_task_);
    }
    const std::size_t wanted =
        std::clamp(std::bit_ceil(tasks * writes_a_task_), fewest_cells, most_cells);
    mask_ = wanted - 1;
    if (wanted <= size_) return;
    cells_.grow(wanted);
    for (std::size_t at = 0; at < wanted; ++at) cells_[at].stamp = 0;
    size_ = wanted;
}

/// Null: nobody writes the key.
LiveVersions::Cell* LiveVersions::lock_known(const state::KeyView& key) const {
    const std::uint64_t wanted = stamp_of(key.hash);
    for (std::size_t i = 0; i < most_looked_at; ++i) {
        Cell& cell = cells_[(key.hash + i) & mask_];
        // Whoever must find a version runs after it was published.
        const std::uint64_t seen = Stamp(cell.stamp).load(std::memory_order_relaxed);
        if (seen >> 32U != generation_) return nullptr;
        if ((seen & ~lock_bit) != wanted) continue;
        wait_for_lock(cell.stamp, wanted);
        if (state::KeyView(*cell.key) == key) return &cell;
        unlock(cell.stamp);
    }
    if (!any_beyond_.load(std::memory_order_relaxed)) return nullptr;
    const std::lock_guard guard(beyond_guard_);
    const auto found = beyond_.find(key);
    if (found == beyond_.end()) return nullptr;
    wait_for_lock(found->second.stamp, 0);
    return &found->second;
}

/// Adds the key if it is not there.
LiveVersions::Cell* LiveVersions::lock(const state::Key& key) {
    const std::uint64_t wanted = stamp_of(key.hash());
    for (std::size_t i = 0; i < most_looked_at; ++i) {
        Cell& cell = cells_[(key.hash() + i) & mask_];
        const Stamp stamp(cell.stamp);
        std::uint64_t seen = stamp.load(std::memory_order_relaxed);
        while (seen >> 32U != generation_) {
            if (!stamp.compare_exchange_weak(seen, wanted | lock_bit, std::memory_order_acquire,
                                             std::memory_order_relaxed))
                continue;
            cell.key = &key;
            cell.writer = nobody;
            return &cell;
        }
        if ((seen & ~lock_bit) != wanted) continue;
        wait_for_lock(cell.stamp, wanted);
        if (*cell.key == key) return &cell;
        unlock(cell.stamp);
    }
    const std::lock_guard guard(beyond_guard_);
    any_beyond_.store(true, std::memory_order_relaxed);
    const auto [found, is_new] = beyond_.try_emplace(state::KeyView(key));
    wait_for_lock(found->second.stamp, 0);
    if (is_new) {
        found->second.key = &key;
        found->second.writer = nobody;
    }
    return &found->second;
}

/// Of a locked cell; makes a list of its only version.
std::vector<LiveVersions::Version>& LiveVersions::list_of(Cell& cell) {
    if (cell.writer == several) return *cell.list;
    std::vector<Version>* list = nullptr;
    {
        const std::lock_guard guard(lists_guard_);
        if (lists_used_ == lists_.size()) lists_.emplace_back();
        list = &lists_[lists_used_++];
    }
    list->clear();
    if (cell.writer != nobody) list->push_back({cell.writer, cell.value});
    cell.list = list;
    cell.writer = several;
    return *list;
}

void LiveVersions::put(std::uint32_t task, const state::Key& key, const state::Value* value) {
    const Locked cell(lock(key));
    if (cell->writer == nobody || cell->writer == task) {
        cell->writer = task;
        cell->value = value;
        return;
    }
    std::vector<Version>& list = list_of(*cell);
    const auto at = std::lower_bound(
        list.begin(), list.end(), task,
        [](const Version& version, std::uint32_t wanted) { return version.writer < wanted; });
    if (at != list.end() && at->writer == task)
        at->value = value;
    else
        list.insert(at, {task, value});
}

void LiveVersions::estimate(const state::Key& key, std::span<const std::uint32_t> tasks) {
    if (tasks.empty()) return;
    if (tasks.size() == 1) return put(tasks.front(), key, nullptr);
    const Locked cell(lock(key));
    std::vector<Version>& list = list_of(*cell);
    const auto known = static_cast<std::ptrdiff_t>(list.size());
    list.reserve(list.size() + tasks.size());
    for (const std::uint32_t task : tasks) list.push_back({task, nullptr});
    const auto is_before = [](const Version& a, const Version& b) { return a.writer < b.writer; };
    std::inplace_merge(list.begin(), list.begin() + known, list.end(), is_before);
    // Of two of one task the first one stays: it was there.
    const auto same = [](const Version& a, const Version& b) { return a.writer == b.writer; };
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
}

void LiveVersions::take_out(std::uint32_t task, const state::Key& key) {
    const Locked cell(lock_known(key));
    if (!cell.is_there()) return;
    if (cell->writer != several) {
        if (cell->writer == task) cell->writer = nobody;
        return;
    }
    std::vector<Version>& list = *cell->list;
    const auto at = std::lower_bound(
        list.begin(), list.end(), task,
        [](const Version& version, std::uint32_t wanted) { return version.writer < wanted; });
    if (at != list.end() && at->writer == task) list.erase(at);
}

bool LiveVersions::publish(std::uint32_t task, const state::WriteSet& writes,
                           const state::WriteSet* before) {
    // All of them travel at once; and code is published first: whoever finds the key that names it
    // looks for it.
    for (const auto& [key, value] : writes) {
        __builtin_prefetch(&cells_[key.hash() & mask_], 1);
        if (is_stored_code(key)) put(task, key, &value);
    }
    bool any_new = false;
    for (const auto& [key, value] : writes) {
        any_new = any_new || before == nullptr || state::written(*before, key) == nullptr;
        if (!is_stored_code(key)) put(task, key, &value);
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
    const Locked cell(lock_known(key));
    if (!cell.is_there()) return {};
    if (cell->writer != several)
        return cell->writer < task ? Version{cell->writer, cell->value} : Version();
    const std::vector<Version>& list = *cell->list;
    const auto at = std::lower_bound(
        list.begin(), list.end(), task,
        [](const Version& version, std::uint32_t wanted) { return version.writer < wanted; });
    return at == list.begin() ? Version() : *(at - 1);
}

std::uint32_t LiveVersions::next_writer_above(std::uint32_t task, const state::Key& key) const {
    const Locked cell(lock_known(key));
    if (!cell.is_there()) return nobody;
    if (cell->writer != several) // `nobody` is above all
        return cell->writer > task ? cell->writer : nobody;
    const std::vector<Version>& list = *cell->list;
    const auto at = std::upper_bound(
        list.begin(), list.end(), task,
        [](std::uint32_t wanted, const Version& version) { return wanted < version.writer; });
    return at == list.end() ? nobody : at->writer;
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
