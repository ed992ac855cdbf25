#include "profile/time_cover.h"

#include <algorithm>

namespace blockloom::profile {

TimeCover::TimeCover(std::vector<TimeRange> ranges) {
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    for (const TimeRange& range : ranges) {
        if (range.length() <= 0) continue;
        if (!ranges_.empty() && range.begin <= ranges_.back().end)
            ranges_.back().end = std::max(ranges_.back().end, range.end);
        else
            ranges_.push_back(range);
    }
}

Nanoseconds TimeCover::length() const noexcept {
    Nanoseconds sum = 0;
    for (const TimeRange& range : ranges_) sum += range.length();
    return sum;
}

TimeCover TimeCover::without(const TimeCover& other) const {
    TimeCover left;
    auto next = other.ranges_.begin();
    for (TimeRange range : ranges_) {
        while (next != other.ranges_.end() && next->end <= range.begin) ++next;
        for (auto cut = next; cut != other.ranges_.end() && cut->begin < range.end; ++cut) {
            if (cut->begin > range.begin) left.ranges_.push_back({range.begin, cut->begin});
            range.begin = std::min(cut->end, range.end);
        }
        if (range.length() > 0) left.ranges_.push_back(range);
    }
    return left;
}

TimeCover TimeCover::within(const TimeCover& other) const {
    TimeCover both;
    auto a = ranges_.begin();
    auto b = other.ranges_.begin();
    while (a != ranges_.end() && b != other.ranges_.end()) {
        const TimeRange range{std::max(a->begin, b->begin), std::min(a->end, b->end)};
        if (range.length() > 0) both.ranges_.push_back(range);
        if (a->end < b->end)
            ++a;
        else
            ++b;
    }
    return both;
}

} // namespace blockloom::profile
