// Charts of what was measured while something ran: blocks over time, lengths of spans, and a chart
// as files.
#include "charts/chart_table.h"
#include "report/cell_bars.h"
#include "report/chart_files.h"
#include "report/histogram_chart.h"
#include "report/live_charts.h"
#include "report/ratio_chart.h"
#include "report/tuning_map.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace blockloom;

namespace {

profile::Histogram lengths_of(std::initializer_list<Nanoseconds> values) {
    profile::Histogram lengths;
    for (const Nanoseconds value : values) lengths.add(value);
    return lengths;
}

} // namespace

class TestChartData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Each block takes its place in order; room is left for those that are still to come.
    void stretches_leave_room() {
        const std::vector<execute::LiveStretch> done{{7, 7, 1, 10, 5'000'000},
                                                     {8, 11, 4, 40, 8'000'000}};
        const charts::Chart chart = report::stretches_chart(done, 40);
        QCOMPARE(chart.x.to, 40.0);
        const auto& points = chart.series.at(0).points;
        QCOMPARE(points.size(), std::size_t{3}); // the last one only ends
        QCOMPARE(points[1].x, 1.0);
        QCOMPARE(points[2].x, 5.0);
        QCOMPARE(points[0].y, 5.0);
        QCOMPARE(points[1].y, 2.0); // the mean of four
        QCOMPARE(points[0].words, std::string("Block 7: 5.00 ms, 10 tasks"));
        QVERIFY(points[1].words.find("mean 2.00 ms") != std::string::npos);
        QVERIFY(points[2].words.empty());
        QCOMPARE(charts::table_of(chart)->rows(), std::size_t{2});
        QVERIFY(report::stretches_chart({}, 40).empty());
        QVERIFY(report::stretches_chart({}, 40).summary.find("no block has finished") !=
                std::string::npos);
    }

    /// Every span is counted in one bin; on both axes of counts one span is seen and none is not.
    void histograms_count_every_span() {
        const profile::Histogram lengths = lengths_of({0, 1, 5, 5, 5, 1000, 2000, 2000, 1'000'000});
        const auto bins = lengths.bins(40);
        for (const bool logarithmic : {false, true}) {
            report::HistogramChartOptions options;
            options.name = "message";
            options.log_counts = logarithmic;
            const charts::Chart chart = report::histogram_chart(lengths, bins, options);
            QVERIFY(chart.x.from > 0 && chart.x.from < chart.x.to);
            const auto& points = chart.series.at(0).points;
            QCOMPARE(points.size(), bins.size() + 1);
            for (std::size_t i = 0; i < bins.size(); ++i) {
                QVERIFY(points[i].x < points[i + 1].x);
                QCOMPARE(points[i].y > points[i].from, bins[i].count > 0);
            }
            QCOMPARE(chart.summary.find("logarithmic") != std::string::npos, logarithmic);
            QVERIFY(chart.summary.starts_with("message: 9 spans, median"));
        }
        report::HistogramChartOptions options;
        options.marked = std::pair<Nanoseconds, Nanoseconds>{5, 1000};
        const charts::Chart marked = report::histogram_chart(lengths, bins, options);
        QVERIFY(std::any_of(marked.bands.begin(), marked.bands.end(),
                            [](const charts::Band& band) { return band.to == 1001; }));
        QVERIFY(report::histogram_chart({}, {}, options).empty());
    }

    /// The same picture in every format; the SVG is well formed, names itself and says what it
    /// shows, whatever a series is called.
    void files() {
        charts::Chart chart =
            report::stretches_chart(std::vector<execute::LiveStretch>{{7, 7, 1, 10, 5'000'000}}, 1);
        chart.title = "A <chart> & more";
        const std::string svg = report::chart_svg(chart, {});
        QXmlStreamReader xml(QByteArray::fromStdString(svg));
        QString title, about;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement) {
                if (xml.name() == QStringLiteral("title"))
                    title = xml.readElementText();
                else if (xml.name() == QStringLiteral("desc"))
                    about = xml.readElementText();
            }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(title, QStringLiteral("A <chart> & more"));
        QVERIFY(about.startsWith(QStringLiteral("Wall time of each block")));
        const QTemporaryDir folder;
        for (const char* name : {"c.svg", "c.PNG", "c.pdf", "c.csv"}) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            QVERIFY2(report::write_chart(chart, {}, path.toStdString()).ok(), name);
            QVERIFY(QFile(path).size() > 20);
        }
        QVERIFY(!report::write_chart(chart, {}, "/no/such/folder/c.svg").ok());
    }

    /// A ratio and its inverse are equally far from 1, and everything is inside the axis.
    void ratios_beside_no_difference() {
        for (const double ratio : {0.5, 1.0, 2.0}) {
            const profile::Interval interval{ratio * 0.9, ratio * 1.2};
            const charts::Chart chart = report::ratio_chart(ratio, interval);
            QVERIFY(chart.y.from < interval.low && chart.y.to > interval.high);
            QVERIFY(chart.y.from < 1 && chart.y.to > 1);
            QCOMPARE(chart.bands.at(0).from, 1.0);
            const charts::Point& point = chart.series.at(0).points.at(0);
            QCOMPARE(point.y, ratio);
            QVERIFY(point.interval && point.interval->low == interval.low);
            QVERIFY(point.words.find("95 % interval") != std::string::npos);
            QCOMPARE(charts::table_of(chart)->rows(), std::size_t{1});
        }
        QVERIFY(report::ratio_chart(2, profile::Interval{1.8, 2.2}).series[0].ink ==
                &scene::Theme::ok);
        QVERIFY(report::ratio_chart(0.5, profile::Interval{0.4, 0.6}).series[0].ink ==
                &scene::Theme::warning);
        QVERIFY(report::ratio_chart(1.1, profile::Interval{0.9, 1.2}).series[0].ink ==
                &scene::Theme::text2);
        QVERIFY(report::ratio_chart(1.1, {}).summary.find("interval") == std::string::npos);
        QVERIFY(report::ratio_chart(0, {}).empty());
    }

    void cells_of_a_sweep() {
        runs::HeatMap map;
        map.x = {16, 64};
        map.y = {1};
        map.cells = {{4e6, 7, false, false}, {1e6, 9, true, true}};
        report::TuningMapOptions options;
        options.x_title = "Batch max";
        options.y_title = "Workers";
        options.x = {"16", "64"};
        options.y = {"1"};
        options.text = [](double ns) { return std::to_string(static_cast<int>(ns / 1e6)); };
        options.with_unit = [](double ns) {
            return std::to_string(static_cast<int>(ns / 1e6)) + " ms";
        };
        options.best = options.chosen = 7;
        report::TuningCells cells = report::tuning_cells(map, options);
        QCOMPARE(cells.words[0],
                 std::string("Batch max 16, Workers 1: 4 ms measured, the best point"));
        QCOMPARE(cells.words[1], std::string("Batch max 64, Workers 1: 1 ms predicted, not "
                                             "significantly different from the best"));
        QCOMPARE(*cells.map.cells[0].share, 0.0);
        QCOMPARE(*cells.map.cells[1].share, 1.0);
        QCOMPARE(cells.map.chosen, std::optional(std::size_t{0}));
        QVERIFY(cells.best && cells.band);
        QVERIFY(cells.ends == std::optional(std::pair(4e6, 1e6)));
        map.cells[0].median = 0; // not measured, and nothing predicts it
        cells = report::tuning_cells(map, options);
        QVERIFY(!cells.map.cells[0].share && !cells.best && !cells.map.chosen);
        QVERIFY(cells.words[0].find("unknown") != std::string::npos);
        QVERIFY(cells.map.summary.find("unknown") == std::string::npos);
    }

    /// Inside their place, visible even at 0, and never wider than asked.
    void bars_of_levels() {
        const scene::Theme& theme = scene::dark_theme();
        const scene::Rect place{10, 20, 100, 18};
        for (const std::size_t levels : {1U, 4U, 48U, 500U}) {
            std::vector<double> shares(levels, 0);
            shares.back() = 1;
            const scene::Layer layer = report::level_bars(shares, place, 8, theme);
            QCOMPARE(layer.boxes.size(), levels);
            for (const scene::Box& box : layer.boxes) {
                QVERIFY(box.rect.x >= place.x);
                QVERIFY(box.rect.x + box.rect.width <= place.x + place.width + 0.01F);
                QVERIFY(box.rect.width <= 8 && box.rect.height >= 2);
                QCOMPARE(box.rect.y + box.rect.height, place.y + place.height);
            }
            QCOMPARE(layer.boxes.back().rect.height, place.height);
            QCOMPARE(layer.boxes.back().fill, theme.ordinal(levels - 1, levels));
        }
        QVERIFY(report::level_bars({}, place, 8, theme).boxes.empty());
    }

    /// Predicted bars are hollow and dashed; serial ones hatched; run B is striped where both runs
    /// have one colour.
    void bars_in_cells_say_what_they_are() {
        const scene::Theme& theme = scene::light_theme();
        const scene::Rect track{0, 0, 80, 9};
        const scene::Box predicted =
            report::bar_on_track(0.5, true, track, theme.panel, theme).boxes.at(1);
        QVERIFY(predicted.dashed && predicted.fill == theme.panel);
        QCOMPARE(predicted.rect.width, 40.0F);
        const scene::Box measured =
            report::bar_on_track(0.5, false, track, theme.panel, theme).boxes.at(1);
        QVERIFY(!measured.dashed && measured.fill == theme.accent && measured.outline_width == 0);

        QVERIFY(report::run_bar({theme.cuda}, {0, 0, 0, 14}, theme).empty());
        const auto serial = report::run_bar({theme.cuda, true}, track, theme);
        QVERIFY(serial.size() == 1 && serial[0].boxes.at(0).hatched);
        const auto hollow = report::run_bar({theme.cuda, true, true, true}, track, theme);
        QCOMPARE(hollow.size(), std::size_t{1}); // no stripes
        QVERIFY(hollow[0].boxes[0].dashed && !hollow[0].boxes[0].hatched);
        QVERIFY(hollow[0].boxes[0].fill == theme.canvas);
        const auto striped = report::run_bar({theme.cuda, false, true}, track, theme);
        QCOMPARE(striped.size(), std::size_t{2});
        QVERIFY(!striped[0].boxes.at(0).hatched && !striped[1].lines.empty());
        for (const scene::Line& line : striped[1].lines)
            for (const scene::Point at : {line.from, line.to})
                QVERIFY(at.x >= 0 && at.x <= track.width && at.y >= 0 && at.y <= track.height);

        const scene::Layer less = report::difference_bar(-0.25, theme.ok, {0, 0, 80, 26}, theme);
        QCOMPARE(less.boxes.at(0).rect, (scene::Rect{30, 6, 10, 14}));
        QVERIFY(report::difference_bar(0, theme.ok, {0, 0, 80, 26}, theme).boxes.empty());
    }
};

QTEST_GUILESS_MAIN(TestChartData)
#include "test_chart_data.moc"
