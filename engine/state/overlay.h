// The working state of one transaction: tasks that run in order, each with a stack of checkpoints,
// over a state that it only reads. Everything that acceptance needs is logged.
#pragma once

#include "base/result.h"
#include "state/key_table.h"
#include "state/task_log.h"
#include "state/view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::state {

/// For one transaction and one thread. Values read from the state below are kept, so a key has one
/// value for the whole transaction even while other threads publish. Accesses between two tasks are
/// only logged for the transaction.
class Overlay {
public:
    /// `below` must outlive the overlay, or its use until `restart` or `clear`.
    explicit Overlay(const StateView& below) : below_(&below) {
        // Reserves room for the keys of a typical message.
        keys_.reserve(usual_keys);
        entries_.reserve(usual_keys);
        touched_.reserve(usual_keys);
        undo_.reserve(usual_keys);
        marks_.reserve(usual_keys);
        reads_.reserve(usual_keys);
        whole_reads_.reserve(usual_keys);
    }

    /// Forgets everything; keeps its memory.
    void clear() noexcept;
    /// For the next transaction.
    void restart(const StateView& below) noexcept {
        clear();
        below_ = &below;
    }
    /// For what is needed as long as the transaction runs; forgotten by `clear` and `restart`.
    [[nodiscard]] Arena& scratch() noexcept { return scratch_; }
    /// The keys that it has room for.
    [[nodiscard]] std::size_t room() const noexcept { return entries_.capacity(); }

    /// It will be used soon again, by this thread: begins to bring it into the cache.
    void prefetch() const noexcept;

    /// Starts the next task. One at a time.
    void begin_task();
    /// Ends the task; open checkpoints are committed. An empty value becomes absence. Fails if
    /// reading the state below fails.
    Status end_task();

    /// The value that the transaction sees: its own writes, else the state below. Logged as a read
    /// of the task unless it is answered by the task's own write (not rolled back). A read stays
    /// logged whatever is rolled back.
    [[nodiscard]] Result<Value> get(const KeyView& key);

    /// As `get`, but an absent value of the state below is not logged: for what concerns the
    /// transaction only if it is there.
    [[nodiscard]] Result<Value> get_if_there(const KeyView& key);

    /// Whether the counter at `key` is above `limit`. True logs the predicate, false a read of the
    /// counter; the task's own write answers without a log.
    [[nodiscard]] Result<bool> is_above(const KeyView& key, u128 limit);

    /// As `get`, but without logging: for views and pictures, never for an execution.
    [[nodiscard]] Result<Value> peek(const KeyView& key) const;

    /// The key will probably be read, with others: begins to look for its value. The key's number,
    /// for the functions below: valid until `restart` or `clear`.
    [[nodiscard]] std::uint32_t expect(const KeyView& key);
    /// Some time later: the value itself.
    void expect_value(std::uint32_t number) const noexcept;
    /// Reads the value and logs nothing.
    [[nodiscard]] Status fetch_ahead(std::uint32_t number);
    [[nodiscard]] const Key& key_at(std::uint32_t number) const noexcept {
        return keys_.key(number);
    }
    /// What `get` would return now; the reference is valid until the next call that is not const.
    [[nodiscard]] const Value& value_at(std::uint32_t number) const noexcept;
    /// Logs what `get` would.
    [[nodiscard]] Status read_at(std::uint32_t number);

    /// Writes to the top layer. An empty value differs from absence until the task ends.
    void set(const KeyView& key, Value value);
    /// Writes absence.
    void erase(const KeyView& key) { set(key, Value()); }

    void checkpoint();
    /// Merges the top layer into the one below. Needs depth() > 0.
    void commit();
    /// Drops the writes of the top layer; their keys are `attempted`. Needs depth() > 0.
    void rollback();
    /// The number of open checkpoints.
    [[nodiscard]] std::size_t depth() const noexcept { return marks_.size(); }

    /// Voids the transaction so far: every write of the open task and of those that ended becomes
    /// `attempted`, checkpoints are closed, reads stay logged.
    void drop_writes();

    /// Ends an open task and returns the log, whose memory has room for `more` bytes of the caller
    /// and lies in one of `slabs`, if that is not null. Afterwards only `restart` may be called.
    [[nodiscard]] Result<TransactionLog> finish(std::size_t more = 0, ArenaSlabs* slabs = nullptr);

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t usual_keys = 16;

    /// One key of the transaction.
    struct Entry {
        Value below;                    ///< of the state below, once `fetched`
        Value settled;                  ///< left by an ended task, if `has_settled`
        Value current;                  ///< of the open task, if `written`
        std::uint32_t last_undo = none; ///< the latest undo record of the open task for this key
        std::uint32_t task = none;      ///< the flags below are of this task
        std::uint32_t predicate = none, transaction_predicate = none; ///< positions in the logs
        bool fetched = false, has_settled = false, read_by_transaction = false;
        bool compared = false; ///< a write of an ended task was compared with `below`
        bool written = false, read = false, attempted = false;
    };
    /// How to undo the first write of a key in a layer.
    struct Undo {
        std::uint32_t entry = 0, last_undo = none;
        bool written = false;
        Value current;
    };

    // What is logged, by the keys' indices. Lists of values and keys are made once, by `finish`.
    struct LoggedRead {
        std::uint32_t entry = 0;
        std::uint32_t inside = none; ///< which of `inside_values_` it is; `none`: the value below
    };
    struct LoggedPredicate {
        std::uint32_t entry = 0;
        bool inside = false;
        u128 limit = 0;
    };
    struct LoggedWrite {
        std::uint32_t entry = 0;
        Value value;
    };
    /// How much of the lists belongs to the tasks up to and with one.
    struct TaskEnd {
        std::size_t reads = 0, predicates = 0, writes = 0, attempted = 0;
        bool dropped = false; ///< its writes are attempted
    };
    class Packing;

    Entry& touch(const KeyView& key);
    Entry& touch_at(std::uint32_t index);
    Status fetch(std::uint32_t index);
    /// Neither read from the state below nor answered by what the transaction wrote.
    [[nodiscard]] bool is_unread(std::uint32_t number) const noexcept {
        const Entry& entry = entries_[number];
        return !entry.fetched && !entry.has_settled && !(entry.task == task_ && entry.written);
    }
    void log_read(std::uint32_t index);
    void log_predicate(std::uint32_t index, u128 limit);
    void undo_to(std::size_t mark);
    Status close_scope();
    void sort_by_key(std::span<std::uint32_t> entries) const;
    Status find_net_writes();

    const StateView* below_;
    Arena scratch_;
    KeyTable keys_;
    std::vector<Entry> entries_; ///< by the key's index
    std::vector<Undo> undo_;
    std::vector<std::size_t> marks_;     ///< undo records at each open checkpoint
    std::vector<std::uint32_t> touched_; ///< entries of the open task
    std::uint32_t task_ = 0;
    bool in_task_ = false;
    bool settled_outside_ = false; ///< something was written between tasks

    // Of all tasks, one after the other.
    std::vector<LoggedRead> reads_;
    std::vector<LoggedPredicate> predicates_;
    std::vector<LoggedWrite> writes_;
    std::vector<std::uint32_t> attempted_;
    std::vector<Value> inside_values_;
    std::vector<TaskEnd> tasks_;
    // Of the transaction.
    std::vector<std::uint32_t> whole_reads_;
    std::vector<LoggedPredicate> whole_predicates_;
    std::vector<std::uint32_t> changed_; ///< entries to be sorted by key; in the end its writes
};

} // namespace blockloom::state
