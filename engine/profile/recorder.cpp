#include "profile/recorder.h"

#include "profile/lane_assignment.h"
#include "profile/nesting.h"

#include <algorithm>
#include <limits>
#include <new>

namespace blockloom::profile {

bool LaneWriter::grow() noexcept {
    if (grown_ * chunk >= most_) return false;
    std::unique_ptr<Raw[]> room(new (std::nothrow) Raw[chunk]);
    if (room == nullptr) return false;
    next_ = room.get();
    end_ = next_ + std::min(chunk, most_ - grown_ * chunk);
    chunks_[grown_++] = std::move(room);
    return true;
}

Recorder::Recorder(std::vector<std::string> names, std::size_t most)
    : most_(most), names_(std::move(names)), pairs_{pair_now()} {
    start_ = pairs_.front().at;
    open_.reserve(64); // deeper than anything nests
}

LaneWriter& Recorder::lane(std::string name, LaneKind kind) {
    const std::scoped_lock lock(guard_);
    return lanes_.emplace_back(std::move(name), kind, most_);
}

Recorder::Pair Recorder::pair_now() {
    // The tick in the middle of two readings of the other clock, which are far apart if the thread
    // was preempted between them.
    constexpr Nanoseconds close = 1'000;
    constexpr int tries = 8;
    Pair best{};
    Nanoseconds least = std::numeric_limits<Nanoseconds>::max();
    for (int i = 0; i < tries && least > close; ++i) {
        const Nanoseconds before = now_ns();
        const Tick now = tick();
        const Nanoseconds after = now_ns();
        if (after - before >= least) continue;
        least = after - before;
        best = {now, before + least / 2};
    }
    return best;
}

void Recorder::calibrate() {
    constexpr Nanoseconds apart = 5'000'000;
    if (now_ns() - pairs_.back().at < apart) return; // only this thread changes them
    const std::scoped_lock lock(guard_);
    pairs_.push_back(pair_now());
}

void Recorder::set_tasks(std::uint64_t height,
                         std::vector<std::pair<std::uint32_t, std::uint32_t>> first_tasks) {
    auto block = std::make_shared<const BlockTasks>(BlockTasks{height, std::move(first_tasks)});
    const std::scoped_lock lock(guard_);
    blocks_.push_back(std::move(block));
}

std::uint16_t Recorder::name(const std::string& text) {
    constexpr std::size_t most_names = 4096; // further ones share the last
    const std::scoped_lock lock(guard_);
    const auto found = std::ranges::find(names_, text);
    if (found != names_.end()) return static_cast<std::uint16_t>(found - names_.begin());
    if (names_.size() >= most_names) return static_cast<std::uint16_t>(names_.size() - 1);
    names_.push_back(text);
    return static_cast<std::uint16_t>(names_.size() - 1);
}

void Recorder::open(const LaneWriter& lane, Nanoseconds begin, const SpanLabel& label) {
    const std::scoped_lock lock(guard_);
    open_.push_back({&lane,
                     {static_cast<Tick>(begin), 0, label.height, label.transaction, label.detail,
                      label.name, label.category, true}});
}

void Recorder::close(LaneWriter& lane, Nanoseconds begin, Nanoseconds end, const SpanLabel& label) {
    const std::scoped_lock lock(guard_); // it is seen as open or as ended, never as both or neither
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& at) {
        return at.lane == &lane && at.span.begin == static_cast<Tick>(begin) &&
               at.span.name == label.name;
    });
    if (found != open_.rend()) open_.erase(std::next(found).base());
    lane.add_ns(begin, end, label);
}

void Recorder::count(std::string_view name, std::string_view unit, std::int64_t value) {
    const std::scoped_lock lock(guard_);
    auto at = std::find_if(counters_.begin(), counters_.end(),
                           [&](const Counter& counter) { return counter.name == name; });
    if (at == counters_.end())
        at = counters_.insert(at, {std::string(name), std::string(unit), {}});
    if (at->points.size() < most_) at->points.push_back({now_ns() - pairs_.front().at, value});
}

Nanoseconds Recorder::Clock::time_of(Tick tick) const {
    // Interpolated between the two surrounding pairs; the first and the last stretch are
    // extrapolated.
    auto right = std::upper_bound(pairs.begin() + 1, pairs.end() - 1, tick,
                                  [](Tick t, const Pair& pair) { return t < pair.tick; });
    const Pair &a = *(right - 1), &b = *right;
    if (b.tick == a.tick) return a.at - origin;
    const double share = static_cast<double>(static_cast<std::int64_t>(tick - a.tick)) /
                         static_cast<double>(b.tick - a.tick);
    return a.at - origin + static_cast<Nanoseconds>(share * static_cast<double>(b.at - a.at));
}

Span Recorder::Clock::span_of(const LaneWriter::Raw& raw) const {
    Span span;
    span.begin = raw.in_ns ? static_cast<Nanoseconds>(raw.begin) - origin : time_of(raw.begin);
    span.end = raw.in_ns ? static_cast<Nanoseconds>(raw.end) - origin : time_of(raw.end);
    span.begin = std::max<Nanoseconds>(span.begin, 0);
    span.end = std::max(span.end, span.begin);
    span.detail = raw.detail;
    span.name = raw.name;
    span.category = raw.category;
    return span;
}

Trace Recorder::trace_of(const std::vector<Stretch>& lanes, const Clock& clock,
                         const std::vector<Open>& open, const Blocks& blocks) const {
    Trace trace;
    trace.duration = clock.pairs.back().at - clock.origin;
    std::unordered_map<std::uint32_t, std::uint32_t> places; // height → its number
    for (const auto& block : blocks) {
        places[static_cast<std::uint32_t>(block->height)] =
            static_cast<std::uint32_t>(trace.heights.size());
        trace.heights.push_back(block->height);
    }
    for (const Stretch& stretch : lanes) {
        const LaneWriter& writer = *stretch.lane;
        trace.dropped += writer.dropped_.load(std::memory_order_relaxed);
        Lane lane{writer.name_, writer.kind_, {}};
        lane.spans.reserve(stretch.last - stretch.first);
        const auto add = [&](const LaneWriter::Raw& raw) {
            Span span = clock.span_of(raw);
            trace.duration = std::max(trace.duration, span.end);
            if (const auto at = places.find(raw.height); at != places.end()) {
                span.block = at->second;
                const auto& first = blocks[at->second]->first_tasks;
                const auto task =
                    std::lower_bound(first.begin(), first.end(), std::pair{raw.transaction, 0U});
                if (task != first.end() && task->first == raw.transaction)
                    span.task = task->second + (raw.category == Category::message ? raw.detail : 0);
            }
            if (raw.category == Category::message) span.detail = raw.transaction;
            if (raw.category == Category::slice) span.task = raw.transaction;
            lane.spans.push_back(span);
        };
        for (std::size_t i = stretch.first; i < stretch.last; ++i) add(writer.at(i));
        for (const Open& at : open)
            if (at.lane == &writer) {
                LaneWriter::Raw until_now = at.span;
                until_now.end = static_cast<Tick>(clock.pairs.back().at);
                add(until_now);
            }
        if (lane.kind == LaneKind::wave || lane.kind == LaneKind::beside) {
            trace.dropped += assign_lanes(lane, trace.lanes);
            continue;
        }
        if (lane.kind == LaneKind::device) { // one that did nothing gets no lane
            trace.dropped += assign_streams(lane, trace.lanes);
            continue;
        }
        nest(lane.spans);
        trace.lanes.push_back(std::move(lane));
    }
    return trace;
}

Trace Recorder::finish() {
    const std::scoped_lock lock(guard_);
    pairs_.push_back(pair_now());
    std::vector<Stretch> all;
    for (const LaneWriter& lane : lanes_)
        all.push_back({&lane, 0, lane.written_.load(std::memory_order_acquire)});
    Trace trace = trace_of(all, {pairs_.front().at, pairs_}, {}, blocks_);
    trace.names = names_;
    trace.counters = counters_;
    // What came after the last of them, such as waiting for a compiler, is not the run's.
    Nanoseconds last = 0;
    for (const Lane& lane : trace.lanes)
        for (const Span& span : lane.spans) last = std::max(last, span.end);
    for (const Counter& counter : trace.counters)
        if (!counter.points.empty()) last = std::max(last, counter.points.back().at);
    if (last != 0) trace.duration = last;
    return trace;
}

} // namespace blockloom::profile
