// The spans of a run, made for drawing and measuring: any stretch of time at any scale is answered
// in steps that grow with the pixels and not with the spans.
#pragma once

#include "profile/max_tree.h"
#include "profile/span.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::profile {

/// Half-open: [begin, end), nanoseconds since the trace's start.
struct TimeRange {
    Nanoseconds begin = 0, end = 0;
    [[nodiscard]] Nanoseconds length() const noexcept { return end - begin; }
    bool operator==(const TimeRange&) const = default;
};

/// A span by its place in a Timeline.
struct SpanRef {
    std::uint32_t row = 0, index = 0;
    auto operator<=>(const SpanRef&) const = default;
};

/// What is drawn as one box: a span, or several that are too small to be seen alone.
struct TimelineItem {
    TimeRange time;
    std::uint32_t first = 0, count = 1; ///< spans of the row
    Nanoseconds busy = 0;               ///< of them, waits left out
    [[nodiscard]] bool folded() const noexcept { return count > 1; }
};

/// Spans of one depth of one lane: they share no instant.
struct TimelineRow {
    std::string name; ///< of its lane, or of the part of a device: "worker 3", "upload"
    LaneKind kind = LaneKind::worker;
    std::uint8_t depth = 0;
};

/// Rows that belong together: the host, one device, or the waves of devices.
struct TimelineGroup {
    std::string name; ///< "Host", the device's name, "Waves"
    bool device = false;
    bool waves = false; ///< of a device too: what its parts told of, in more detail
    std::uint32_t first_row = 0, rows = 0;
    /// What its busy shares are of: the host's workers (its driver where there are none), the one
    /// device, whose parts take turns, or all waves.
    std::uint32_t lanes = 0;
};

/// Lowest and highest value of a counter within a part of a stretch.
struct CounterStep {
    std::int64_t low = 0, high = 0;
};

/// Immutable once made; const calls are thread-safe. A lane of the host becomes a row for each
/// depth that it has; a lane of a device first one part for each name of its spans.
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

    /// Appends what a row shows of `shown`, left to right: spans of `least` nanoseconds or more by
    /// themselves, stretches of shorter ones that lie closer than `least` folded. Every span that
    /// touches `shown` is in exactly one item. At most 2 · length / least + 3 items, each found in
    /// logarithmic time.
    void items(std::size_t row, TimeRange shown, Nanoseconds least,
               std::vector<TimelineItem>& out) const;
    /// Indices [first, last) of the row's spans that touch `range`; one without length is touched
    /// by the instant at which it is.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> touching(std::size_t row,
                                                                   TimeRange range) const;
    /// Time of `range` that spans of the row fill, waits left out.
    [[nodiscard]] Nanoseconds busy(std::size_t row, TimeRange range) const;
    /// Share of `range` that the lanes of a group are busy, in `parts` equal parts: 0 … 1 each.
    [[nodiscard]] std::vector<float> busy_shares(const TimelineGroup& group, TimeRange range,
                                                 std::size_t parts) const;
    /// The same over the whole range.
    [[nodiscard]] double busy_share(const TimelineGroup& group, TimeRange range) const;

    /// Spans of a task, in the order of rows and time. Height and task as the run numbers them.
    [[nodiscard]] std::vector<SpanRef> of_task(std::uint64_t height, std::uint32_t task) const;
    /// Height of a span's block; absent where it belongs to none.
    [[nodiscard]] std::optional<std::uint64_t> height_of(const Span& span) const;

    [[nodiscard]] std::size_t counter_count() const noexcept { return counters_.size(); }
    [[nodiscard]] const std::string& counter_name(std::size_t counter) const {
        return counters_[counter].name;
    }
    [[nodiscard]] const std::string& counter_unit(std::size_t counter) const {
        return counters_[counter].unit;
    }
    /// Of the whole run, 0 among them: what a scale of its values has to hold.
    [[nodiscard]] CounterStep counter_bounds(std::size_t counter) const;
    /// A counter in `parts` equal parts of `range`; 0 before its first point.
    [[nodiscard]] std::vector<CounterStep> counter_steps(std::size_t counter, TimeRange range,
                                                         std::size_t parts) const;

private:
    struct Row {
        TimelineRow about;
        std::vector<Span> spans;
        /// Of each span its length or the gap before it, whichever is larger: where it is small,
        /// the span may join what is before it.
        MaxTree apart;
        std::vector<Nanoseconds> busy_before; ///< of the spans before each, and of all
        bool counts = false;                  ///< in its group's busy shares
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
    void end_group();
    void look_through(); ///< names and tasks
    [[nodiscard]] Nanoseconds busy_until(const Row& row, Nanoseconds moment) const;

    Nanoseconds duration_ = 0;
    std::vector<std::string> names_;
    std::vector<bool> used_; ///< by name
    std::vector<std::uint64_t> heights_;
    std::vector<Row> rows_;
    std::vector<TimelineGroup> groups_;
    std::vector<CounterRow> counters_;
    std::vector<TaskPlace> tasks_; ///< sorted
    std::size_t span_count_ = 0;
    std::uint64_t dropped_ = 0;
};

} // namespace blockloom::profile
