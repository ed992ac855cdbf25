// Gantt charts: workers as lanes, cost or time as the axis. Simulated bars are hollow; measured
// bars are below them, filled, on the same axis.
#include "base/number_text.h"
#include "scene/gantt.h"
#include "scene/layout.h"
#include "scene/tick_step.h"
#include "scene/views.h"

#include <algorithm>

namespace blockloom::scene {
namespace {

using conflict::TaskId;
using schedule::Schedule;
using schedule::Slot;

constexpr float axis_height = 24, label_width = 62;
constexpr float thinnest_bar = 0.5F; ///< planned pixels; below, bars fold
constexpr float block_width = 3;     ///< of folded bars, planned pixels
constexpr std::size_t most_targets = 400'000;
constexpr float critical_width = 3;

/// Cost units to world units.
struct Axis {
    double scale = 1;
    [[nodiscard]] float x(std::uint64_t at) const noexcept {
        return static_cast<float>(static_cast<double>(at) * scale);
    }
};

struct Lanes {
    float height = 24, bar = 16;
    float above = 0; ///< where the first lane begins
    [[nodiscard]] float top(std::uint32_t worker) const noexcept {
        return above + static_cast<float>(worker) * height + (height - bar) / 2;
    }
    [[nodiscard]] float middle(std::uint32_t worker) const noexcept {
        return above + (static_cast<float>(worker) + 0.5F) * height;
    }
    [[nodiscard]] std::vector<Lane> places(std::uint32_t count) const {
        std::vector<Lane> all;
        for (std::uint32_t worker = 0; worker < count; ++worker) all.push_back({top(worker), bar});
        return all;
    }
};

Lanes lanes_for(std::uint32_t workers) {
    Lanes lanes;
    const float room = layout::canvas_height - axis_height;
    lanes.height = std::clamp(room / static_cast<float>(std::max(workers, 1U)), 5.0F, 34.0F);
    lanes.bar = std::max(lanes.height * 0.7F, lanes.height - 8);
    return lanes;
}

std::string unit_of(const schedule::BlockAnalysis& analysis) {
    if (analysis.index->trace->cost.empty()) return "unit cost";
    switch (analysis.index->trace->original->cost_unit) {
    case trace::CostUnit::unit:
        return "unit cost";
    case trace::CostUnit::gas:
        return "gas";
    case trace::CostUnit::fuel:
        return "fuel";
    case trace::CostUnit::compute_units:
        return "compute units";
    case trace::CostUnit::measured_ns:
        return "ns, from measured costs";
    }
    return "cost";
}

/// Idle time is the lane's background; bars cover it.
void add_grounds(Layer& layer, const std::vector<Lane>& lanes, float width, const Theme& theme) {
    for (const Lane& lane : lanes)
        layer.boxes.push_back({.rect = {0, lane.top, width, lane.height},
                               .fill = theme.panel,
                               .outline = transparent});
}

void add_axes(Layer& layer, const schedule::BlockAnalysis& analysis, const Schedule& schedule,
              const Theme& theme, const Axis& axis, const Lanes& lanes) {
    const float bottom = static_cast<float>(schedule.workers) * lanes.height;
    const float width = axis.x(schedule.makespan);
    std::vector<layout::AxisLabel> labels;
    std::vector<float> extents;
    const auto label = [&](std::uint64_t at, std::string text) {
        labels.push_back({axis.x(at), std::move(text)});
        extents.push_back(layout::text_width(labels.back().text, layout::text_pixels));
        layer.lines.push_back({{axis.x(at), -5}, {axis.x(at), bottom}, theme.grid, 1, false});
    };
    const auto step =
        static_cast<std::uint64_t>(tick_step(static_cast<double>(schedule.makespan), 10, 1));
    for (std::uint64_t at = 0; at < schedule.makespan; at += step) label(at, count_text(at));
    label(schedule.makespan, count_text(schedule.makespan));
    layer.lines.push_back({{0, 0}, {width, 0}, theme.control_border, 1, false});
    for (const std::size_t i : layout::thin(labels, extents, 8))
        layer.texts.push_back({{labels[i].at, -13},
                               labels[i].text,
                               theme.text2,
                               layout::text_pixels,
                               Anchor::centre,
                               Face::text});
    layer.texts.push_back({{width, bottom + 11},
                           "predicted, " + unit_of(analysis),
                           theme.text3,
                           layout::text_pixels,
                           Anchor::right,
                           Face::text});

    labels.clear();
    extents.clear();
    for (std::uint32_t w = 0; w < schedule.workers; ++w) {
        labels.push_back({lanes.middle(w), "worker " + std::to_string(w)});
        extents.push_back(layout::text_pixels);
    }
    for (const std::size_t i : layout::thin(labels, extents, 3))
        layer.texts.push_back({{-8, labels[i].at},
                               labels[i].text,
                               theme.text2,
                               layout::text_pixels,
                               Anchor::right,
                               Face::text});
}

/// Bars of one lane, in time order; bars too thin to be seen are folded into hatched blocks.
class LaneWriter {
public:
    /// `filled`: what was measured.
    LaneWriter(const Axis& axis, const Lanes& lanes, std::vector<Box>& boxes, bool filled) noexcept
        : axis_(&axis), lanes_(&lanes), boxes_(&boxes), filled_(filled) {}

    void add(const Slot& slot, Colour colour, bool never_fold) {
        const float x = axis_->x(slot.start), width = axis_->x(slot.end) - x;
        if (width < thinnest_bar && !never_fold) {
            if (pending_ > 0 && (x + width - from_ > block_width || x - to_ > thinnest_bar))
                flush();
            if (pending_++ == 0) from_ = x, colour_ = colour, worker_ = slot.worker;
            to_ = x + width;
            return;
        }
        flush();
        // One planned pixel of air keeps the outlines of neighbours apart.
        const float air = width >= 4 ? 1.0F : width * 0.2F;
        // In a measured chart, aborted attempts are hollow and striped in their colour.
        const bool solid = filled_ && !slot.aborted;
        boxes_->push_back({.rect = {x, lanes_->top(slot.worker), width - air, lanes_->bar},
                           .fill = solid ? colour : ground_,
                           .outline = solid ? transparent : colour,
                           .outline_width = solid ? 0.0F : 1.0F,
                           .dashed = !filled_,
                           .hatched = slot.aborted});
        ++drawn_;
    }
    void flush() {
        if (pending_ == 0) return;
        boxes_->push_back({.rect = {from_, lanes_->top(worker_), to_ - from_, lanes_->bar},
                           .fill = filled_ ? colour_ : ground_,
                           .outline = filled_ ? transparent : colour_,
                           .outline_width = filled_ ? 0.0F : 1.0F,
                           .hatched = true});
        folded_ += pending_;
        ++blocks_;
        pending_ = 0;
    }
    void set_ground(Colour colour) noexcept { ground_ = colour; }
    [[nodiscard]] std::uint64_t drawn() const noexcept { return drawn_; }
    [[nodiscard]] std::uint64_t folded() const noexcept { return folded_; }
    [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }

private:
    const Axis* axis_;
    const Lanes* lanes_;
    std::vector<Box>* boxes_;
    float from_ = 0, to_ = 0;
    Colour colour_, ground_;
    std::uint32_t worker_ = 0;
    bool filled_ = false;
    std::uint64_t pending_ = 0, drawn_ = 0, folded_ = 0, blocks_ = 0;
};

/// The chain's bars outlined, and joined from one's end to the next one's start.
Layer lit_chain(const std::vector<TaskId>& chain, const std::vector<std::uint32_t>& final_slot,
                const Schedule& schedule, const Theme& theme, const Axis& axis,
                const Lanes& lanes) {
    Layer layer;
    const Slot* before = nullptr;
    for (const TaskId t : chain) {
        if (final_slot[t] == no_target) continue;
        const Slot& slot = schedule.slots[final_slot[t]];
        const float x = axis.x(slot.start), width = axis.x(slot.end) - x;
        if (before != nullptr)
            layer.lines.push_back(
                {{(axis.x(before->start) + axis.x(before->end)) / 2, lanes.middle(before->worker)},
                 {x + width / 2, lanes.middle(slot.worker)},
                 theme.critical,
                 critical_width / 2,
                 false});
        layer.boxes.push_back({.rect = {x, lanes.top(slot.worker), width, lanes.bar},
                               .fill = transparent,
                               .outline = theme.critical,
                               .outline_width = critical_width});
        before = &slot;
    }
    return layer;
}

/// One schedule's bars, chain and targets, put into a list.
struct Group {
    std::uint64_t drawn = 0, all = 0, folded = 0, blocks = 0, aborted = 0;
};

Group add_group(DisplayList& list, const schedule::BlockAnalysis& analysis,
                const Schedule& schedule, const ViewOptions& options, const Axis& axis,
                const Lanes& lanes, bool filled) {
    const conflict::ConflictIndex& index = *analysis.index;
    const Theme& theme = *options.theme;
    const std::vector<Colour> colours = layout::task_colours(analysis, options);
    // The execution that counts, of each task; and the slots lane by lane, in time order.
    std::vector<std::uint32_t> final_slot(index.tasks(), no_target);
    std::vector<std::uint32_t> begin(std::size_t{schedule.workers} + 1, 0);
    for (std::uint32_t i = 0; i < schedule.slots.size(); ++i) {
        const Slot& slot = schedule.slots[i];
        if (!slot.aborted && slot.task < index.tasks()) final_slot[slot.task] = i;
        ++begin[std::min(slot.worker, schedule.workers - 1) + 1];
    }
    for (std::size_t w = 1; w < begin.size(); ++w) begin[w] += begin[w - 1];
    std::vector<std::uint32_t> by_lane(schedule.slots.size());
    for (std::uint32_t i = 0; i < schedule.slots.size(); ++i)
        by_lane[begin[std::min(schedule.slots[i].worker, schedule.workers - 1)]++] = i;

    std::vector<TaskId> chain;
    std::vector<bool> on_chain(index.tasks(), false);
    if (options.critical_chain) {
        chain = conflict::critical_chain(index);
        for (const TaskId t : chain) on_chain[t] = true;
    }

    Layer bars;
    LaneWriter writer(axis, lanes, bars.boxes, filled);
    writer.set_ground(theme.canvas);
    const bool all_targets = schedule.slots.size() <= most_targets;
    Group group;
    group.all = schedule.slots.size();
    std::uint32_t lane = no_target;
    for (const std::uint32_t i : by_lane) {
        const Slot& slot = schedule.slots[i];
        if (slot.worker != lane) writer.flush(), lane = slot.worker;
        const Colour colour = slot.task < colours.size() ? colours[slot.task] : theme.text2;
        writer.add(slot, colour, slot.task < on_chain.size() && on_chain[slot.task]);
        group.aborted += slot.aborted ? 1 : 0;
    }
    writer.flush();
    // The execution that counts comes first, so that a task's target is that one.
    for (const bool counts : {true, false})
        for (std::uint32_t i = 0; i < schedule.slots.size() && all_targets; ++i) {
            const Slot& slot = schedule.slots[i];
            if (slot.aborted == counts) continue;
            const float x = axis.x(slot.start);
            list.targets.push_back(
                {{x, lanes.top(slot.worker), axis.x(slot.end) - x, lanes.bar}, slot.task, {}});
        }
    list.layers.push_back(std::move(bars));
    list.layers.push_back(lit_chain(chain, final_slot, schedule, theme, axis, lanes));
    group.drawn = writer.drawn();
    group.folded = writer.folded();
    group.blocks = writer.blocks();
    return group;
}

/// World units of a caption that is a line high where all is `pixels` high; 0: `pixels` unknown.
float caption_for(float pixels, std::uint32_t captions, float lanes) {
    constexpr float line = 16, least_of_lanes = 16; // pixels
    if (pixels <= 0) return 0;
    const auto count = static_cast<float>(captions);
    return line * lanes / std::max(pixels - count * line, least_of_lanes);
}

void cover(DisplayList& list, const Group& group) {
    list.coverage = {group.drawn, group.all, "bars", {}};
    if (group.folded > 0)
        list.coverage.folded = counted(group.folded, "thin bar") + " merged into " +
                               counted(group.blocks, "hatched block");
}

} // namespace

DisplayList make_gantt(const schedule::BlockAnalysis& analysis, const Schedule& schedule,
                       const ViewOptions& options) {
    const conflict::ConflictIndex& index = *analysis.index;
    const Theme& theme = *options.theme;
    if (schedule.slots.empty() || schedule.makespan == 0)
        return layout::empty_list(options, "A schedule without tasks.");
    const Axis axis{layout::canvas_width / static_cast<double>(schedule.makespan)};
    const Lanes lanes = lanes_for(schedule.workers);
    DisplayList list = layout::empty_list(options, {});
    list.gantt.run_end = axis.x(schedule.makespan);
    list.gantt.predicted = lanes.places(schedule.workers);
    Layer ground;
    add_grounds(ground, list.gantt.predicted, list.gantt.run_end, theme);
    if (options.gantt_axes) add_axes(ground, analysis, schedule, theme, axis, lanes);
    list.layers.push_back(std::move(ground));
    const Group group = add_group(list, analysis, schedule, options, axis, lanes, false);

    const float bottom = static_cast<float>(schedule.workers) * lanes.height;
    if (options.gantt_axes)
        list.world = {-label_width, -axis_height, layout::canvas_width + label_width + 4,
                      std::max(bottom + axis_height + 20, 120.0F)};
    else
        list.world = {0, 0, layout::canvas_width + 4, lanes.top(schedule.workers - 1) + lanes.bar};
    cover(list, group);
    list.summary = "Predicted schedule on " + counted(schedule.workers, "worker") + ": " +
                   counted(index.tasks(), "task") + ", makespan " + count_text(schedule.makespan) +
                   " (" + unit_of(analysis) + ")" +
                   (group.aborted > 0 ? ", " + counted(group.aborted, "aborted execution") : "") +
                   ".";
    layout::finish(list, index.tasks(), 256, std::clamp(schedule.workers, 1U, 256U));
    layout::mark_failed(list, options);
    return list;
}

DisplayList make_gantts(const schedule::BlockAnalysis& analysis, const Schedule& predicted,
                        const schedule::MeasuredSchedule& measured, const ViewOptions& options) {
    const conflict::ConflictIndex& index = *analysis.index;
    const Theme& theme = *options.theme;
    const std::uint64_t span = std::max(predicted.makespan, measured.schedule.makespan);
    const auto lower = static_cast<std::uint32_t>(measured.lanes.size());
    if (span == 0 || lower == 0) return layout::empty_list(options, "A schedule without tasks.");
    const Axis axis{gantt_width / static_cast<double>(span)};
    const bool upper = predicted.makespan != 0;
    Lanes above = lanes_for((upper ? predicted.workers : 0) + lower + 2);
    // Each of them has its own caption above it.
    const std::uint32_t captions = upper ? 2 : 1;
    const float caption = std::max(
        {above.height, gantt_caption,
         caption_for(options.gantt_pixels, captions,
                     static_cast<float>(lower + (upper ? predicted.workers : 0)) * above.height)});
    above.above = caption;
    Lanes below = above;
    if (upper) below.above += static_cast<float>(predicted.workers) * above.height + caption;

    DisplayList list = layout::empty_list(options, {});
    list.gantt.run_end = gantt_width;
    list.gantt.predicted = above.places(upper ? predicted.workers : 0);
    list.gantt.measured = below.places(lower);
    Layer ground;
    add_grounds(ground, list.gantt.predicted, gantt_width, theme);
    add_grounds(ground, list.gantt.measured, gantt_width, theme);
    list.layers.push_back(std::move(ground));
    Group all;
    if (upper) all = add_group(list, analysis, predicted, options, axis, above, false);
    const Group real =
        measured.schedule.slots.empty()
            ? Group()
            : add_group(list, analysis, measured.schedule, options, axis, below, true);
    all.drawn += real.drawn, all.all += real.all;
    all.folded += real.folded, all.blocks += real.blocks;

    // A device's bars belong to no single task: submissions are coloured in order along the ramp.
    Layer device;
    std::uint32_t submissions = 1;
    for (const schedule::DeviceBar& bar : measured.device)
        submissions = std::max(submissions, bar.submission + 1);
    for (const schedule::DeviceBar& bar : measured.device) {
        const float x = axis.x(bar.start), width = axis.x(bar.end) - x;
        const bool copies = bar.name != "run";
        device.boxes.push_back({.rect = {x, below.top(bar.lane), width, below.bar},
                                .fill = theme.ordinal(bar.submission, submissions),
                                .outline = transparent,
                                .hatched = copies});
    }
    list.layers.push_back(std::move(device));

    const float bottom =
        below.above + static_cast<float>(lower) * below.height + layout::text_pixels / 2;
    list.world = {0, 0, gantt_width, bottom};
    cover(list, all);
    list.summary = "Schedule of " + counted(index.tasks(), "task") + ": predicted on " +
                   counted(predicted.workers, "worker") + ", makespan " +
                   count_text(predicted.makespan) + " ns; measured on " + counted(lower, "lane") +
                   ", makespan " + count_text(measured.schedule.makespan) + " ns" +
                   (real.aborted > 0 ? ", " + counted(real.aborted, "aborted execution") : "") +
                   ".";
    layout::finish(list, index.tasks(), 256, std::clamp(predicted.workers + lower, 1U, 256U));
    layout::mark_failed(list, options);
    return list;
}

} // namespace blockloom::scene
