#include "profile/recorder.h"

#include <algorithm>
#include <new>

namespace blockloom::profile {

bool LaneWriter::grow() noexcept {
    if (chunks_.size() * chunk >= most_) return false;
    std::unique_ptr<Raw[]> room(new (std::nothrow) Raw[chunk]);
    if (room == nullptr) return false;
    next_ = room.get();
    end_ = next_ + std::min(chunk, most_ - chunks_.size() * chunk);
    chunks_.push_back(std::move(room)); // never allocates: see the constructor of Recorder
    return true;
}

Recorder::Recorder(std::vector<std::string> names, std::size_t most)
    : names_(std::move(names)), most_(most) {
    take_pair();
}

LaneWriter& Recorder::lane(std::string name, LaneKind kind) {
    LaneWriter& lane = lanes_.emplace_back(std::move(name), kind, most_);
    lane.chunks_.reserve((most_ + LaneWriter::chunk - 1) / LaneWriter::chunk);
    return lane;
}

void Recorder::take_pair() {
    // The tick in the middle of two readings of the other clock.
    const Nanoseconds before = now_ns();
    const Tick now = tick();
    const Nanoseconds after = now_ns();
    pairs_.push_back({now, before + (after - before) / 2});
}

void Recorder::calibrate() {
    constexpr Nanoseconds apart = 5'000'000;
    if (now_ns() - pairs_.back().at >= apart) take_pair();
}

void Recorder::set_tasks(std::uint64_t height,
                         std::vector<std::pair<std::uint32_t, std::uint32_t>> first_tasks) {
    blocks_.push_back({height, std::move(first_tasks)});
}

void Recorder::count(std::string_view name, std::string_view unit, std::int64_t value) {
    auto at = std::find_if(counters_.begin(), counters_.end(),
                           [&](const Counter& counter) { return counter.name == name; });
    if (at == counters_.end())
        at = counters_.insert(at, {std::string(name), std::string(unit), {}});
    if (at->points.size() < most_) at->points.push_back({now_ns() - pairs_.front().at, value});
}

Nanoseconds Recorder::time_of(Tick tick) const {
    // Between the two pairs around it; the first and the last stretch reach on.
    auto right = std::upper_bound(pairs_.begin() + 1, pairs_.end() - 1, tick,
                                  [](Tick t, const Pair& pair) { return t < pair.tick; });
    const Pair &a = *(right - 1), &b = *right;
    if (b.tick == a.tick) return a.at - pairs_.front().at;
    const double share = static_cast<double>(static_cast<std::int64_t>(tick - a.tick)) /
                         static_cast<double>(b.tick - a.tick);
    return a.at - pairs_.front().at +
           static_cast<Nanoseconds>(share * static_cast<double>(b.at - a.at));
}

Lane Recorder::nested(const LaneWriter& writer, const Places& places, Trace& trace) const {
    Lane lane{writer.name_, writer.kind_, {}};
    const Nanoseconds origin = pairs_.front().at;
    for (const auto& chunk : writer.chunks_) {
        const bool last = &chunk == &writer.chunks_.back();
        const LaneWriter::Raw* const end = last ? writer.next_ : chunk.get() + LaneWriter::chunk;
        for (const LaneWriter::Raw* raw = chunk.get(); raw != end; ++raw) {
            Span span;
            span.begin =
                raw->in_ns ? static_cast<Nanoseconds>(raw->begin) - origin : time_of(raw->begin);
            span.end = raw->in_ns ? static_cast<Nanoseconds>(raw->end) - origin : time_of(raw->end);
            span.begin = std::max<Nanoseconds>(span.begin, 0);
            span.end = std::max(span.end, span.begin);
            trace.duration = std::max(trace.duration, span.end);
            span.detail = raw->detail;
            span.name = raw->name;
            span.category = raw->category;
            if (const auto at = places.find(raw->height); at != places.end()) {
                span.block = at->second;
                const auto& first = blocks_[at->second].first_tasks;
                const auto task =
                    std::lower_bound(first.begin(), first.end(), std::pair{raw->transaction, 0U});
                if (task != first.end() && task->first == raw->transaction)
                    span.task = task->second;
            }
            lane.spans.push_back(span);
        }
    }
    nest(lane.spans);
    return lane;
}

Trace Recorder::finish() {
    take_pair();
    Trace trace;
    trace.duration = pairs_.back().at - pairs_.front().at;
    trace.names = names_;
    Places places;
    for (const BlockTasks& block : blocks_) {
        places[static_cast<std::uint32_t>(block.height)] =
            static_cast<std::uint32_t>(trace.heights.size());
        trace.heights.push_back(block.height);
    }
    for (const LaneWriter& writer : lanes_) {
        trace.dropped += writer.dropped_;
        trace.lanes.push_back(nested(writer, places, trace));
    }
    trace.counters = counters_;
    return trace;
}

void nest(std::vector<Span>& spans) {
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<Nanoseconds> open; // ends of the spans that hold the next one
    for (Span& span : spans) {
        while (!open.empty() && open.back() <= span.begin) open.pop_back();
        if (!open.empty()) span.end = std::min(span.end, open.back());
        span.end = std::max(span.end, span.begin);
        span.depth = static_cast<std::uint8_t>(std::min<std::size_t>(open.size(), 255));
        open.push_back(span.end);
    }
}

} // namespace blockloom::profile
