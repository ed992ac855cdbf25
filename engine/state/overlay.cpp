#include "state/overlay.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace blockloom::state {
namespace {

void sort_once(std::vector<Key>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

/// What a vector that is reused holds, in one that has no more room than that.
template <typename Item> std::vector<Item> taken_from(std::vector<Item>& items) {
    std::vector<Item> taken(std::make_move_iterator(items.begin()),
                            std::make_move_iterator(items.end()));
    items.clear();
    return taken;
}

/// One entry a key with the highest limit: "above 5" and "above 7" is "above 7".
void keep_highest(std::vector<CounterAbove>& predicates, std::uint32_t& position,
                  CounterAbove predicate) {
    if (position < predicates.size()) {
        predicates[position].value = std::max(predicates[position].value, predicate.value);
        return;
    }
    position = static_cast<std::uint32_t>(predicates.size());
    predicates.push_back(std::move(predicate));
}

} // namespace

void Overlay::begin_task() {
    assert(!in_task_);
    (void)close_scope(); // what came before belongs to no task; a failure is met again by finish()
    in_task_ = true;
}

void Overlay::clear() noexcept {
    keys_.clear();
    entries_.clear();
    undo_.clear();
    marks_.clear();
    touched_.clear();
    task_ = 0;
    in_task_ = false;
    log_.reads.clear();
    log_.predicates.clear();
    log_.writes.clear();
    log_.attempted.clear();
    whole_.reads.clear();
    whole_.predicates.clear();
    whole_.writes.clear();
    whole_.tasks.clear();
}

void Overlay::sort_changed() {
    std::sort(changed_.begin(), changed_.end(), [this](std::uint32_t a, std::uint32_t b) {
        return keys_.key(a).bytes() < keys_.key(b).bytes();
    });
}

Status Overlay::end_task() {
    assert(in_task_);
    if (Status closed = close_scope(); !closed) return closed;
    in_task_ = false;
    return {};
}

Overlay::Entry& Overlay::touch(const KeyView& key) {
    const std::uint32_t index = keys_.add(key);
    if (index == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[index];
    if (entry.task != task_) {
        entry.task = task_;
        entry.last_undo = none;
        entry.predicate = none;
        entry.written = entry.read = entry.attempted = false;
        touched_.push_back(index);
    }
    return entry;
}

Status Overlay::fetch(std::uint32_t index) {
    Entry& entry = entries_[index];
    if (entry.fetched) return {};
    Result<Value> value = below_->get(keys_.key(index));
    if (!value) return value.error();
    entry.below = std::move(*value);
    entry.fetched = true;
    return {};
}

void Overlay::log_read(std::uint32_t index) {
    Entry& entry = entries_[index];
    const bool inside = entry.has_settled;
    if (!entry.read) {
        entry.read = true;
        log_.reads.push_back({keys_.key(index), inside ? entry.settled : entry.below, inside});
    }
    if (!inside && !entry.read_by_transaction) {
        entry.read_by_transaction = true;
        whole_.reads.push_back({keys_.key(index), entry.below, false});
    }
}

void Overlay::log_predicate(std::uint32_t index, u128 limit) {
    Entry& entry = entries_[index];
    const bool inside = entry.has_settled;
    keep_highest(log_.predicates, entry.predicate, {keys_.key(index), limit, inside});
    if (!inside)
        keep_highest(whole_.predicates, entry.transaction_predicate,
                     {keys_.key(index), limit, false});
}

Result<Value> Overlay::get(const KeyView& key) {
    Entry& entry = touch(key);
    if (entry.written) return entry.current;
    const auto index = static_cast<std::uint32_t>(&entry - entries_.data());
    if (!entry.has_settled)
        if (Status fetched = fetch(index); !fetched) return fetched.error();
    log_read(index);
    return entry.has_settled ? entry.settled : entry.below;
}

Result<Value> Overlay::get_if_there(const KeyView& key) {
    Entry& entry = touch(key);
    if (entry.written) return entry.current;
    const auto index = static_cast<std::uint32_t>(&entry - entries_.data());
    if (!entry.has_settled) {
        if (Status fetched = fetch(index); !fetched) return fetched.error();
        if (!entry.below) return Value();
    }
    log_read(index);
    return entry.has_settled ? entry.settled : entry.below;
}

Result<bool> Overlay::is_above(const KeyView& key, u128 limit) {
    Entry& entry = touch(key);
    if (entry.written) return counter_of(entry.current) > limit;
    const auto index = static_cast<std::uint32_t>(&entry - entries_.data());
    if (!entry.has_settled)
        if (Status fetched = fetch(index); !fetched) return fetched.error();
    const bool above = counter_of(entry.has_settled ? entry.settled : entry.below) > limit;
    if (above)
        log_predicate(index, limit);
    else
        log_read(index);
    return above;
}

Result<Value> Overlay::peek(const KeyView& key) const {
    if (const std::uint32_t index = keys_.find(key); index != KeyTable::absent) {
        const Entry& entry = entries_[index];
        if (entry.task == task_ && entry.written) return entry.current;
        if (entry.has_settled) return entry.settled;
        if (entry.fetched) return entry.below;
    }
    return below_->get(key);
}

void Overlay::set(const KeyView& key, Value value) {
    Entry& entry = touch(key);
    const std::size_t mark = marks_.empty() ? 0 : marks_.back();
    // A second write in one layer overwrites; the first one remembers what was there.
    if (entry.last_undo == none || entry.last_undo < mark) {
        const auto index = static_cast<std::uint32_t>(&entry - entries_.data());
        undo_.push_back({index, entry.last_undo, entry.written, std::move(entry.current)});
        entry.last_undo = static_cast<std::uint32_t>(undo_.size() - 1);
    }
    entry.written = true;
    entry.current = std::move(value);
}

void Overlay::checkpoint() {
    marks_.push_back(undo_.size());
}

void Overlay::commit() {
    assert(!marks_.empty());
    marks_.pop_back();
}

void Overlay::rollback() {
    assert(!marks_.empty());
    undo_to(marks_.back());
    marks_.pop_back();
}

void Overlay::undo_to(std::size_t mark) {
    while (undo_.size() > mark) {
        Undo& undo = undo_.back();
        Entry& entry = entries_[undo.entry];
        entry.attempted = true;
        entry.written = undo.written;
        entry.current = std::move(undo.current);
        entry.last_undo = undo.last_undo;
        undo_.pop_back();
    }
}

void Overlay::drop_writes() {
    undo_to(0);
    marks_.clear();
    for (Entry& entry : entries_) {
        entry.has_settled = false;
        entry.settled = Value();
    }
    for (TaskLog& task : whole_.tasks) {
        for (auto& [key, value] : task.writes) task.attempted.push_back(std::move(key));
        task.writes.clear();
        sort_once(task.attempted);
    }
}

Status Overlay::close_scope() {
    changed_.clear();
    for (const std::uint32_t index : touched_) {
        Entry& entry = entries_[index];
        bool changed = false;
        if (entry.written) {
            if (!entry.has_settled)
                if (Status fetched = fetch(index); !fetched) return fetched;
            Value value = entry.current.canonical();
            changed = !(value == (entry.has_settled ? entry.settled : entry.below));
            if (changed) {
                changed_.push_back(index);
                entry.settled = std::move(value);
                entry.has_settled = true;
            } else {
                log_read(index); // a silent write depends on the value that it repeats
            }
            entry.current = Value();
        }
        if (entry.attempted && !changed) log_.attempted.push_back(keys_.key(index));
    }
    sort_changed();
    log_.writes.reserve(changed_.size());
    for (const std::uint32_t index : changed_)
        log_.writes.emplace_back(keys_.key(index), entries_[index].settled);
    sort_once(log_.attempted);
    if (in_task_)
        whole_.tasks.push_back({taken_from(log_.reads), taken_from(log_.predicates),
                                std::exchange(log_.writes, {}), taken_from(log_.attempted)});
    log_.reads.clear();
    log_.predicates.clear();
    log_.writes.clear();
    log_.attempted.clear();
    touched_.clear();
    undo_.clear();
    marks_.clear();
    ++task_;
    return {};
}

Result<TransactionLog> Overlay::finish() {
    if (Status closed = close_scope(); !closed) return closed.error();
    in_task_ = false;
    changed_.clear();
    for (std::uint32_t index = 0; index < entries_.size(); ++index) {
        Entry& entry = entries_[index];
        if (!entry.has_settled) continue;
        if (Status fetched = fetch(index); !fetched) return fetched.error();
        if (!(entry.settled == entry.below)) {
            changed_.push_back(index);
        } else if (!entry.read_by_transaction) {
            entry.read_by_transaction = true;
            whole_.reads.push_back({keys_.key(index), entry.below, false});
        }
    }
    sort_changed();
    whole_.writes.reserve(changed_.size());
    for (const std::uint32_t index : changed_)
        whole_.writes.emplace_back(keys_.key(index), std::move(entries_[index].settled));
    return TransactionLog{taken_from(whole_.reads), taken_from(whole_.predicates),
                          std::exchange(whole_.writes, {}), taken_from(whole_.tasks)};
}

} // namespace blockloom::state
