#include "profile/span_statistics.h"

#include <algorithm>

namespace blockloom::profile {
namespace {

constexpr std::uint32_t look_up_every = 1U << 14U; ///< spans between two checks of the stop token

} // namespace

RangeStatistics statistics_of(const Timeline& timeline, TimeRange range,
                              const std::stop_token& stop) {
    RangeStatistics found;
    found.range = range;
    std::vector<KindStatistics> kinds(timeline.names().size());
    for (std::size_t row = 0; row < timeline.row_count(); ++row) {
        const std::span<const Span> spans = timeline.spans(row);
        const auto [first, last] = timeline.touching(row, range);
        for (std::uint32_t i = first; i < last; ++i) {
            if ((i - first) % look_up_every == 0 && stop.stop_requested()) return {};
            const Span& span = spans[i];
            KindStatistics& kind = kinds[span.name];
            ++kind.count;
            kind.busy += std::min(span.end, range.end) - std::max(span.begin, range.begin);
            kind.lengths.add(span.duration());
        }
        found.spans += last - first;
    }
    for (std::size_t name = 0; name < kinds.size(); ++name) {
        if (kinds[name].count == 0) continue;
        kinds[name].name = static_cast<std::uint16_t>(name);
        found.kinds.push_back(std::move(kinds[name]));
    }
    std::stable_sort(
        found.kinds.begin(), found.kinds.end(),
        [](const KindStatistics& a, const KindStatistics& b) { return a.busy > b.busy; });
    for (const TimelineGroup& group : timeline.groups())
        found.busy_shares.push_back(timeline.busy_share(group, range));
    return found;
}

MarkedSpans::MarkedSpans(const Timeline& timeline, TimeRange range, LengthBand band,
                         const std::stop_token& stop)
    : rows_(timeline.row_count()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const std::span<const Span> spans = timeline.spans(row);
        const auto [first, last] = timeline.touching(row, range);
        for (std::uint32_t i = first; i < last; ++i) {
            if ((i - first) % look_up_every == 0 && stop.stop_requested()) {
                *this = MarkedSpans();
                return;
            }
            const Nanoseconds length = spans[i].duration();
            if (spans[i].name == band.name && length >= band.low && length <= band.high)
                rows_[row].push_back(i);
        }
        count_ += rows_[row].size();
    }
}

MarkedSpans::MarkedSpans(const Timeline& timeline, const std::vector<SpanRef>& spans)
    : rows_(timeline.row_count()), count_(spans.size()) {
    for (const SpanRef& at : spans) rows_[at.row].push_back(at.index);
    for (auto& row : rows_) std::sort(row.begin(), row.end());
}

std::uint64_t MarkedSpans::count_in(std::size_t row, std::uint32_t first,
                                    std::uint32_t count) const {
    if (row >= rows_.size()) return 0;
    const auto& marked = rows_[row];
    const auto from = std::lower_bound(marked.begin(), marked.end(), first);
    const auto to = std::lower_bound(from, marked.end(), first + count);
    return static_cast<std::uint64_t>(to - from);
}

} // namespace blockloom::profile
