#include "state/overlay.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace blockloom::state {
namespace {

/// One entry a key with the highest limit: "above 5" and "above 7" is "above 7".
template <typename Predicate>
void keep_highest(std::vector<Predicate>& predicates, std::uint32_t& position,
                  const Predicate& predicate) {
    if (position < predicates.size()) {
        predicates[position].limit = std::max(predicates[position].limit, predicate.limit);
        return;
    }
    position = static_cast<std::uint32_t>(predicates.size());
    predicates.push_back(predicate);
}

/// A part of a list that holds those of all tasks.
template <typename Item>
std::span<Item> part_of(std::vector<Item>& items, std::size_t begin, std::size_t end) {
    return std::span(items).subspan(begin, end - begin);
}

} // namespace

void Overlay::begin_task() {
    assert(!in_task_);
    (void)close_scope(); // what came before belongs to no task; a failure is met again by finish()
    in_task_ = true;
}

void Overlay::clear() noexcept {
    scratch_.reset();
    keys_.clear();
    entries_.clear();
    undo_.clear();
    marks_.clear();
    touched_.clear();
    task_ = 0;
    in_task_ = settled_outside_ = false;
    reads_.clear();
    predicates_.clear();
    writes_.clear();
    attempted_.clear();
    inside_values_.clear();
    tasks_.clear();
    whole_reads_.clear();
    whole_predicates_.clear();
}

void Overlay::sort_by_key(std::span<std::uint32_t> entries) const {
    std::sort(entries.begin(), entries.end(), [this](std::uint32_t a, std::uint32_t b) {
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
    return touch_at(index);
}

Overlay::Entry& Overlay::touch_at(std::uint32_t index) {
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
        reads_.push_back({index, none});
        if (inside) {
            reads_.back().inside = static_cast<std::uint32_t>(inside_values_.size());
            inside_values_.push_back(entry.settled);
        }
    }
    if (!inside && !entry.read_by_transaction) {
        entry.read_by_transaction = true;
        whole_reads_.push_back(index);
    }
}

void Overlay::log_predicate(std::uint32_t index, u128 limit) {
    Entry& entry = entries_[index];
    const bool inside = entry.has_settled;
    keep_highest(predicates_, entry.predicate, {index, inside, limit});
    if (!inside)
        keep_highest(whole_predicates_, entry.transaction_predicate, {index, false, limit});
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

void Overlay::prefetch() const noexcept {
    prefetch_lines(entries_.data(), entries_.size());
    keys_.prefetch();
    prefetch_lines(reads_.data(), reads_.size());
    prefetch_lines(touched_.data(), touched_.size());
}

std::uint32_t Overlay::expect(const KeyView& key) {
    const Entry& entry = touch(key);
    const auto number = static_cast<std::uint32_t>(&entry - entries_.data());
    if (is_unread(number)) below_->expect(keys_.key(number));
    return number;
}

void Overlay::expect_value(std::uint32_t number) const noexcept {
    if (is_unread(number)) below_->expect_value(keys_.key(number));
}

Status Overlay::fetch_ahead(std::uint32_t number) {
    return is_unread(number) ? fetch(number) : Status();
}

const Value& Overlay::value_at(std::uint32_t number) const noexcept {
    const Entry& entry = entries_[number];
    if (entry.task == task_ && entry.written) return entry.current;
    return entry.has_settled ? entry.settled : entry.below;
}

Status Overlay::read_at(std::uint32_t number) {
    const Entry& entry = touch_at(number);
    if (entry.written) return {};
    if (!entry.has_settled)
        if (Status fetched = fetch(number); !fetched) return fetched; // a write was rolled back
    log_read(number);
    return {};
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
    for (TaskEnd& task : tasks_) task.dropped = true;
}

Status Overlay::close_scope() {
    changed_.clear();
    const std::size_t attempted_before = attempted_.size();
    const auto is_compared = [this](std::uint32_t index) {
        const Entry& entry = entries_[index];
        return entry.written && !entry.has_settled && !entry.fetched;
    };
    for (const std::uint32_t index : touched_)
        if (is_compared(index)) below_->expect(keys_.key(index));
    for (const std::uint32_t index : touched_)
        if (is_compared(index)) below_->expect_value(keys_.key(index));
    for (const std::uint32_t index : touched_) {
        Entry& entry = entries_[index];
        bool changed = false;
        if (entry.written) {
            if (!entry.has_settled)
                if (Status fetched = fetch(index); !fetched) return fetched;
            Value value = entry.current.canonical();
            entry.compared = entry.compared || !entry.has_settled;
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
        if (entry.attempted && !changed) attempted_.push_back(index);
    }
    if (in_task_) {
        sort_by_key(changed_);
        for (const std::uint32_t index : changed_)
            writes_.push_back({index, entries_[index].settled});
        sort_by_key(part_of(attempted_, attempted_before, attempted_.size()));
        tasks_.push_back(
            {reads_.size(), predicates_.size(), writes_.size(), attempted_.size(), false});
    } else {
        settled_outside_ = settled_outside_ || !changed_.empty();
        const TaskEnd logged = tasks_.empty() ? TaskEnd() : tasks_.back();
        reads_.resize(logged.reads);
        predicates_.resize(logged.predicates);
        attempted_.resize(logged.attempted);
    }
    touched_.clear();
    undo_.clear();
    marks_.clear();
    ++task_;
    return {};
}

/// Leaves them in `changed_`.
Status Overlay::find_net_writes() {
    changed_.clear();
    for (std::uint32_t index = 0; index < entries_.size(); ++index) {
        Entry& entry = entries_[index];
        if (!entry.has_settled) continue;
        if (Status fetched = fetch(index); !fetched) return fetched;
        if (!(entry.settled == entry.below)) {
            changed_.push_back(index);
        } else if (!entry.read_by_transaction) {
            entry.read_by_transaction = true;
            whole_reads_.push_back(index);
        }
    }
    sort_by_key(changed_);
    return {};
}

/// Makes a log in one piece of memory.
class Overlay::Packing {
public:
    Packing(Overlay& overlay, std::size_t more, ArenaSlabs* slabs)
        : of_(overlay), same_reads_(has_same_reads()), same_writes_(has_same_writes()),
          compared_(only_compared()), log_{Arena(room() + more, slabs), {}, {}, {}, {}, {}} {}

    TransactionLog pack() {
        log_.reads = FlatList<Read>::made(
            log_.memory, of_.whole_reads_.size(), [this](std::size_t i) -> Read {
                const std::uint32_t entry = of_.whole_reads_[i];
                return {of_.keys_.key(entry), of_.entries_[entry].below, false};
            });
        log_.predicates = predicates(of_.whole_predicates_);
        log_.writes =
            WriteSet::made(log_.memory, of_.changed_.size(), [this](std::size_t i) -> Write {
                const std::uint32_t entry = of_.changed_[i];
                return {of_.keys_.key(entry), of_.entries_[entry].settled};
            });
        log_.tasks = FlatList<TaskLog>::made(log_.memory, of_.tasks_.size(), [this](std::size_t i) {
            return task(i == 0 ? TaskEnd() : of_.tasks_[i - 1], of_.tasks_[i]);
        });
        log_.compared =
            FlatList<Read>::made(log_.memory, compared_.size(), [this](std::size_t i) -> Read {
                return {of_.keys_.key(compared_[i]), of_.entries_[compared_[i]].below, false};
            });
        return std::move(log_);
    }

private:
    using Write = WriteSet::value_type;

    /// A single task's reads are the transaction's, unless something was read outside it.
    [[nodiscard]] bool has_same_reads() const {
        return of_.tasks_.size() == 1 && of_.inside_values_.empty() &&
               std::equal(of_.reads_.begin(), of_.reads_.end(), of_.whole_reads_.begin(),
                          of_.whole_reads_.end(),
                          [](const LoggedRead& a, std::uint32_t b) { return a.entry == b; });
    }
    [[nodiscard]] bool has_same_writes() const {
        return of_.tasks_.size() == 1 && !of_.tasks_.front().dropped && !of_.settled_outside_ &&
               std::equal(of_.writes_.begin(), of_.writes_.end(), of_.changed_.begin(),
                          of_.changed_.end(),
                          [](const LoggedWrite& a, std::uint32_t b) { return a.entry == b; });
    }

    /// Entries whose values only dropped writes depend on.
    [[nodiscard]] std::vector<std::uint32_t> only_compared() const {
        std::vector<std::uint32_t> entries;
        if (std::none_of(of_.tasks_.begin(), of_.tasks_.end(),
                         [](const TaskEnd& task) { return task.dropped; }))
            return entries;
        for (std::uint32_t i = 0; i < of_.entries_.size(); ++i)
            if (of_.entries_[i].compared && !of_.entries_[i].read_by_transaction)
                entries.push_back(i);
        return entries;
    }

    /// Without what long values need in addition.
    [[nodiscard]] std::size_t room() const {
        std::size_t size = FlatList<Read>::room_for(of_.whole_reads_.size()) +
                           FlatList<CounterAbove>::room_for(of_.whole_predicates_.size()) +
                           FlatList<CounterAbove>::room_for(of_.predicates_.size()) +
                           WriteSet::room_for(of_.changed_.size()) +
                           FlatList<TaskLog>::room_for(of_.tasks_.size()) +
                           FlatList<Key>::room_for(of_.attempted_.size()) +
                           FlatList<Read>::room_for(compared_.size());
        if (!same_reads_) size += FlatList<Read>::room_for(of_.reads_.size());
        if (!same_writes_) size += WriteSet::room_for(of_.writes_.size());
        return size + most_rounding * of_.tasks_.size();
    }

    FlatList<CounterAbove> predicates(std::span<const LoggedPredicate> logged) {
        return FlatList<CounterAbove>::made(
            log_.memory, logged.size(), [&](std::size_t i) -> CounterAbove {
                return {of_.keys_.key(logged[i].entry), logged[i].limit, logged[i].inside};
            });
    }

    TaskLog task(const TaskEnd& from, const TaskEnd& to) {
        TaskLog task;
        task.reads = same_reads_ ? FlatList<Read>::of(log_.reads)
                                 : reads(part_of(of_.reads_, from.reads, to.reads));
        task.predicates = predicates(part_of(of_.predicates_, from.predicates, to.predicates));
        const auto writes = part_of(of_.writes_, from.writes, to.writes);
        if (same_writes_)
            task.writes = WriteSet::of(log_.writes);
        else if (!to.dropped)
            task.writes = WriteSet::made(log_.memory, writes.size(), [&](std::size_t i) -> Write {
                return {of_.keys_.key(writes[i].entry), std::move(writes[i].value)};
            });
        task.attempted = attempted(part_of(of_.attempted_, from.attempted, to.attempted),
                                   to.dropped ? writes : std::span<LoggedWrite>());
        return task;
    }

    FlatList<Read> reads(std::span<const LoggedRead> logged) {
        return FlatList<Read>::made(log_.memory, logged.size(), [&](std::size_t i) -> Read {
            const auto& [entry, inside] = logged[i];
            if (inside == none) return {of_.keys_.key(entry), of_.entries_[entry].below, false};
            return {of_.keys_.key(entry), of_.inside_values_[inside], true};
        });
    }

    /// Those of a task are sorted, and no key is both attempted and written.
    FlatList<Key> attempted(std::span<const std::uint32_t> tried,
                            std::span<const LoggedWrite> dropped) {
        if (dropped.empty())
            return FlatList<Key>::made(log_.memory, tried.size(),
                                       [&](std::size_t i) { return of_.keys_.key(tried[i]); });
        std::vector<std::uint32_t> both(tried.begin(), tried.end());
        for (const LoggedWrite& write : dropped) both.push_back(write.entry);
        of_.sort_by_key(both);
        return FlatList<Key>::made(log_.memory, both.size(),
                                   [&](std::size_t i) { return of_.keys_.key(both[i]); });
    }

    /// Of a task's lists: each begins at an aligned address.
    static constexpr std::size_t most_rounding = 4 * __STDCPP_DEFAULT_NEW_ALIGNMENT__;

    Overlay& of_;
    bool same_reads_, same_writes_;
    std::vector<std::uint32_t> compared_;
    TransactionLog log_;
};

Result<TransactionLog> Overlay::finish(std::size_t more, ArenaSlabs* slabs) {
    if (Status closed = close_scope(); !closed) return closed.error();
    in_task_ = false;
    if (Status found = find_net_writes(); !found) return found.error();
    return Packing(*this, more, slabs).pack();
}

} // namespace blockloom::state
