#include "profile/timeline.h"

#include "profile/nesting.h"

#include <algorithm>
#include <tuple>

namespace blockloom::profile {
namespace {

std::uint32_t narrow(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

Nanoseconds work_of(const Span& span) {
    return span.category == Category::wait ? 0 : span.duration();
}

} // namespace

Timeline::Timeline(const Trace& trace)
    : duration_(trace.duration), names_(trace.names), used_(trace.names.size()),
      heights_(trace.heights), dropped_(trace.dropped) {
    add_groups(trace);
    for (const Counter& counter : trace.counters) {
        if (counter.points.empty()) continue;
        CounterRow row{counter.name, counter.unit, {}, {}, {}};
        std::vector<std::int64_t> values, negatives;
        for (const Counter::Point& point : counter.points) {
            row.at.push_back(point.at);
            values.push_back(point.value);
            negatives.push_back(-point.value);
        }
        row.highest = MaxTree(std::move(values));
        row.lowest = MaxTree(std::move(negatives));
        counters_.push_back(std::move(row));
    }
    look_through();
}

void Timeline::add_groups(const Trace& trace) {
    const auto begin = [this](const std::string& name, bool device) {
        groups_.push_back(
            {name, device, false, narrow(rows_.size()), 0, 0, narrow(groups_.size())});
    };
    begin("Host", false);
    for (const Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::driver || lane.kind == LaneKind::worker)
            add_rows(lane.name, lane.kind, lane.spans);
    for (const Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::beside) add_rows(lane.name, lane.kind, lane.spans);
    end_group();
    for (auto lane = trace.lanes.begin(); lane != trace.lanes.end();) {
        const auto last = std::find_if(lane + 1, trace.lanes.end(), [&](const Lane& other) {
            return other.kind != lane->kind || other.name != lane->name;
        });
        if (lane->kind == LaneKind::device) {
            begin(lane->name, true);
            add_device({lane, last});
            end_group();
        }
        lane = last;
    }
    begin("Waves", true);
    groups_.back().waves = true;
    for (const Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::wave) add_rows(lane.name, lane.kind, lane.spans);
    end_group();
}

/// Its parts work side by side: each has its own row, in the order in which they first begin.
void Timeline::add_device(std::span<const Lane> lanes) {
    struct Part {
        std::uint16_t name = 0;
        std::vector<std::vector<Span>> streams;
    };
    std::vector<Part> parts;
    for (const Lane& lane : lanes) {
        const auto in_lane = [&](std::uint16_t name) {
            std::vector<Span> spans;
            for (const Span& span : lane.spans)
                if (span.name == name) spans.push_back(span);
            nest(spans);
            return spans;
        };
        std::vector<bool> seen(names_.size());
        for (const Span& span : lane.spans) {
            if (seen[span.name]) continue;
            seen[span.name] = true;
            auto part = std::ranges::find(parts, span.name, &Part::name);
            if (part == parts.end()) part = parts.insert(part, {span.name, {}});
            part->streams.push_back(in_lane(span.name));
        }
    }
    std::ranges::stable_sort(parts, {},
                             [](const Part& part) { return part.streams.front().front().begin; });
    for (Part& part : parts)
        for (std::size_t i = 0; i < part.streams.size(); ++i) {
            std::string name = names_[part.name];
            if (part.streams.size() > 1) name.append(" ").append(std::to_string(i + 1));
            add_rows(name, LaneKind::device, std::move(part.streams[i]));
        }
}

void Timeline::end_group() {
    TimelineGroup& group = groups_.back();
    group.rows = narrow(rows_.size()) - group.first_row;
    const auto begin = rows_.begin() + group.first_row;
    const bool workers = std::any_of(begin, rows_.end(), [](const Row& row) {
        return row.about.kind == LaneKind::worker && !row.spans.empty();
    });
    const bool whole = group.device && !group.waves;
    std::vector<TimeRange> parts;
    Row together;
    for (auto row = begin; row != rows_.end(); ++row) {
        row->counts = row->about.depth == 0 && row->about.kind != LaneKind::beside &&
                      (!workers || row->about.kind == LaneKind::worker);
        if (row->counts && (!whole || group.lanes == 0)) ++group.lanes;
        if (row->counts && whole)
            for (const Span& span : row->spans)
                if (span.category != Category::wait) parts.push_back({span.begin, span.end});
    }
    if (group.rows == 0) {
        groups_.pop_back();
        return;
    }
    const TimeCover cover(std::move(parts));
    for (const TimeRange& range : cover.ranges()) {
        together.spans.emplace_back();
        together.spans.back().begin = range.begin, together.spans.back().end = range.end;
    }
    measure(together);
    together_.push_back(std::move(together));
}

void Timeline::measure(Row& row) {
    std::vector<std::int64_t> apart(row.spans.size());
    row.busy_before.resize(row.spans.size() + 1);
    for (std::size_t k = 0; k < row.spans.size(); ++k) {
        const Nanoseconds gap = k == 0 ? 0 : row.spans[k].begin - row.spans[k - 1].end;
        apart[k] = std::max(row.spans[k].duration(), gap);
        row.busy_before[k + 1] = row.busy_before[k] + work_of(row.spans[k]);
    }
    row.apart = MaxTree(std::move(apart));
}

void Timeline::add_rows(const std::string& name, LaneKind kind, std::vector<Span> spans) {
    std::uint32_t depths = 1;
    for (const Span& span : spans) depths = std::max(depths, std::uint32_t{span.depth} + 1);
    const std::size_t first = rows_.size();
    for (std::uint32_t depth = 0; depth < depths; ++depth)
        rows_.push_back({{name, kind, static_cast<std::uint8_t>(depth)}, {}, {}, {}, false});
    span_count_ += spans.size();
    if (depths == 1)
        rows_[first].spans = std::move(spans);
    else
        for (const Span& span : spans) rows_[first + span.depth].spans.push_back(span);
    for (std::size_t i = first; i < rows_.size(); ++i) measure(rows_[i]);
}

void Timeline::look_through() {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        for (std::size_t i = 0; i < rows_[row].spans.size(); ++i) {
            const Span& span = rows_[row].spans[i];
            used_[span.name] = true;
            if (span.block == none || span.task == none) continue;
            tasks_.push_back({span.block, span.task, {narrow(row), narrow(i)}});
        }
    std::sort(tasks_.begin(), tasks_.end(), [](const TaskPlace& a, const TaskPlace& b) {
        return std::tie(a.block, a.task, a.at) < std::tie(b.block, b.task, b.at);
    });
}

std::pair<std::uint32_t, std::uint32_t> Timeline::touching(std::size_t at, TimeRange range) const {
    const std::vector<Span>& spans = rows_[at].spans;
    // Begins and ends both ascend: spans of a row do not overlap.
    const auto first = std::partition_point(spans.begin(), spans.end(), [&](const Span& s) {
        return s.end < range.begin || (s.end == range.begin && s.begin < s.end);
    });
    const auto last = std::partition_point(first, spans.end(),
                                           [&](const Span& s) { return s.begin < range.end; });
    return {narrow(static_cast<std::size_t>(first - spans.begin())),
            narrow(static_cast<std::size_t>(last - spans.begin()))};
}

void Timeline::items(std::size_t at, TimeRange shown, Nanoseconds least,
                     std::vector<TimelineItem>& out) const {
    const Row& row = rows_[at];
    const auto [first, last] = touching(at, shown);
    for (std::uint32_t i = first; i < last;) {
        std::uint32_t next = i + 1;
        if (row.spans[i].duration() < least)
            next = narrow(row.apart.first_at_least(i + 1, last, least));
        out.push_back({{row.spans[i].begin, row.spans[next - 1].end},
                       i,
                       next - i,
                       row.busy_before[next] - row.busy_before[i]});
        i = next;
    }
}

Nanoseconds Timeline::busy_until(const Row& row, Nanoseconds moment) const {
    const auto after = std::partition_point(row.spans.begin(), row.spans.end(),
                                            [&](const Span& s) { return s.begin < moment; });
    const auto count = static_cast<std::size_t>(after - row.spans.begin());
    if (count == 0) return 0;
    const Span& last = row.spans[count - 1];
    Nanoseconds all = row.busy_before[count];
    if (last.end > moment && last.category != Category::wait) all -= last.end - moment;
    return all;
}

Nanoseconds Timeline::busy(std::size_t row, TimeRange range) const {
    return busy_until(rows_[row], range.end) - busy_until(rows_[row], range.begin);
}

std::vector<const Timeline::Row*> Timeline::counted_rows(const TimelineGroup& group) const {
    if (group.device && !group.waves) return {&together_[group.number]};
    std::vector<const Row*> rows;
    for (std::size_t row = group.first_row; row < group.first_row + group.rows; ++row)
        if (rows_[row].counts) rows.push_back(&rows_[row]);
    return rows;
}

std::vector<float> Timeline::busy_shares(const TimelineGroup& group, TimeRange range,
                                         std::size_t parts) const {
    std::vector<double> busy(parts, 0);
    const double part = static_cast<double>(range.length()) / static_cast<double>(parts);
    if (parts == 0 || part <= 0 || group.lanes == 0) return std::vector<float>(parts, 0);
    for (const Row* row : counted_rows(group)) {
        Nanoseconds before = busy_until(*row, range.begin);
        for (std::size_t i = 0; i < parts; ++i) {
            const auto edge =
                range.begin + static_cast<Nanoseconds>(part * static_cast<double>(i + 1));
            const Nanoseconds until = busy_until(*row, edge);
            busy[i] += static_cast<double>(until - before);
            before = until;
        }
    }
    std::vector<float> shares(parts);
    for (std::size_t i = 0; i < parts; ++i)
        shares[i] = static_cast<float>(std::clamp(busy[i] / part / group.lanes, 0.0, 1.0));
    return shares;
}

double Timeline::busy_share(const TimelineGroup& group, TimeRange range) const {
    if (range.length() <= 0 || group.lanes == 0) return 0;
    Nanoseconds sum = 0;
    for (const Row* row : counted_rows(group))
        sum += busy_until(*row, range.end) - busy_until(*row, range.begin);
    return std::min(1.0,
                    static_cast<double>(sum) / static_cast<double>(range.length()) / group.lanes);
}

std::vector<SpanRef> Timeline::of_task(std::uint64_t height, std::uint32_t task) const {
    std::vector<SpanRef> found;
    for (std::size_t block = 0; block < heights_.size(); ++block) {
        if (heights_[block] != height) continue;
        const auto [first, last] =
            std::equal_range(tasks_.begin(), tasks_.end(), TaskPlace{narrow(block), task, {}},
                             [](const TaskPlace& a, const TaskPlace& b) {
                                 return std::tie(a.block, a.task) < std::tie(b.block, b.task);
                             });
        for (auto at = first; at != last; ++at) found.push_back(at->at);
    }
    return found;
}

std::optional<std::uint64_t> Timeline::height_of(const Span& span) const {
    if (span.block == none || span.block >= heights_.size()) return std::nullopt;
    return heights_[span.block];
}

CounterStep Timeline::counter_bounds(std::size_t counter) const {
    const CounterRow& row = counters_[counter];
    const std::size_t all = row.at.size();
    return {std::min<std::int64_t>(0, -row.lowest.largest(0, all)),
            std::max<std::int64_t>(0, row.highest.largest(0, all))};
}

std::vector<CounterStep> Timeline::counter_steps(std::size_t counter, TimeRange range,
                                                 std::size_t parts) const {
    const CounterRow& row = counters_[counter];
    std::vector<CounterStep> steps(parts);
    const double part =
        static_cast<double>(range.length()) / static_cast<double>(std::max<std::size_t>(parts, 1));
    // Points before a moment; the last of them still holds there.
    const auto before = [&](Nanoseconds moment) {
        return static_cast<std::size_t>(std::upper_bound(row.at.begin(), row.at.end(), moment) -
                                        row.at.begin());
    };
    std::size_t from = before(range.begin);
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t to =
            before(range.begin + static_cast<Nanoseconds>(part * static_cast<double>(i + 1)));
        if (from > 0) steps[i] = {row.highest[from - 1], row.highest[from - 1]};
        if (to > from) {
            const CounterStep inside{-row.lowest.largest(from, to), row.highest.largest(from, to)};
            const CounterStep held = from > 0 ? steps[i] : inside;
            steps[i] = {std::min(held.low, inside.low), std::max(held.high, inside.high)};
        }
        from = to;
    }
    return steps;
}

} // namespace blockloom::profile
