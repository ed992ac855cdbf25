#include "conflict/levels.h"

#include <algorithm>
#include <array>
#include <limits>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr std::size_t lane_count = 8;

/// Eight independent finish times at once. Plain loops, which the compiler vectorises.
/// Signed, for the oldest x86-64 compares no others.
struct Lanes {
    alignas(32) std::array<std::int32_t, lane_count> at{};
};

Lanes later(const Lanes& a, const Lanes& b) noexcept {
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i)
        result.at[i] = a.at[i] > b.at[i] ? a.at[i] : b.at[i];
    return result;
}

Lanes after(const Lanes& ready, std::uint64_t cost) noexcept {
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i)
        result.at[i] = ready.at[i] + static_cast<std::int32_t>(cost);
    return result;
}

template <typename Time> Time later(Time a, Time b) noexcept {
    return std::max(a, b);
}

template <typename Time> Time after(Time ready, std::uint64_t cost) noexcept {
    return ready + static_cast<Time>(cost);
}

/// The latest finish among a key's latest write, and among its reads since. For a commutative key:
/// among the updates and the reads of its latest epochs.
template <typename Time> struct KeyTimes { Time write{}, read{}; };

/// One pass; `finished(task, time)` is called for each task in order. `relax(key, times)` may set
/// times of a key back to 0 after each touch: then no task ever waits for it, as if it did not
/// exist.
template <typename Time, typename Cost, typename Relax, typename Finished>
void pass(const trace::PolicedTrace& trace, ConflictModel model, Cost cost, Relax relax,
          Finished finished) {
    const trace::AccessSets& sets = trace.access_sets();
    const bool multi_version = model == ConflictModel::multi_version;
    const bool any_commutative = !trace.commutative.empty();
    const TaskId tasks = sets.tasks();
    std::vector<KeyTimes<Time>> keys(sets.key_count);
    std::vector<bool> reads_open(any_commutative ? sets.key_count : 0);
    Time previous{}; // finish of the task before
    for (TaskId task = 0; task < tasks; ++task) {
        Time ready{};
        if (!trace.transaction.empty() && task > 0 &&
            trace.transaction[task] == trace.transaction[task - 1])
            ready = previous;
        for (const Access access : sets.of(task)) {
            const KeyTimes<Time>& key = keys[access.key()];
            if (any_commutative && trace.commutative[access.key()]) {
                if (!access.writes()) {
                    ready = later(ready, key.write);
                } else if (!multi_version) {
                    ready = later(ready, key.read);
                }
                continue;
            }
            if (access.reads() || !multi_version) ready = later(ready, key.write);
            if (access.writes() && !multi_version) ready = later(ready, key.read);
        }
        const Time end = after(ready, cost(task));
        for (const Access access : sets.of(task)) {
            KeyTimes<Time>& key = keys[access.key()];
            if (any_commutative && trace.commutative[access.key()]) {
                Time& mine = access.writes() ? key.write : key.read;
                // A new epoch replaces the last one of its kind, which is reached through the other
                // kind's.
                if (!multi_version && reads_open[access.key()] == access.writes()) mine = Time{};
                reads_open[access.key()] = !access.writes();
                mine = later(mine, end);
            } else if (access.writes()) {
                key = {end, Time{}};
            } else {
                key.read = later(key.read, end);
            }
            relax(access.key(), key);
        }
        previous = end;
        finished(task, end);
    }
}

template <typename Time>
std::uint64_t span_of(const trace::PolicedTrace& trace, ConflictModel model, KeyId relaxed) {
    Time span = 0;
    pass<Time>(
        trace, model, [&](TaskId task) { return trace.cost_of(task); },
        [&](KeyId key, KeyTimes<Time>& times) {
            if (key == relaxed) times = {};
        },
        [&](TaskId, Time end) { span = std::max(span, end); });
    return span;
}

/// At most lane_count keys, each relaxed in its own lane.
void spans_in_lanes(const trace::PolicedTrace& trace, ConflictModel model,
                    std::span<const KeyId> relaxed, std::uint64_t* spans) {
    constexpr std::uint8_t no_lane = lane_count;
    std::vector<std::uint8_t> lane(trace.access_sets().key_count, no_lane);
    for (std::size_t i = 0; i < relaxed.size(); ++i)
        lane[relaxed[i]] = static_cast<std::uint8_t>(i);
    Lanes span;
    pass<Lanes>(
        trace, model, [&](TaskId task) { return trace.cost_of(task); },
        [&](KeyId key, KeyTimes<Lanes>& times) {
            if (lane[key] == no_lane) return;
            times.write.at[lane[key]] = 0;
            times.read.at[lane[key]] = 0;
        },
        [&](TaskId, const Lanes& end) { span = later(span, end); });
    for (std::size_t i = 0; i < relaxed.size(); ++i)
        spans[i] = static_cast<std::uint64_t>(span.at[i]);
}

std::uint64_t work_of(const trace::PolicedTrace& trace) {
    std::uint64_t work = 0;
    for (TaskId task = 0; task < trace.tasks(); ++task) work += trace.cost_of(task);
    return work;
}

} // namespace

std::vector<std::uint32_t> find_levels(const trace::PolicedTrace& trace, ConflictModel model) {
    std::vector<std::uint32_t> level(trace.tasks());
    pass<std::uint32_t>(
        trace, model, [](TaskId) { return std::uint64_t{1}; },
        [](KeyId, KeyTimes<std::uint32_t>&) {},
        [&](TaskId task, std::uint32_t end) { level[task] = end; });
    return level;
}

std::uint64_t find_span(const trace::PolicedTrace& trace, ConflictModel model, KeyId relaxed) {
    return trace.cost.empty() ? span_of<std::uint32_t>(trace, model, relaxed)
                              : span_of<std::uint64_t>(trace, model, relaxed);
}

std::vector<std::uint64_t> find_spans(const trace::PolicedTrace& trace, ConflictModel model,
                                      std::span<const KeyId> relaxed, std::stop_token stop) {
    std::vector<std::uint64_t> spans(relaxed.size());
    const bool fits = work_of(trace) < std::numeric_limits<std::int32_t>::max();
    const std::size_t step = fits ? lane_count : 1;
    for (std::size_t i = 0; i < relaxed.size() && !stop.stop_requested(); i += step) {
        const auto some = relaxed.subspan(i, std::min(step, relaxed.size() - i));
        if (fits) {
            spans_in_lanes(trace, model, some, spans.data() + i);
        } else {
            spans[i] = find_span(trace, model, some[0]);
        }
    }
    return spans;
}

} // namespace blockloom::conflict
