#include "conflict/pairs.h"

#include "conflict/hot_keys.h"
#include "conflict/pair_access.h"
#include "conflict/pair_tiles.h"

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr std::size_t most_bitmap_words = 512 * 1024; ///< 4 MiB of bitmaps: about the cache

std::size_t largest_set(const trace::AccessSets& sets) {
    std::size_t most = 0;
    for (TaskId task = 0; task < sets.tasks(); ++task) most = std::max(most, sets.of(task).size());
    return most;
}

/// Rows over all tasks at once: for blocks whose rows stay in the nearest cache.
class RowCounter {
public:
    RowCounter(const trace::PolicedTrace& trace, const TouchLists& lists,
               const PairOptions& options)
        : trace_(trace), sets_(trace.access_sets()), touches_(lists.touches.data()),
          kernel_(options.kernel), stride_(padded_words(sets_.tasks())), places_(lists.keys()),
          own_(3 * stride_), hot_of_task_(largest_set(sets_) + 1), sources_(hot_of_task_.size()) {
        const HotKeys hot =
            find_hot_keys(lists, std::max(options.hot_touches, sets_.tasks() / options.hot_share),
                          most_bitmap_words / (2 * std::max<std::size_t>(stride_, 1)));
        bitmaps_ = BitRows(std::size_t{hot.count} * 2 * stride_);
        for (KeyId key = 0; key < lists.keys(); ++key)
            places_[key] = hot.slot[key] == HotKeys::cold
                               ? Place{lists.begin[key], lists.begin[key]}
                               : Place{hot.slot[key], hot_mark};
    }

    template <bool Commutative> void count(TaskId task) {
        std::size_t hot = 0;
        bool met = false;
        for (const Access access : sets_.of(task)) {
            const KeyId key = access.key();
            const bool commutative = Commutative && trace_.commutative[key];
            const PairAccess mine(access, commutative);
            Place& place = places_[key];
            hot_of_task_[hot] = {place.first, mine};
            const bool is_hot = place.next == hot_mark;
            hot += is_hot;
            if (is_hot) continue;
            const std::uint32_t here = place.next++;
            if (place.first == here) continue;
            walk(touches_ + place.first, touches_ + here, mine, commutative);
            met = true;
        }
        sources_.clear();
        for (std::size_t i = 0; i < hot; ++i) merge(hot_of_task_[i]);
        if (met || !sources_.empty())
            kernel_(met ? own_.data() : nullptr, stride_,
                    std::min(stride_, padded_words(std::size_t{task} + 1)), sources_, counts_);
        for (std::size_t i = 0; i < hot; ++i) mark(hot_of_task_[i], task);
    }

    [[nodiscard]] ConflictPairs pairs() const noexcept { return counts_.pairs(); }

private:
    static constexpr std::uint32_t hot_mark = ~std::uint32_t{0};

    /// Of a cold key: where its list begins and where the task at hand is in it. Of a hot one: its
    /// slot, and the mark.
    struct Place {
        std::uint32_t first, next;
    };
    struct HotAccess {
        std::uint32_t slot = 0;
        PairAccess mine;
    };

    /// Sets the bits of the earlier tasks that touch a cold key.
    void walk(const Touch* from, const Touch* to, PairAccess mine, bool commutative) {
        Word* const own_raw = own_.data();
        Word* const own_war = own_raw + stride_;
        Word* const own_waw = own_war + stride_;
        for (; from != to; ++from) {
            const PairAccess other(*from, commutative);
            const std::size_t at = from->task() / word_bits, bit = from->task() % word_bits;
            // No branches: the modes are as good as random.
            own_raw[at] |= static_cast<Word>(mine.reads & other.writes) << bit;
            own_war[at] |= static_cast<Word>(mine.writes & other.reads) << bit;
            own_waw[at] |= static_cast<Word>(mine.orders_writes & other.orders_writes) << bit;
        }
    }

    [[nodiscard]] Word* readers(std::uint32_t slot) noexcept {
        return bitmaps_.data() + std::size_t{slot} * 2 * stride_;
    }

    void merge(const HotAccess& hot) {
        const Word* const read = readers(hot.slot);
        const Word* const written = read + stride_;
        sources_.raw.add(written, hot.mine.reads);
        sources_.war.add(read, hot.mine.writes);
        sources_.waw.add(written, hot.mine.orders_writes);
    }

    void mark(const HotAccess& hot, TaskId task) {
        const std::size_t at = task / word_bits, bit = task % word_bits;
        Word* const read = readers(hot.slot);
        read[at] |= static_cast<Word>(hot.mine.reads) << bit;
        read[stride_ + at] |= static_cast<Word>(hot.mine.writes) << bit;
    }

    const trace::PolicedTrace& trace_;
    const trace::AccessSets& sets_;
    const Touch* touches_;
    CountRow kernel_;
    std::size_t stride_; ///< words a row
    std::vector<Place> places_;
    BitRows bitmaps_{0}; ///< a row of readers and one of writers for each hot key
    BitRows own_;        ///< of the task at hand, from cold keys: raw, war, waw
    std::vector<HotAccess> hot_of_task_;
    TaskSources sources_;
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
        trace.commutative.empty() ? counter.count<false>(task) : counter.count<true>(task);
    }
    return counter.pairs();
}

} // namespace blockloom::conflict
