// What a Recorder returns while it is being written.
#include "profile/recorder.h"

#include <algorithm>
#include <set>

namespace blockloom::profile {

Recorder::Clock Recorder::newest_clock() const {
    constexpr std::size_t enough = 1024; // seconds of them; what is older is reached by the first
    Clock clock{pairs_.front().at, {}};
    clock.pairs.assign(pairs_.end() - static_cast<std::ptrdiff_t>(std::min(pairs_.size(), enough)),
                       pairs_.end());
    clock.pairs.push_back(pair_now());
    return clock;
}

/// Those of the blocks that these spans are of, among the last ones that were reported.
Recorder::Blocks Recorder::blocks_of(const std::vector<Stretch>& lanes) const {
    constexpr std::size_t enough = 1024;
    std::set<std::uint32_t> heights;
    for (const Stretch& stretch : lanes)
        for (std::size_t i = stretch.first; i < stretch.last; ++i)
            heights.insert(stretch.lane->at(i).height);
    Blocks found;
    const std::scoped_lock lock(guard_);
    const std::size_t most = std::min(blocks_.size(), enough);
    for (std::size_t i = blocks_.size() - most; i < blocks_.size(); ++i)
        if (heights.count(static_cast<std::uint32_t>(blocks_[i]->height)) != 0)
            found.push_back(blocks_[i]);
    return found;
}

SoFar Recorder::so_far(std::size_t most) const {
    std::vector<Stretch> lanes;
    std::vector<Open> open;
    std::vector<Counter> counters;
    std::vector<std::string> names;
    Clock clock;
    {
        const std::scoped_lock lock(guard_);
        for (const LaneWriter& lane : lanes_) {
            const std::size_t last = lane.written_.load(std::memory_order_acquire);
            lanes.push_back({&lane, last - std::min(last, most), last});
        }
        open = open_;
        names = names_;
        for (const Counter& counter : counters_) {
            const auto& points = counter.points;
            counters.push_back({counter.name, counter.unit, {}});
            counters.back().points.assign(
                points.end() - static_cast<std::ptrdiff_t>(std::min(points.size(), most)),
                points.end());
        }
        clock = newest_clock();
    }
    SoFar made;
    // Spans are added when they end: of a lane that has more, none is missing that ends later than
    // the first one returned.
    for (const Stretch& stretch : lanes)
        if (stretch.first > 0 && stretch.first < stretch.last)
            made.from = std::max(made.from, clock.span_of(stretch.lane->at(stretch.first)).end);
    made.trace = trace_of(lanes, clock, open, blocks_of(lanes));
    made.trace.names = std::move(names);
    made.trace.counters = std::move(counters);
    return made;
}

void Recorder::add_busy(BusySoFar& busy) const {
    std::vector<Stretch> lanes;
    Clock clock;
    {
        const std::scoped_lock lock(guard_);
        for (const LaneWriter& lane : lanes_) lanes.push_back({&lane, 0, lane.written_});
        clock = newest_clock();
    }
    busy.read.resize(lanes.size(), 0);
    busy.workers = 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const LaneWriter& lane = *lanes[i].lane;
        busy.workers += lane.kind_ == LaneKind::worker;
        // Waves run within the spans of the device's lane.
        if (lane.kind_ == LaneKind::driver || lane.kind_ == LaneKind::wave ||
            lane.kind_ == LaneKind::beside)
            continue;
        BusyStrip& strip = lane.kind_ == LaneKind::worker ? busy.host : busy.device;
        for (std::size_t& at = busy.read[i]; at < lanes[i].last; ++at) {
            const LaneWriter::Raw& raw = lane.at(at);
            // Of a device, its submissions: the spans inside them add no time.
            if (raw.category == Category::wait ||
                (lane.kind_ == LaneKind::device && raw.category != Category::slice))
                continue;
            const Span span = clock.span_of(raw);
            strip.add(span.begin, span.end);
        }
    }
}

} // namespace blockloom::profile
