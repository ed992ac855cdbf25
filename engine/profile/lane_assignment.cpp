#include "profile/lane_assignment.h"

#include "profile/nesting.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace blockloom::profile {
namespace {

/// Places in the recorded spans: the wave's own, and behind the last of what ran in it.
struct Wave {
    std::size_t first = 0, last = 0;
};

std::vector<Wave> waves_of(const Lane& lane) {
    const std::vector<Span>& spans = lane.spans;
    std::vector<Wave> waves;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (lane.kind != LaneKind::wave || spans[i].category == Category::slice)
            waves.push_back({i, i});
        if (!waves.empty()) waves.back().last = i + 1;
    }
    std::stable_sort(waves.begin(), waves.end(), [&](const Wave& a, const Wave& b) {
        return spans[a.first].begin < spans[b.first].begin;
    });
    return waves;
}

template <typename T> using Lowest = std::priority_queue<T, std::vector<T>, std::greater<>>;

} // namespace

std::uint64_t assign_lanes(const Lane& waves, std::vector<Lane>& lanes, std::size_t most) {
    std::vector<Lane> made;
    Lowest<std::pair<Nanoseconds, std::size_t>> busy; // until when, which
    Lowest<std::size_t> free;
    std::uint64_t dropped = 0;
    for (const Wave& wave : waves_of(waves)) {
        const Span& whole = waves.spans[wave.first];
        for (; !busy.empty() && busy.top().first <= whole.begin; busy.pop())
            free.push(busy.top().second);
        if (free.empty()) {
            if (made.size() == most) {
                dropped += wave.last - wave.first;
                continue;
            }
            free.push(made.size());
            made.push_back({waves.name + " " + std::to_string(made.size()), waves.kind, {}});
        }
        std::vector<Span>& to = made[free.top()].spans;
        to.insert(to.end(), waves.spans.begin() + static_cast<std::ptrdiff_t>(wave.first),
                  waves.spans.begin() + static_cast<std::ptrdiff_t>(wave.last));
        busy.emplace(whole.end, free.top());
        free.pop();
    }
    for (Lane& lane : made) {
        nest(lane.spans);
        lanes.push_back(std::move(lane));
    }
    return dropped;
}

std::uint64_t assign_streams(const Lane& device, std::vector<Lane>& lanes, std::size_t most) {
    std::vector<Lane> parts; // by name, in the order of their first spans
    std::vector<const Span*> spans;
    for (const Span& span : device.spans) spans.push_back(&span);
    std::stable_sort(spans.begin(), spans.end(),
                     [](const Span* a, const Span* b) { return a->begin < b->begin; });
    for (const Span* span : spans) {
        auto part = std::find_if(parts.begin(), parts.end(), [&](const Lane& lane) {
            return lane.spans.front().name == span->name;
        });
        if (part == parts.end()) part = parts.insert(part, Lane{"", LaneKind::beside, {}});
        part->spans.push_back(*span);
    }
    std::uint64_t dropped = 0;
    for (const Lane& part : parts) {
        const std::size_t first = lanes.size();
        dropped += assign_lanes(part, lanes, most);
        for (std::size_t i = first; i < lanes.size(); ++i)
            lanes[i].name = device.name, lanes[i].kind = device.kind;
    }
    return dropped;
}

} // namespace blockloom::profile
