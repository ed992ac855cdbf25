// The synthetic trace of the benchmarks: tasks of ten accesses, keys drawn by Zipf's law over a
// million, ids dense in the order in which keys come (as an interner gives them).
#pragma once

#include "cpu_watch.h"
#include "trace/block_trace.h"
#include "trace/key_policy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace blockloom::bench {

inline constexpr std::uint32_t accesses_a_task = 10;
inline constexpr std::uint32_t universe = 1'000'000;
inline constexpr double write_share = 0.4;

/// Ranks 0 … universe-1 with weight 1/(rank+1)^skew.
class Zipf {
public:
    explicit Zipf(double skew) : sums_(universe) {
        double sum = 0;
        for (std::uint32_t rank = 0; rank < universe; ++rank)
            sums_[rank] = sum += 1 / std::pow(rank + 1, skew);
    }
    std::uint32_t operator()(std::mt19937_64& random) const {
        const double at = std::uniform_real_distribution<>(0, sums_.back())(random);
        return static_cast<std::uint32_t>(std::upper_bound(sums_.begin(), sums_.end() - 1, at) -
                                          sums_.begin());
    }

private:
    std::vector<double> sums_;
};

/// Traces of `tasks` tasks each, `accesses` in sum.
inline std::vector<std::shared_ptr<const trace::PolicedTrace>>
zipf_traces(double skew, std::uint64_t accesses, std::uint32_t tasks) {
    const Zipf draw(skew);
    std::mt19937_64 random(7);
    std::vector<std::uint32_t> id(universe), block_of_id(universe, 0);
    std::vector<std::shared_ptr<const trace::PolicedTrace>> traces;
    const std::uint64_t count = accesses / accesses_a_task / tasks;
    for (std::uint64_t number = 1; number <= count; ++number) {
        auto block = std::make_shared<trace::BlockTrace>();
        trace::AccessSets& sets = block->sets;
        sets.accesses.reserve(std::size_t{tasks} * accesses_a_task);
        sets.begin.reserve(std::size_t{tasks} + 1);
        for (std::uint32_t task = 0; task < tasks; ++task) {
            const auto first = static_cast<std::ptrdiff_t>(sets.accesses.size());
            while (sets.accesses.size() < static_cast<std::size_t>(first) + accesses_a_task) {
                const std::uint32_t rank = draw(random);
                if (block_of_id[rank] != number) {
                    block_of_id[rank] = static_cast<std::uint32_t>(number);
                    id[rank] = sets.key_count++;
                }
                const bool twice =
                    std::any_of(sets.accesses.begin() + first, sets.accesses.end(),
                                [&](trace::Access access) { return access.key() == id[rank]; });
                if (twice) continue;
                const bool writes = std::uniform_real_distribution<>(0, 1)(random) < write_share;
                sets.accesses.emplace_back(id[rank],
                                           writes ? trace::Mode::write : trace::Mode::read);
            }
            sets.begin.push_back(static_cast<std::uint32_t>(sets.accesses.size()));
        }
        auto policed = std::make_shared<trace::PolicedTrace>();
        policed->original = std::move(block);
        traces.push_back(std::move(policed));
    }
    return traces;
}

/// What std::sort is given: one 64-bit (key, task) pair an access.
inline std::vector<std::uint64_t> sortable(const trace::AccessSets& sets) {
    std::vector<std::uint64_t> pairs;
    pairs.reserve(sets.accesses.size());
    for (trace::TaskId task = 0; task < sets.tasks(); ++task)
        for (const trace::Access access : sets.of(task))
            pairs.push_back(std::uint64_t{access.key()} << 32 | task);
    return pairs;
}

} // namespace blockloom::bench
