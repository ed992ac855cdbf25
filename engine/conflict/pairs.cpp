#include "conflict/pairs.h"

#include "conflict/hot_keys.h"
#include "conflict/pair_access.h"

#include <algorithm>
#include <span>

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
        Place* const places = places_.data();
        HotAccess* hot_end = hot_of_task_.data();
        bool met = false;
        for (const Access access : sets_.of(task)) {
            const KeyId key = access.key();
            const bool commutative = Commutative && trace_.commutative[key];
            const PairAccess mine(access, commutative);
            const Place place = places[key];
            if (place.next == hot_mark) {
                *hot_end++ = HotAccess(place.first, mine);
                continue;
            }
            places[key].next = place.next + 1;
            if (place.first == place.next) continue;
            walk<Commutative>(place.first, place.next, mine, commutative);
            met = true;
        }
        const std::span hot(hot_of_task_.data(), hot_end);
        sources_.clear();
        for (const HotAccess access : hot) merge(access);
        if (met || !hot.empty())
            kernel_(met ? own_.data() : nullptr, stride_,
                    std::min(stride_, padded_words(std::size_t{task} + 1)), sources_, counts_);
        for (const HotAccess access : hot) mark(access, task);
    }

    [[nodiscard]] ConflictPairs pairs() const noexcept { return counts_.pairs(); }

private:
    static constexpr std::uint32_t hot_mark = ~std::uint32_t{0};

    /// Of a cold key: where its list begins and where the current task is in it. Of a hot one: its
    /// slot, and the mark.
    struct Place {
        std::uint32_t first, next;
    };

    /// A slot and how it is touched, in one word.
    class HotAccess {
    public:
        HotAccess() = default;
        HotAccess(std::uint32_t slot, PairAccess mine) noexcept
            : packed_(slot << PairAccess::width | mine.bits()) {}
        [[nodiscard]] std::uint32_t slot() const noexcept { return packed_ >> PairAccess::width; }
        [[nodiscard]] PairAccess mine() const noexcept { return PairAccess::of_bits(packed_); }

    private:
        std::uint32_t packed_ = 0;
    };

    /// Sets the bits of the earlier tasks that touch a cold key: touches `from` to `to`.
    template <bool Commutative>
    void walk(std::uint32_t from, std::uint32_t to, PairAccess mine, bool commutative) {
        const Word reads = mine.reads(), writes = mine.writes(), orders = mine.orders_writes();
        Word* const own_raw = own_.data();
        Word* const own_war = own_raw + stride_;
        Word* const own_waw = own_war + stride_;
        const Touch* const end = touches_ + to;
        for (const Touch* touch = touches_ + from; touch != end; ++touch) {
            const PairAccess other(*touch, Commutative && commutative);
            const std::size_t at = touch->task() / word_bits, bit = touch->task() % word_bits;
            // No branches: the modes are as good as random.
            own_raw[at] |= (reads & other.writes()) << bit;
            own_war[at] |= (writes & other.reads()) << bit;
            own_waw[at] |= (orders & other.orders_writes()) << bit;
        }
    }

    [[nodiscard]] Word* readers(std::uint32_t slot) noexcept {
        return bitmaps_.data() + std::size_t{slot} * 2 * stride_;
    }

    void merge(HotAccess hot) {
        const Word* const read = readers(hot.slot());
        const Word* const written = read + stride_;
        sources_.raw.add(written, hot.mine().reads());
        sources_.war.add(read, hot.mine().writes());
        sources_.waw.add(written, hot.mine().orders_writes());
    }

    void mark(HotAccess hot, TaskId task) {
        const std::size_t at = task / word_bits, bit = task % word_bits;
        Word* const read = readers(hot.slot());
        read[at] |= static_cast<Word>(hot.mine().reads()) << bit;
        read[stride_ + at] |= static_cast<Word>(hot.mine().writes()) << bit;
    }

    const trace::PolicedTrace& trace_;
    const trace::AccessSets& sets_;
    const Touch* touches_;
    CountRow kernel_;
    std::size_t stride_; ///< words a row
    std::vector<Place> places_;
    BitRows bitmaps_{0}; ///< a row of readers and one of writers for each hot key
    BitRows own_;        ///< of the current task, from cold keys: raw, war, waw
    std::vector<HotAccess> hot_of_task_;
    TaskSources sources_;
    RowCounts counts_;
};

} // namespace

PairUnits::PairUnits(const trace::PolicedTrace& trace, const TouchLists& lists,
                     const PairOptions& options)
    : trace_(trace), lists_(lists), options_(options) {
    if (trace.tasks() > options.widest_row) tiles_.emplace(trace, lists, options);
}

std::size_t PairUnits::units() const noexcept {
    return tiles_ ? tiles_->units() : 1;
}

std::size_t PairUnits::most_units(std::size_t tasks, const PairOptions& options) noexcept {
    return tasks > options.widest_row ? 1 + (tasks + options.tile - 1) / options.tile : 1;
}

Result<ConflictPairs> PairUnits::pairs_of(std::size_t unit, const std::stop_token& stop) const {
    if (tiles_) return tiles_->pairs_of(unit, stop);
    RowCounter counter(trace_, lists_, options_);
    for (TaskId task = 0; task < trace_.tasks(); ++task) {
        if (task % word_bits == 0 && stop.stop_requested()) return cancelled_error();
        trace_.commutative.empty() ? counter.count<false>(task) : counter.count<true>(task);
    }
    return counter.pairs();
}

Result<ConflictPairs> count_pairs(const trace::PolicedTrace& trace, const TouchLists& lists,
                                  std::stop_token stop, const PairOptions& options) {
    const PairUnits all(trace, lists, options);
    ConflictPairs sum;
    for (std::size_t unit = 0; unit < all.units(); ++unit) {
        const auto pairs = all.pairs_of(unit, stop);
        if (!pairs) return pairs.error();
        sum += *pairs;
    }
    return sum;
}

} // namespace blockloom::conflict
