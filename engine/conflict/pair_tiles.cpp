#include "conflict/pair_tiles.h"

#include "conflict/hot_keys.h"
#include "conflict/pair_access.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr std::size_t mask_words = 4;
constexpr std::size_t most_hot = mask_words * word_bits;
constexpr std::uint32_t raw_bit = 1, war_bit = 2, waw_bit = 4;

using HotSet = std::array<Word, mask_words>;

/// The hot keys of a task, as sets of slots.
struct HotAccess {
    HotSet reads{}, writes{}, orders_writes{};
};

bool meet(const HotSet& a, const HotSet& b) noexcept {
    Word both = 0;
    for (std::size_t i = 0; i < mask_words; ++i) both |= a[i] & b[i];
    return both != 0;
}

template <typename Each> void each_slot(const HotSet& set, Each each) {
    for (std::size_t i = 0; i < mask_words; ++i)
        for (Word left = set[i]; left != 0; left &= left - 1)
            each(i * word_bits + static_cast<std::size_t>(std::countr_zero(left)));
}

std::vector<HotAccess> hot_accesses(const trace::PolicedTrace& trace, const HotKeys& hot) {
    std::vector<HotAccess> found(hot.count == 0 ? 0 : trace.tasks());
    for (TaskId task = 0; task < found.size(); ++task)
        for (const Access access : trace.access_sets().of(task)) {
            const std::uint32_t slot = hot.slot[access.key()];
            if (slot == HotKeys::cold) continue;
            const PairAccess mine(access, is_commutative(trace, access.key()));
            const std::size_t at = slot / word_bits, bit = slot % word_bits;
            found[task].reads[at] |= static_cast<Word>(mine.reads()) << bit;
            found[task].writes[at] |= static_cast<Word>(mine.writes()) << bit;
            found[task].orders_writes[at] |= static_cast<Word>(mine.orders_writes()) << bit;
        }
    return found;
}

/// Pairs that hot keys make, of one tile.
class HotTile {
public:
    HotTile(const std::vector<HotAccess>& tasks, std::uint32_t hot_count,
            const PairOptions& options)
        : tasks_(tasks), kernel_(options.kernel), tile_(options.tile),
          words_(padded_words(options.tile)), bitmaps_(std::size_t{hot_count} * 2 * words_) {}

    /// Rows of all tasks over the tile that begins at `first`, once; false if stopped.
    bool count(TaskId first, const std::stop_token& stop) {
        const auto tasks = static_cast<TaskId>(tasks_.size());
        for (TaskId task = first; task < tasks; ++task) {
            if (task % word_bits == 0 && stop.stop_requested()) return false;
            const bool inside = task - first < tile_;
            gather(tasks_[task]);
            if (!sources_.empty())
                kernel_(nullptr, 0, inside ? padded_words(task - first + std::size_t{1}) : words_,
                        sources_, counts_);
            if (inside) mark(tasks_[task], task - first);
        }
        return true;
    }

    [[nodiscard]] ConflictPairs pairs() const noexcept { return counts_.pairs(); }

private:
    [[nodiscard]] Word* readers(std::size_t slot) noexcept {
        return bitmaps_.data() + slot * 2 * words_;
    }
    [[nodiscard]] Word* writers(std::size_t slot) noexcept { return readers(slot) + words_; }

    void gather(const HotAccess& task) {
        sources_.clear();
        each_slot(task.reads, [&](std::size_t slot) { sources_.raw.add(writers(slot), true); });
        each_slot(task.writes, [&](std::size_t slot) { sources_.war.add(readers(slot), true); });
        each_slot(task.orders_writes,
                  [&](std::size_t slot) { sources_.waw.add(writers(slot), true); });
    }

    void mark(const HotAccess& task, TaskId place) {
        const Word bit = Word{1} << (place % word_bits);
        const std::size_t at = place / word_bits;
        each_slot(task.reads, [&](std::size_t slot) { readers(slot)[at] |= bit; });
        each_slot(task.writes, [&](std::size_t slot) { writers(slot)[at] |= bit; });
    }

    const std::vector<HotAccess>& tasks_;
    CountRow kernel_;
    TaskId tile_;
    std::size_t words_;
    BitRows bitmaps_;
    TaskSources sources_{most_hot};
    RowCounts counts_;
};

/// Pairs that only cold keys make.
class ColdWalk {
public:
    ColdWalk(const trace::PolicedTrace& trace, const TouchLists& lists, const HotKeys& hot,
             const std::vector<HotAccess>& hot_of)
        : trace_(trace), lists_(lists), hot_(hot), hot_of_(hot_of), kinds_(trace.tasks()),
          next_(lists.begin.begin(), lists.begin.end() - 1) {}

    void count(TaskId task, ConflictPairs& pairs) {
        for (const Access access : trace_.access_sets().of(task))
            if (hot_.slot[access.key()] == HotKeys::cold) walk(access);
        for (const TaskId other : met_) {
            const std::uint32_t counted = hot_of_.empty() ? 0 : hot_kinds(other, task);
            const std::uint32_t fresh = std::exchange(kinds_[other], std::uint8_t{0}) & ~counted;
            pairs.any += counted == 0;
            pairs.raw += (fresh & raw_bit) != 0;
            pairs.war += (fresh & war_bit) != 0;
            pairs.waw += (fresh & waw_bit) != 0;
        }
        met_.clear();
    }

private:
    void walk(Access access) {
        const KeyId key = access.key();
        const bool commutative = is_commutative(trace_, key);
        const PairAccess mine(access, commutative);
        const std::uint32_t here = next_[key]++;
        for (std::uint32_t i = lists_.begin[key]; i < here; ++i) {
            const Touch touch = lists_.touches[i];
            const PairAccess other(touch, commutative);
            const std::uint32_t kinds =
                (mine.reads() && other.writes() ? raw_bit : 0) |
                (mine.writes() && other.reads() ? war_bit : 0) |
                (mine.orders_writes() && other.orders_writes() ? waw_bit : 0);
            if (kinds == 0) continue;
            std::uint8_t& known = kinds_[touch.task()];
            if (known == 0) met_.push_back(touch.task());
            known = static_cast<std::uint8_t>(known | kinds);
        }
    }

    [[nodiscard]] std::uint32_t hot_kinds(TaskId earlier, TaskId later) const {
        const HotAccess &a = hot_of_[earlier], &b = hot_of_[later];
        return (meet(b.reads, a.writes) ? raw_bit : 0) | (meet(b.writes, a.reads) ? war_bit : 0) |
               (meet(b.orders_writes, a.orders_writes) ? waw_bit : 0);
    }

    const trace::PolicedTrace& trace_;
    const TouchLists& lists_;
    const HotKeys& hot_;
    const std::vector<HotAccess>& hot_of_;
    std::vector<std::uint8_t> kinds_; ///< with the current task, on cold keys
    std::vector<TaskId> met_;         ///< tasks with kinds
    std::vector<std::uint32_t> next_;
};

} // namespace

struct TiledPairs::Hot {
    HotKeys keys;
    std::vector<HotAccess> of; ///< by task
};

TiledPairs::TiledPairs(const trace::PolicedTrace& trace, const TouchLists& lists,
                       const PairOptions& options)
    : trace_(trace), lists_(lists), options_(options) {
    Hot hot;
    hot.keys = find_hot_keys(
        lists, std::max(options.hot_touches, trace.tasks() / options.hot_share), most_hot);
    hot.of = hot_accesses(trace, hot.keys);
    hot_ = std::make_unique<const Hot>(std::move(hot));
}

TiledPairs::~TiledPairs() = default;

std::size_t TiledPairs::units() const noexcept {
    const std::size_t tile = options_.tile;
    return 1 + (hot_->keys.count == 0 ? 0 : (trace_.tasks() + tile - 1) / tile);
}

Result<ConflictPairs> TiledPairs::pairs_of(std::size_t unit, const std::stop_token& stop) const {
    if (unit != 0) {
        HotTile tile(hot_->of, hot_->keys.count, options_);
        if (!tile.count(static_cast<TaskId>((unit - 1) * options_.tile), stop))
            return cancelled_error();
        return tile.pairs();
    }
    ConflictPairs pairs;
    ColdWalk cold(trace_, lists_, hot_->keys, hot_->of);
    for (TaskId task = 0; task < trace_.tasks(); ++task) {
        if (task % word_bits == 0 && stop.stop_requested()) return cancelled_error();
        cold.count(task, pairs);
    }
    return pairs;
}

} // namespace blockloom::conflict
