// Charts as plain data: marks of axes, what remains of many points, the picture, the table.
#include "charts/axis.h"
#include "charts/chart_table.h"
#include "charts/decimate.h"
#include "charts/label_room.h"
#include "charts/picture.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace blockloom;
using namespace blockloom::charts;

namespace {

Axis axis_of(Scale scale, double from, double to) {
    Axis axis;
    axis.scale = scale;
    axis.from = from;
    axis.to = to;
    return axis;
}

Chart stacked_rows() {
    Chart chart;
    chart.title = "rows";
    chart.rows = true;
    chart.x = axis_of(Scale::linear, -0.5, 1.5);
    chart.x.named = {{0, "first"}, {1, "second"}};
    chart.y = axis_of(Scale::linear, 0, 10);
    chart.y.title = "time, ms";
    Series fast, slow;
    fast.name = "fast";
    slow.name = "slow";
    for (Series* series : {&fast, &slow}) series->kind = Kind::bars;
    slow.hatched = true;
    fast.points = {{0, 4, 0, {}, "fast 4", 0}, {1, 2, 0, {}, "fast 2", 1}};
    slow.points = {{0, 10, 4, {}, "slow 6", 2}, {1, 5, 2, {}, "slow 3", 3}};
    chart.series = {fast, slow};
    return chart;
}

Chart curve_of(std::vector<Point> points) {
    Chart chart;
    chart.title = "curve";
    chart.summary = "a curve in words";
    chart.x = axis_of(Scale::linear, 0, 100);
    chart.y = axis_of(Scale::linear, -2, 2);
    Series series;
    series.name = "wave";
    series.points = std::move(points);
    chart.series = {series};
    return chart;
}

std::vector<Point> wave(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> noise(-1, 1);
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        Point point;
        point.x = 100.0 * static_cast<double>(i) / static_cast<double>(count);
        point.y = noise(random);
        points.push_back(point);
    }
    return points;
}

} // namespace

class TestCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void places_lead_back() {
        for (const Scale scale : {Scale::linear, Scale::doublings, Scale::decades}) {
            const Axis axis = axis_of(scale, 0.01, 5000);
            double before = -std::numeric_limits<double>::infinity();
            for (const double value : {0.01, 0.5, 1.0, 3.0, 64.0, 5000.0}) {
                const double place = place_of(axis, value);
                QVERIFY(place > before);
                before = place;
                QVERIFY(std::abs(value_at(axis, place) / value - 1) < 1e-9);
            }
            QVERIFY(std::isfinite(place_of(axis, 0)) && std::isfinite(place_of(axis, -1)));
        }
    }

    /// Whatever is shown and however small it is: marks ascend, lie inside, and labels do not
    /// touch.
    void marks_have_room() {
        for (const Scale scale : {Scale::linear, Scale::doublings, Scale::decades})
            for (const auto& [from, to] :
                 {std::pair{1.0, 1024.0}, {0.5, 0.7}, {3.0, 3.1}, {0.001, 90000.0}, {1.0, 2.0}})
                for (const bool upright : {false, true})
                    for (const double pixels : {40.0, 90.0, 300.0, 1600.0}) {
                        const Axis axis = axis_of(scale, from, to);
                        const auto ticks = ticks_of(axis, from, to, pixels, upright);
                        double end = -1e9;
                        for (const Tick& tick : ticks) {
                            QVERIFY(tick.at >= from * (1 - 1e-9) && tick.at <= to * (1 + 1e-9));
                            QVERIFY(!tick.label.empty());
                            const double room = place_of(axis, to) - place_of(axis, from);
                            const double at =
                                (place_of(axis, tick.at) - place_of(axis, from)) / room * pixels;
                            const double half =
                                upright ? 7 : static_cast<double>(text_width(tick.label, 11)) / 2;
                            QVERIFY(at - half >= end - 1e-6);
                            end = at + half;
                        }
                        if (pixels >= 300)
                            QVERIFY2(ticks.size() >= 2, qPrintable(QString::number(from)));
                    }
    }

    void named_places_keep_their_names() {
        Axis axis = axis_of(Scale::linear, -0.5, 99.5);
        for (int i = 0; i < 100; ++i) axis.named.push_back({i + 0.0, "block " + std::to_string(i)});
        const auto ticks = ticks_of(axis, axis.from, axis.to, 400, false);
        QVERIFY(ticks.size() > 1 && ticks.size() < 10);
        for (const Tick& tick : ticks)
            QCOMPARE(tick.label, "block " + std::to_string(std::lround(tick.at)));
        QCOMPARE(text_of(axis, 7.2), std::string("block 7"));
        axis.unmarked = true;
        QVERIFY(ticks_of(axis, axis.from, axis.to, 400, false).empty());
    }

    void numbers() {
        for (const auto& [value, text] : {std::pair{0.0, "0"},
                                          {35.0, "35"},
                                          {1200.0, "1,200"},
                                          {1234567.0, "1,234,567"},
                                          {0.25, "0.25"},
                                          {-1.5, "−1.5"},
                                          {0.001, "0.001"}})
            QCOMPARE(number_text(value), std::string(text));
        QCOMPARE(number_text(std::nan("")), std::string("—"));
    }

    /// Lowest and highest of every column remain, in order, and not more than two of each.
    void decimated_points_look_the_same() {
        const std::vector<Point> points = wave(20'000, 7);
        constexpr std::size_t columns = 300;
        const auto kept = decimated(points, 0, 100, columns);
        QVERIFY(kept.size() <= 2 * columns + 2);
        QVERIFY(kept.size() > columns);
        QVERIFY(std::is_sorted(kept.begin(), kept.end(),
                               [](const Point& a, const Point& b) { return a.x < b.x; }));
        const auto by_y = [](const Point& a, const Point& b) { return a.y < b.y; };
        QCOMPARE(std::min_element(kept.begin(), kept.end(), by_y)->y,
                 std::min_element(points.begin(), points.end(), by_y)->y);
        QCOMPARE(std::max_element(kept.begin(), kept.end(), by_y)->y,
                 std::max_element(points.begin(), points.end(), by_y)->y);
        for (const Point& point : kept)
            QVERIFY(std::find(points.begin(), points.end(), point) != points.end());
        // A part of it: one more at each side, so that the line leaves the picture.
        const auto part = decimated(points, 40, 40.5, columns);
        QVERIFY(part.front().x < 40 && part.back().x > 40.5);
        QVERIFY(part.size() >= 100 && part.size() <= 2 * columns + 2);
        QCOMPARE(decimated(std::vector<Point>(), 0, 1, 10).size(), std::size_t{0});
        QCOMPARE(decimated(wave(12, 1), 0, 100, 300).size(), std::size_t{12});
    }

    void labels_keep_apart() {
        LabelRoom room({0, 0, 200, 120});
        std::vector<scene::Rect> placed;
        for (int i = 0; i < 60; ++i)
            if (const auto at = room.place({100, 60}, 50))
                placed.push_back({at->x, at->y - 7, 50, 14});
        QVERIFY(placed.size() > 3 && placed.size() < 60); // there is an end to the room
        for (std::size_t i = 0; i < placed.size(); ++i) {
            QVERIFY(placed[i].x >= 0 && placed[i].x + 50 <= 200);
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(placed[i].x + 50 <= placed[j].x || placed[j].x + 50 <= placed[i].x ||
                        placed[i].y + 14 <= placed[j].y || placed[j].y + 14 <= placed[i].y);
        }
    }

    /// Beside a line if there is room; across it only with a ground.
    void labels_say_what_they_cover() {
        LabelRoom free({0, 0, 200, 120});
        free.cross({100, 0}, {100, 120});
        const auto beside = free.place({100, 7}, 50);
        QVERIFY(beside && !beside->covers && (beside->x > 100 || beside->x + 50 < 100));
        LabelRoom full({0, 0, 200, 120});
        for (float x = 10; x < 200; x += 20) full.cross({x, 0}, {x, 120});
        const auto across = full.place({100, 7}, 50);
        QVERIFY(across && across->covers);
    }

    /// Names of one place: one below the other on one side, in their order.
    void listed_labels_stay_in_order() {
        for (const float at : {20.0F, 190.0F}) { // room on the right, on the left
            LabelRoom room({0, 0, 200, 120});
            room.cross({at, 0}, {at, 120});
            float before = -1, column = -1;
            for (int i = 0; i < 3; ++i) {
                const auto name = room.list({at, 0}, 60);
                QVERIFY(name && !name->covers && name->y > before);
                QVERIFY(column < 0 || name->x == column);
                QVERIFY(at < 100 ? name->x > at : name->x + 60 < at);
                before = name->y;
                column = name->x;
            }
        }
    }

    /// Predicted is hollow and dashed, serial is hatched, in both themes alike.
    void looks_tell_predicted_from_measured() {
        Chart chart = stacked_rows();
        chart.series[0].predicted = true;
        PictureOptions options;
        std::vector<std::size_t> shape;
        for (const scene::Theme* theme : {&scene::dark_theme(), &scene::light_theme()}) {
            options.theme = theme;
            const scene::DisplayList list = picture_of(chart, options);
            std::size_t dashed = 0, hatched = 0, boxes = 0;
            for (const scene::Layer& layer : list.layers)
                for (const scene::Box& box : layer.boxes) {
                    ++boxes;
                    dashed += box.dashed && box.fill == theme->canvas ? 1U : 0U;
                    hatched += box.hatched ? 1U : 0U;
                }
            QCOMPARE(dashed, std::size_t{2});
            QCOMPARE(hatched, std::size_t{2});
            shape.push_back(boxes);
        }
        QCOMPARE(shape[0], shape[1]);
        QCOMPARE(legend_of(chart, scene::dark_theme())[0].sign, scene::OverlayLegend::Sign::hollow);
        QCOMPARE(legend_of(chart, scene::dark_theme())[1].sign,
                 scene::OverlayLegend::Sign::hatched);
    }

    /// Bars stand where their values say, and one begins where the one before ended.
    void bars_stand_in_scale() {
        const Chart chart = stacked_rows();
        const auto spots = spots_of(chart, {});
        QCOMPARE(spots.size(), std::size_t{4});
        const auto& fast = spots[0].rect;
        const auto& slow = spots[2].rect;
        QVERIFY(std::abs(fast.x + fast.width - slow.x) < 0.01F);
        QVERIFY(std::abs(slow.width / fast.width - 1.5F) < 0.01F);
        QVERIFY(spots[1].rect.y > fast.y); // rows go down
        QVERIFY(height_of(chart) > 0);
        QCOMPARE(picture_of(chart, {}).world.height, height_of(chart));
    }

    /// Whatever is drawn stays in the picture, however far a curve leaves its axes.
    void curves_are_cut_at_the_plot() {
        std::vector<Point> points = wave(500, 3);
        for (std::size_t i = 0; i < points.size(); i += 7) points[i].y *= 1e6;
        points[250].y = std::nan("");
        Chart chart = curve_of(points);
        chart.series[0].predicted = true;
        PictureOptions options;
        options.width = 420;
        options.height = 200;
        const scene::DisplayList list = picture_of(chart, options);
        QCOMPARE(list.summary, chart.summary);
        std::size_t lines = 0;
        for (const scene::Layer& layer : list.layers)
            for (const scene::Line& line : layer.lines)
                for (const scene::Point end : {line.from, line.to}) {
                    ++lines;
                    QVERIFY(end.x >= 0 && end.x <= 420 && end.y >= 0 && end.y <= 200);
                }
        QVERIFY(lines > 100);
        QVERIFY(picture_of(Chart(), options).layers.empty());
    }

    void the_table_says_the_same() {
        Chart chart = stacked_rows();
        const auto table = table_of(chart);
        QCOMPARE(table->rows(), std::size_t{4});
        QCOMPARE(table->text(2, 0), std::string("slow"));
        QCOMPARE(table->text(2, 1), std::string("first"));
        QCOMPARE(table->text(2, 2), std::string("6")); // how long it is, not where it ends
        QCOMPARE(table->value(2, 2), std::optional(6.0));
        // No empty columns: the intervals come with the first point that has one.
        QCOMPARE(table->columns().size(), std::size_t{4});
        QCOMPARE(table->text(2, 3), std::string("measured"));
        Chart sure = chart;
        sure.series[0].points[0].interval = {{3, 5}};
        const auto with_intervals = table_of(sure);
        QCOMPARE(with_intervals->columns().size(), std::size_t{6});
        QCOMPARE(with_intervals->text(0, 3), std::string("3"));
        QCOMPARE(with_intervals->text(2, 3), std::string("—"));
        QCOMPARE(with_intervals->text(2, 5), std::string("measured"));
        QCOMPARE(table->columns()[2].name, chart.y.title);
        chart.series[0].name = "=1+1, \"x\"";
        const std::string csv = csv_of(*table_of(chart));
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{1 + 4});
        QVERIFY(csv.find("\"'=1+1, \"\"x\"\"\",first,4,") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestCharts)
#include "test_charts.moc"
