#include "report/tuning_chart.h"

#include "base/number_text.h"
#include "charts/plain_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

using charts::Chart;
using charts::Label;
using charts::PlainTable;
using charts::Series;
using scene::Theme;
using Curve = runs::TuningCurve;

class TuningChartMaker {
public:
    TuningChartMaker(const Curve& curve, const TuningChartOptions& options)
        : curve_(curve), options_(options), ink_(curve.along.backend == "cpu" ? &Theme::cpu_native
                                                 : curve.along.backend == "cuda" ? &Theme::cuda
                                                                                 : &Theme::vulkan) {
    }

    Chart make() && {
        chart_.title = "Time by Batch max";
        if (curve_.points.empty()) return std::move(chart_);
        axes();
        band();
        cpu(curve_.serial, &Theme::serial, "CPU serial");
        cpu(curve_.cpu, &Theme::cpu_native, "CPU at its best");
        lines();
        points();
        crossing();
        table();
        chart_.summary = summary();
        return std::move(chart_);
    }

private:
    [[nodiscard]] double of(double ns) const { return ns / options_.nanoseconds; }
    [[nodiscard]] std::string text(double ns) const {
        return three_digits(of(ns)) + " " + options_.unit;
    }
    [[nodiscard]] std::string words(const Curve::Point& point) const {
        std::string said =
            fmt::format("batch max {}: {} {}", batch_text(point.batch_max), text(point.time),
                        point.predicted ? "predicted" : "measured");
        if (point.interval)
            said += fmt::format(", 95 % interval {} to {}", three_digits(of(point.interval->low)),
                                three_digits(of(point.interval->high)));
        return said + (point.in_band ? ", in the optimum band" : "");
    }

    void axes() {
        chart_.x.title = fmt::format("batch max, {}, {}", options_.device,
                                     counted(curve_.along.how.workers, "worker"));
        chart_.x.scale = charts::Scale::doublings;
        chart_.x.from = curve_.points.front().batch / 1.3;
        chart_.x.to = curve_.points.back().batch * 1.3;
        for (const Curve::Point& point : curve_.points)
            chart_.x.named.push_back({point.batch, batch_text(point.batch_max)});
        chart_.y.title = options_.unit;
        chart_.y.scale = charts::Scale::decades;
        double low = 1e300, high = 0;
        const auto take = [&](double ns) {
            low = std::min(low, of(ns));
            high = std::max(high, of(ns));
        };
        for (const Curve::Point& point : curve_.points) {
            take(point.time);
            if (point.interval) take(point.interval->low), take(point.interval->high);
        }
        for (const Curve::Line& line : {curve_.serial, curve_.cpu})
            if (line.there) take(line.time);
        chart_.y.from = low * 0.85;
        chart_.y.to = high * 1.18;
    }

    void band() {
        if (!curve_.band) return;
        charts::Band band;
        band.from = curve_.band->low / 1.12;
        band.to = curve_.band->high * 1.12;
        band.label = "optimum band";
        chart_.bands.push_back(std::move(band));
    }

    void cpu(const Curve::Line& line, charts::Ink ink, const std::string& name) {
        if (!line.there) return;
        charts::Band level;
        level.of_x = false;
        level.from = level.to = of(line.time);
        level.ink = ink;
        level.label = fmt::format("{}: {}", name, text(line.time));
        chart_.bands.push_back(std::move(level));
    }

    /// Solid between two measured points; the rest is predicted, so dashed.
    void lines() {
        for (const bool predicted : {false, true}) {
            Series series;
            series.ink = ink_;
            series.predicted = predicted;
            for (std::size_t i = 1; i < curve_.points.size(); ++i) {
                const Curve::Point &a = curve_.points[i - 1], &b = curve_.points[i];
                if ((a.predicted || b.predicted) != predicted) continue;
                for (const Curve::Point* end : {&a, &b})
                    series.points.push_back({end->batch, of(end->time), 0, {}, {}, 0});
                series.points.push_back({b.batch, std::nan(""), 0, {}, {}, 0});
            }
            if (!series.points.empty()) chart_.series.push_back(std::move(series));
        }
    }

    void points() {
        Series measured, predicted;
        measured.name = options_.device;
        predicted.name = options_.device;
        predicted.predicted = true;
        for (Series* series : {&measured, &predicted}) {
            series->kind = charts::Kind::points;
            series->ink = ink_;
            series->mark = charts::Mark::diamond;
        }
        for (const Curve::Point& point : curve_.points) {
            charts::Point made{point.batch, of(point.time), 0, {}, words(point), point.point};
            if (point.interval)
                made.interval =
                    profile::Interval{of(point.interval->low), of(point.interval->high)};
            if (options_.at == point.batch_max)
                chart_.labels.push_back(
                    {point.batch, made.y, "chosen", &Theme::text, true, Label::Where::near, 0});
            (point.predicted ? predicted : measured).points.push_back(std::move(made));
        }
        for (Series* series : {&measured, &predicted})
            if (!series->points.empty()) chart_.series.push_back(std::move(*series));
    }

    void crossing() {
        if (options_.crossing.empty()) return;
        // Where the CPU's line and its label are not: above a curve that is slower, else below it.
        double x = curve_.points.front().batch;
        double y =
            curve_.crossing == Curve::Crossing::never ? chart_.y.to * 0.97 : chart_.y.from * 1.02;
        if (curve_.crossing == Curve::Crossing::at || curve_.crossing == Curve::Crossing::until) {
            double time = curve_.serial.time;
            if (curve_.cpu.there && (!curve_.serial.there || curve_.cpu.time < time))
                time = curve_.cpu.time;
            x = curve_.crossover;
            y = of(time);
            Series ring;
            ring.name = "crossover";
            ring.kind = charts::Kind::points;
            ring.ink = &Theme::pick;
            ring.predicted = true; // between two points: hollow
            ring.points.push_back({x, y, 0, {}, {}, 0});
            chart_.series.push_back(std::move(ring));
        }
        chart_.labels.push_back(
            {x, y, options_.crossing, &Theme::text, true, Label::Where::near, 0});
    }

    void table() {
        auto table = std::make_shared<PlainTable>(
            std::vector<scene::TableColumn>{{"Batch max", true, false},
                                            {options_.unit, true, false},
                                            {"95 % from", true, false},
                                            {"95 % to", true, false},
                                            {"How", false, false},
                                            {"Optimum band", false, false}});
        const auto cell = [&](double ns) { return PlainTable::Cell{three_digits(of(ns)), of(ns)}; };
        for (const Curve::Point& point : curve_.points)
            table->add({{batch_text(point.batch_max), point.batch},
                        cell(point.time),
                        point.interval ? cell(point.interval->low) : PlainTable::Cell{},
                        point.interval ? cell(point.interval->high) : PlainTable::Cell{},
                        {point.predicted ? "predicted" : "measured", {}},
                        {point.in_band ? "yes" : "no", {}}});
        chart_.table = std::move(table);
    }

    [[nodiscard]] std::string summary() const {
        std::string said;
        for (const Curve::Point& point : curve_.points) said += words(point) + "\n";
        if (curve_.serial.there) said += "CPU serial: " + text(curve_.serial.time) + "\n";
        if (curve_.cpu.there) said += "CPU at its best: " + text(curve_.cpu.time) + "\n";
        return said + options_.crossing;
    }

    const Curve& curve_;
    const TuningChartOptions& options_;
    charts::Ink ink_;
    Chart chart_;
};

} // namespace

std::string batch_text(std::uint64_t batch_max) {
    if (batch_max == 0) return "all";
    if (batch_max >= 1024 && batch_max % 1024 == 0) return count_text(batch_max / 1024) + " Ki";
    return count_text(batch_max);
}

Chart tuning_chart(const runs::TuningCurve& curve, const TuningChartOptions& options) {
    return TuningChartMaker(curve, options).make();
}

} // namespace blockloom::report
