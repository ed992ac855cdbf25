#include "conflict/pairs.h"

#include <algorithm>
#include <bit>

namespace blockloom::conflict {
namespace {

using trace::Access;
using Word = std::uint64_t;

constexpr std::uint32_t word_bits = 64;

/// The earlier tasks that a task conflicts with, by kind, as bits.
struct Row {
    std::vector<Word> raw, war, waw;
};

class PairCounter {
public:
    PairCounter(const trace::PolicedTrace& trace, const TouchLists& lists)
        : trace_(trace), sets_(trace.access_sets()), lists_(lists),
          words_((sets_.tasks() + word_bits - 1) / word_bits),
          next_(lists.begin.begin(), lists.begin.end() - 1) {
        for (auto* bits : {&row_.raw, &row_.war, &row_.waw}) bits->resize(words_);
    }

    void count(TaskId task, ConflictPairs& pairs) {
        const std::size_t used = task / word_bits + 1;
        for (const Access access : sets_.of(task)) {
            const KeyId key = access.key();
            const bool commutative = !trace_.commutative.empty() && trace_.commutative[key];
            const bool reads = access.reads() && !(commutative && access.writes());
            const bool writes = access.writes();
            const std::uint32_t here = next_[key]++;
            for (std::uint32_t i = lists_.begin[key]; i < here; ++i) {
                const Touch touch = lists_.touches[i];
                const bool read = touch.reads() && !(commutative && touch.writes());
                const Word bit = Word{1} << (touch.task() % word_bits);
                const std::size_t at = touch.task() / word_bits;
                if (reads && touch.writes()) row_.raw[at] |= bit;
                if (writes && read) row_.war[at] |= bit;
                if (writes && touch.writes() && !commutative) row_.waw[at] |= bit;
            }
        }
        for (std::size_t i = 0; i < used; ++i) {
            pairs.raw += static_cast<std::uint64_t>(std::popcount(row_.raw[i]));
            pairs.war += static_cast<std::uint64_t>(std::popcount(row_.war[i]));
            pairs.waw += static_cast<std::uint64_t>(std::popcount(row_.waw[i]));
            pairs.any +=
                static_cast<std::uint64_t>(std::popcount(row_.raw[i] | row_.war[i] | row_.waw[i]));
            row_.raw[i] = row_.war[i] = row_.waw[i] = 0;
        }
    }

private:
    const trace::PolicedTrace& trace_;
    const trace::AccessSets& sets_;
    const TouchLists& lists_;
    std::size_t words_;
    std::vector<std::uint32_t> next_; ///< the touch of the task at hand, one a key
    Row row_;
};

} // namespace

Result<ConflictPairs> count_pairs(const trace::PolicedTrace& trace, const TouchLists& lists,
                                  std::stop_token stop) {
    ConflictPairs pairs;
    PairCounter counter(trace, lists);
    for (TaskId task = 0; task < trace.tasks(); ++task) {
        if (stop.stop_requested()) return cancelled_error();
        counter.count(task, pairs);
    }
    return pairs;
}

} // namespace blockloom::conflict
