#include "conflict/contention.h"

#include "conflict/levels.h"
#include "conflict/touch_lists.h"

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr std::uint64_t pairs_of(std::uint64_t n) noexcept {
    return n < 2 ? 0 : n * (n - 1) / 2;
}

KeyContention count_key(KeyId key, std::span<const Touch> touches, bool commutative) {
    KeyContention counted{.key = key};
    std::uint64_t pure_readers = 0;
    for (const Touch touch : touches) {
        counted.readers += touch.reads();
        counted.writers += touch.writes();
        pure_readers += !touch.writes();
    }
    counted.conflict_pairs = commutative ? pure_readers * counted.writers
                                         : pairs_of(touches.size()) - pairs_of(pure_readers);
    return counted;
}

/// Keys that a costliest chain depends on: for each of them, some edge of the chain has no other
/// key as a cause. Relaxing any other key leaves the whole chain in place, so the span stays.
class NeededKeys {
public:
    explicit NeededKeys(const ConflictIndex& index) {
        const std::vector<TaskId> chain = critical_chain(index);
        for (std::size_t i = 1; i < chain.size(); ++i) look_at(index, chain[i - 1], chain[i]);
        std::sort(keys_.begin(), keys_.end());
    }

    [[nodiscard]] bool has(KeyId key) const {
        return std::binary_search(keys_.begin(), keys_.end(), key);
    }

private:
    /// Which keys order the two? Any key on which they conflict does under `single_version`, for
    /// then a chain of that key's edges leads from one to the other; under `multi_version` we ask
    /// `waits_for` and take its answer as the only one, which errs on the slow side.
    void look_at(const ConflictIndex& index, TaskId before, TaskId task) {
        const trace::PolicedTrace& trace = *index.trace;
        if (!trace.transaction.empty() && before + 1 == task &&
            trace.transaction[before] == trace.transaction[task])
            return;
        if (index.model == ConflictModel::multi_version) {
            for (const Reason& reason : waits_for(index, task))
                if (reason.task == before) keys_.push_back(reason.key);
            return;
        }
        mine_.assign(trace.access_sets().of(task).begin(), trace.access_sets().of(task).end());
        std::sort(mine_.begin(), mine_.end(), [](Access a, Access b) { return a.key() < b.key(); });
        std::size_t ordering = 0;
        KeyId last = no_key;
        for (const Access access : trace.access_sets().of(before)) {
            const auto mine = std::lower_bound(mine_.begin(), mine_.end(), access.key(),
                                               [](Access a, KeyId key) { return a.key() < key; });
            if (mine == mine_.end() || mine->key() != access.key()) continue;
            const bool commutative = !trace.commutative.empty() && trace.commutative[access.key()];
            if (commutative ? access.writes() != mine->writes()
                            : access.writes() || mine->writes()) {
                ++ordering;
                last = access.key();
            }
        }
        if (ordering == 1) keys_.push_back(last);
    }

    std::vector<KeyId> keys_;
    std::vector<Access> mine_;
};

} // namespace

Result<std::vector<KeyContention>> contention(const ConflictIndex& index, std::size_t most,
                                              std::stop_token stop) {
    const trace::PolicedTrace& trace = *index.trace;
    const Result<TouchLists> listed = list_touches(trace.access_sets());
    if (!listed) return listed.error();
    const TouchLists& lists = *listed;
    std::vector<KeyContention> keys;
    for (KeyId key = 0; key < lists.keys(); ++key) {
        const bool commutative = !trace.commutative.empty() && trace.commutative[key];
        const KeyContention counted = count_key(key, lists.of(key), commutative);
        if (counted.conflict_pairs != 0) keys.push_back(counted);
    }
    const auto worse = [](const KeyContention& a, const KeyContention& b) {
        return a.conflict_pairs != b.conflict_pairs ? a.conflict_pairs > b.conflict_pairs
                                                    : a.key < b.key;
    };
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, keys.size()));
    std::partial_sort(keys.begin(), keys.begin() + shown, keys.end(), worse);
    keys.resize(static_cast<std::size_t>(shown));
    const NeededKeys needed(index);
    std::vector<KeyId> relaxed;
    for (const KeyContention& key : keys)
        if (needed.has(key.key)) relaxed.push_back(key.key);
    const std::vector<std::uint64_t> spans = find_spans(trace, index.model, relaxed, stop);
    if (stop.stop_requested()) return cancelled_error();
    auto span = spans.begin();
    for (KeyContention& key : keys) {
        if (!needed.has(key.key)) continue;
        // The work stays, so parallelism grows as the span shrinks.
        if (*span != 0)
            key.gain_if_relaxed = static_cast<double>(index.span) / static_cast<double>(*span);
        ++span;
    }
    return keys;
}

} // namespace blockloom::conflict
