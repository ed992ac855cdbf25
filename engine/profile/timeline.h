// The spans of a run, prepared for drawing and measuring: the time for any range at any scale
// depends on the pixels and not on the number of spans.
#pragma once

#include "profile/max_tree.h"
#include "profile/span.h"
#include "profile/time_cover.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::profile {

/// A span by its position in a Timeline.
struct SpanRef {
    std::uint32_t row = 0, index = 0;
    auto operator<=>(const SpanRef&) const = default;
};

/// One box to draw: a span, or several that are too small to be drawn individually.
struct TimelineItem {
    TimeRange time;
    std::uint32_t first = 0, count = 1; ///< spans of the row
    Nanoseconds busy = 0;               ///< excluding waits
    [[nodiscard]] bool folded() const noexcept { return count > 1; }
};

/// Spans of one depth of one lane: they do not overlap.
struct TimelineRow {
    std::string name; ///< of its lane, or of the part of a device: "worker 3", "upload", "run 2"
    LaneKind kind = LaneKind::worker;
    std::uint8_t depth = 0;
};

/// Rows that belong together: the host, one device, or the waves of devices.
struct TimelineGroup {
    std::string name; ///< "Host", the device's name, "Waves"
    bool device = false;
    bool waves = false; ///< also belongs to a device: shows its parts in more detail
    std::uint32_t first_row = 0, rows = 0;
    /// The number of lanes that busy shares refer to: the host's workers (the driver if there are
    /// none), the one device, which is busy while any of its parts is, or all waves.
    std::uint32_t lanes = 0;
    std::uint32_t number = 0; ///< of the group
};

/// Lowest and highest value of a counter within a part of a range.
struct CounterStep {
    std::int64_t low = 0, high = 0;
};

/// Immutable once made; const calls are thread-safe. A lane of the host becomes one row per depth;
/// the lanes of a device become one group, with a row per span name and stream.
class Timeline {
public:
    explicit Timeline(const Trace& trace);

    [[nodiscard]] Nanoseconds duration() const noexcept { return duration_; }
    [[nodiscard]] const std::vector<TimelineGroup>& groups() const noexcept { return groups_; }
    [[nodiscard]] std::size_t row_count() const noexcept { return rows_.size(); }
    [[nodiscard]] const TimelineRow& row(std::size_t row) const { return rows_[row].about; }
    [[nodiscard]] std::span<const Span> spans(std::size_t row) const { return rows_[row].spans; }
    [[nodiscard]] const Span& span(SpanRef at) const { return rows_[at.row].spans[at.index]; }
    [[nodiscard]] std::size_t span_count() const noexcept { return span_count_; }
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
    /// Whether a span has this name.
    [[nodiscard]] bool is_used(std::size_t name) const { return used_[name]; }
    [[nodiscard]] const std::vector<std::uint64_t>& heights() const noexcept { return heights_; }

    /// Appends the items of a row within `shown`, left to right: spans of at least `least`
    /// nanoseconds individually, and runs of shorter ones that are less than `least` apart merged.
    /// Every span that overlaps `shown` is in exactly one item. At most 2 · length / least + 3
    /// items, each found in logarithmic time.
    void items(std::size_t row, TimeRange shown, Nanoseconds least,
               std::vector<TimelineItem>& out) const;
    /// Indices [first, last) of the row's spans that overlap `range`; a span of zero length
    /// overlaps a range that contains it.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> touching(std::size_t row,
                                                                   TimeRange range) const;
    /// Time of `range` that is covered by spans of the row, excluding waits.
    [[nodiscard]] Nanoseconds busy(std::size_t row, TimeRange range) const;
    /// Busy share of a group's lanes in `range`, in `parts` equal parts: 0 … 1 each.
    [[nodiscard]] std::vector<float> busy_shares(const TimelineGroup& group, TimeRange range,
                                                 std::size_t parts) const;
    /// The same over the whole range.
    [[nodiscard]] double busy_share(const TimelineGroup& group, TimeRange range) const;

    /// Spans of a task, in the order of rows and time. Height and task as the run numbers them.
    [[nodiscard]] std::vector<SpanRef> of_task(std::uint64_t height, std::uint32_t task) const;
    /// Height of a span's block; absent if it belongs to none.
    [[nodiscard]] std::optional<std::uint64_t> height_of(const Span& span) const;

    [[nodiscard]] std::size_t counter_count() const noexcept { return counters_.size(); }
    [[nodiscard]] const std::string& counter_name(std::size_t counter) const {
        return counters_[counter].name;
    }
    [[nodiscard]] const std::string& counter_unit(std::size_t counter) const {
        return counters_[counter].unit;
    }
    /// Bounds over the whole run, including 0: for the scale of its values.
    [[nodiscard]] CounterStep counter_bounds(std::size_t counter) const;
    /// A counter in `parts` equal parts of `range`; 0 before its first point.
    [[nodiscard]] std::vector<CounterStep> counter_steps(std::size_t counter, TimeRange range,
                                                         std::size_t parts) const;

private:
    struct Row {
        TimelineRow about;
        std::vector<Span> spans;
        /// For each span its length or the gap before it, whichever is larger: if it is small, the
        /// span may be merged with the previous one.
        MaxTree apart;
        std::vector<Nanoseconds> busy_before; ///< sum over the spans before each, and over all
        bool counts = false;                  ///< is part of its group's busy shares
    };
    struct CounterRow {
        std::string name, unit;
        std::vector<Nanoseconds> at;
        MaxTree highest, lowest; ///< values, and their negatives
    };
    struct TaskPlace {
        std::uint32_t block = 0, task = 0;
        SpanRef at;
    };
    void add_rows(const std::string& name, LaneKind kind, std::vector<Span> spans);
    void add_groups(const Trace& trace);
    void add_device(std::span<const Lane> lanes);
    void end_group();
    void look_through(); ///< names and tasks
    static void measure(Row& row);
    [[nodiscard]] Nanoseconds busy_until(const Row& row, Nanoseconds moment) const;
    /// The rows that a group's busy shares count.
    [[nodiscard]] std::vector<const Row*> counted_rows(const TimelineGroup& group) const;

    Nanoseconds duration_ = 0;
    std::vector<std::string> names_;
    std::vector<bool> used_; ///< by name
    std::vector<std::uint64_t> heights_;
    std::vector<Row> rows_;
    std::vector<TimelineGroup> groups_;
    std::vector<Row> together_; ///< by group: of a device, when any of its parts was busy
    std::vector<CounterRow> counters_;
    std::vector<TaskPlace> tasks_; ///< sorted
    std::size_t span_count_ = 0;
    std::uint64_t dropped_ = 0;
};

} // namespace blockloom::profile
