#include "conflict/pairs.h"

#include "conflict/hot_keys.h"
#include "conflict/pair_access.h"
#include "conflict/pair_tiles.h"

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr std::size_t most_bitmap_words = 512 * 1024; ///< 4 MiB of bitmaps: about the cache

/// Rows over all tasks at once: for blocks whose rows stay in the nearest cache.
class RowCounter {
public:
    RowCounter(const trace::PolicedTrace& trace, const TouchLists& lists,
               const PairOptions& options)
        : trace_(trace), sets_(trace.access_sets()), lists_(lists), kernel_(options.kernel),
          stride_(padded_words(sets_.tasks())),
          hot_(find_hot_keys(lists,
                             std::max(options.hot_touches, sets_.tasks() / options.hot_share),
                             most_bitmap_words / (2 * std::max<std::size_t>(stride_, 1)))),
          bitmaps_(std::size_t{hot_.count} * 2 * stride_), own_(3 * stride_),
          next_(lists.begin.begin(), lists.begin.end() - 1) {}

    void count(TaskId task) {
        bool any = false;
        sources_.clear();
        for (const Access access : sets_.of(task)) {
            const KeyId key = access.key();
            const PairAccess mine(access, is_commutative(trace_, key));
            if (hot_.slot[key] == HotKeys::cold) {
                any = walk(key, mine) || any;
            } else {
                merge(hot_.slot[key], mine);
            }
        }
        if (any || !sources_.empty())
            kernel_(any ? own_.data() : nullptr, stride_,
                    std::min(stride_, padded_words(std::size_t{task} + 1)), sources_, counts_);
        for (const Access access : sets_.of(task)) {
            const std::uint32_t slot = hot_.slot[access.key()];
            if (slot != HotKeys::cold) mark(slot, task, access);
        }
    }

    [[nodiscard]] ConflictPairs pairs() const noexcept { return counts_.pairs(); }

private:
    /// Sets the bits of the earlier tasks that touch a cold key; whether there was one.
    bool walk(KeyId key, PairAccess mine) {
        Word* const own = own_.data();
        const std::uint32_t first = lists_.begin[key], here = next_[key]++;
        for (std::uint32_t i = first; i < here; ++i) {
            const Touch touch = lists_.touches[i];
            const PairAccess other(touch, is_commutative(trace_, key));
            const std::size_t at = touch.task() / word_bits;
            const std::size_t bit = touch.task() % word_bits;
            // No branches: the modes are as good as random.
            own[at] |= static_cast<Word>(mine.reads && other.writes) << bit;
            own[stride_ + at] |= static_cast<Word>(mine.writes && other.reads) << bit;
            own[2 * stride_ + at] |= static_cast<Word>(mine.orders_writes && other.orders_writes)
                                     << bit;
        }
        return first != here;
    }

    [[nodiscard]] Word* readers(std::uint32_t slot) noexcept {
        return bitmaps_.data() + std::size_t{slot} * 2 * stride_;
    }
    [[nodiscard]] Word* writers(std::uint32_t slot) noexcept { return readers(slot) + stride_; }

    void merge(std::uint32_t slot, PairAccess mine) {
        if (mine.reads) sources_.raw.push_back(writers(slot));
        if (mine.writes) sources_.war.push_back(readers(slot));
        if (mine.orders_writes) sources_.waw.push_back(writers(slot));
    }

    void mark(std::uint32_t slot, TaskId task, Access access) {
        const PairAccess mine(access, is_commutative(trace_, access.key()));
        const std::size_t at = task / word_bits, bit = task % word_bits;
        readers(slot)[at] |= static_cast<Word>(mine.reads) << bit;
        writers(slot)[at] |= static_cast<Word>(mine.writes) << bit;
    }

    const trace::PolicedTrace& trace_;
    const trace::AccessSets& sets_;
    const TouchLists& lists_;
    CountRow kernel_;
    std::size_t stride_; ///< words a row
    HotKeys hot_;
    BitRows bitmaps_; ///< a row of readers and one of writers for each hot key
    BitRows own_;     ///< of the task at hand, from cold keys: raw, war, waw
    std::vector<std::uint32_t> next_;
    RowSources sources_;
    RowCounts counts_;
};

} // namespace

Result<ConflictPairs> count_pairs(const trace::PolicedTrace& trace, const TouchLists& lists,
                                  std::stop_token stop, const PairOptions& options) {
    if (trace.tasks() > options.widest_row)
        return count_pairs_in_tiles(trace, lists, stop, options);
    RowCounter counter(trace, lists, options);
    for (TaskId task = 0; task < trace.tasks(); ++task) {
        if (task % word_bits == 0 && stop.stop_requested()) return cancelled_error();
        counter.count(task);
    }
    return counter.pairs();
}

} // namespace blockloom::conflict
