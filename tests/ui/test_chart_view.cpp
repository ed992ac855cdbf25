// Any chart in a panel: points by keys and mouse, crosshair, zoom, theme, table, copies and files.
#include "canvas/legend_strip.h"
#include "charts/axis.h"
#include "charts/chart_view.h"
#include "docks/breakdown/chart_page.h"
#include "headers/waiting.h"
#include "look/apply_theme.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/twin_model.h"
#include "window_waits.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QBarSet>
#include <QChart>
#include <QClipboard>
#include <QGraphicsScene>
#include <QGraphicsTextItem>
#include <QLabel>
#include <QLineSeries>
#include <QMimeData>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QStackedBarSeries>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include <cmath>

namespace blockloom::ui::test_chart_view {
namespace {

/// A measured curve with error bars, and a law over it.
charts::Chart speedups() {
    charts::Chart chart;
    chart.title = "Speed-up";
    chart.summary = "Speed-up on 1 to 8 workers";
    chart.x.title = "workers";
    chart.x.scale = chart.y.scale = charts::Scale::doublings;
    chart.x.from = 0.9;
    chart.x.to = 16;
    chart.y.from = 0.5;
    chart.y.to = 16;
    charts::Series law, points;
    law.name = "law";
    law.predicted = true;
    for (double p = 1; p <= 16; p *= 1.01) law.points.push_back({p, p, 0, {}, {}, 0});
    points.name = "runs";
    points.kind = charts::Kind::points;
    for (const double p : {1.0, 2.0, 4.0, 8.0})
        points.points.push_back({p, p * 0.8, 0, profile::Interval{p * 0.7, p * 0.9},
                                 "on " + std::to_string(static_cast<int>(p)) + " workers",
                                 static_cast<std::size_t>(p)});
    chart.series = {law, points};
    chart.labels.push_back(
        {8, 6.4, "the best", &scene::Theme::text, true, charts::Label::Where::near, 0});
    charts::Band band;
    band.from = 2;
    band.to = 4;
    band.label = "optimum";
    chart.bands.push_back(band);
    return chart;
}

/// Labels that Qt Charts shows in a canvas; it hides those that have no room.
QStringList labels_in(const ChartCanvas& canvas) {
    QStringList shown;
    for (const QGraphicsItem* item : canvas.scene()->items())
        if (const auto* text = dynamic_cast<const QGraphicsTextItem*>(item);
            text != nullptr && text->isVisible())
            shown.append(text->toPlainText());
    return shown;
}

charts::Chart waterfall() {
    charts::Chart chart;
    chart.title = "Rows";
    chart.rows = true;
    chart.x.from = -0.5;
    chart.x.to = 2.5;
    chart.x.named = {{0, "work"}, {1, "wait"}, {2, "all"}};
    chart.y.from = -2;
    chart.y.to = 10;
    charts::Series predicted, measured;
    predicted.name = "predicted";
    predicted.predicted = true;
    measured.name = "measured";
    for (charts::Series* series : {&predicted, &measured}) series->kind = charts::Kind::bars;
    predicted.points = {{0, 4, 0, {}, "work 4", 0}};
    measured.points = {{1, 8, 4, {}, "wait 4", 1}, {2, 8, 0, {}, "all 8", 2}};
    chart.series = {predicted, measured};
    chart.left_out = {"Barriers are not drawn: a run on one worker has none"};
    return chart;
}

} // namespace

class TestChartView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A page for two runs that shows one: its table has the whole height.
    void a_page_with_one_chart_shows_one_table() {
        ChartPage page(QStringLiteral("pair"), QStringLiteral("Pair"));
        page.setChart(0, speedups(), {});
        page.showTable(true);
        page.resize(600, 500);
        page.show();
        test::wait_until_exposed(&page);
        int tables = 0;
        for (const auto* table : page.findChildren<Table*>()) {
            if (!table->isVisible()) continue;
            ++tables;
            WAIT_UNTIL(table->height() > 400);
        }
        QCOMPARE(tables, 1);
    }

    /// Beside an axis without marks, too, the other one begins with its first label.
    void an_axis_begins_with_its_first_label() {
        for (const bool unmarked : {false, true}) {
            charts::Chart chart = speedups();
            chart.x.scale = chart.y.scale = charts::Scale::linear;
            chart.x.from = chart.y.from = 0;
            chart.y.unmarked = unmarked;
            ChartView view(QStringLiteral("chart"), QStringLiteral("Chart"));
            view.setChart(std::move(chart));
            view.resize(400, 260);
            view.show();
            test::wait_until_exposed(&view);
            WAIT_UNTIL(labels_in(*view.canvas()).contains(QStringLiteral("10")));
            QVERIFY2(labels_in(*view.canvas()).contains(QStringLiteral("0")),
                     qPrintable(labels_in(*view.canvas()).join(QLatin1Char(' '))));
        }
    }

    void initTestCase() { apply_theme(*qApp, scene::dark_theme()); }

    void init() {
        view_ = std::make_unique<ChartView>(QStringLiteral("testChart"), QStringLiteral("A chart"));
        view_->resize(640, 420);
        view_->setChart(speedups());
        view_->show();
        test::wait_until_exposed(view_.get());
        WAIT_UNTIL(canvas().plot().width() > 300);
    }
    void cleanup() { view_.reset(); }

    /// Until it is shown a chart is a value.
    void widgets_are_made_when_it_is_shown() {
        ChartView view(QStringLiteral("late"), QStringLiteral("Late"));
        view.setChart(speedups());
        view.setLeastHeight(123);
        QVERIFY(!view.isBuilt());
        QVERIFY(view.findChildren<QWidget*>().isEmpty());
        QCOMPARE(view.chart().series.size(), std::size_t{2});
        QCOMPARE(view.minimumSizeHint().height(), 123);
        view.showTable(true); // and then the table, at once
        QVERIFY(!view.isBuilt());
        view.show();
        test::wait_until_exposed(&view);
        QVERIFY(view.isBuilt());
        QVERIFY(view.table()->isVisible());
        view.showTable(false);
        QVERIFY(view.canvas()->isVisible());
        QCOMPARE(view.canvas()->shown().series.size(), std::size_t{2});
        QCOMPARE(view.canvas()->minimumHeight(), 123);
    }

    /// In a small place: no titles, no axis at the left, and the plot has the room.
    void compact_gives_the_room_to_the_plot() {
        ChartView view(QStringLiteral("small"), QStringLiteral("Small"));
        view.setCompact(48);
        view.setChart(speedups());
        view.resize(200, 60);
        view.show();
        test::wait_until_exposed(&view);
        WAIT_UNTIL(view.canvas()->plot().width() > 180);
        QVERIFY(view.canvas()->plot().height() > 24);
        QVERIFY(!view.legend()->isVisible());
        const auto& points = view.canvas()->shown().series[1].points;
        QVERIFY(view.canvas()->plot().contains(view.canvas()->placeOf(points[2])));
    }

    /// Bars along the ramp have a colour each, at the places at which they are hovered.
    void ramps_are_drawn() {
        charts::Chart chart;
        chart.x.from = -0.5;
        chart.x.to = 7.5;
        chart.y.scale = charts::Scale::decades;
        chart.y.from = 0.7;
        chart.y.to = 100;
        charts::Series bars;
        bars.kind = charts::Kind::bars;
        bars.ramp = true;
        for (std::size_t i = 0; i < 8; ++i)
            bars.points.push_back({static_cast<double>(i), 50, 0.7, {}, "level", i});
        chart.series.push_back(bars);
        view_->setChart(chart);
        WAIT_UNTIL(canvas().plot().width() > 300);
        const QImage image = canvas().grab().toImage();
        const double ratio = image.devicePixelRatio();
        for (std::size_t i = 0; i < 8; ++i) {
            const QPointF at = canvas().areaOf(0, i).center();
            QVERIFY(canvas().plot().contains(at));
            QCOMPARE(image.pixelColor((at * ratio).toPoint()),
                     qcolor(current_theme().ordinal(i, 8)));
        }
    }

    /// p95 beside p99: the name of a line is not written across its neighbour.
    void labels_do_not_cross_the_lines_of_bands() {
        charts::Chart chart = speedups();
        chart.series.clear();
        chart.series.push_back(speedups().series[0]);
        chart.labels.clear();
        chart.bands.clear();
        for (const double at : {4.0, 4.4}) {
            charts::Band line;
            line.from = line.to = at;
            line.ink = &scene::Theme::critical;
            chart.bands.push_back(line);
            chart.labels.push_back({at, chart.y.to, "p95 1.23 ms", &scene::Theme::text, false,
                                    charts::Label::Where::near, 0});
        }
        view_->setChart(chart);
        const QImage image = canvas().grab().toImage();
        const double ratio = image.devicePixelRatio();
        const QRectF plot = canvas().plot();
        const QColor ink = qcolor(current_theme().critical);
        for (const charts::Band& line : chart.bands) {
            charts::Point point;
            point.x = line.from;
            point.y = chart.y.to;
            const auto column = canvas().placeOf(point).x();
            int missing = 0;
            for (double y = plot.top() + 2; y < plot.top() + 60; ++y) {
                bool seen = false;
                for (const double x : {column - 1, column, column + 1}) {
                    const QColor here = image.pixelColor(QPoint(int(x * ratio), int(y * ratio)));
                    seen = seen || (std::abs(here.red() - ink.red()) < 60 &&
                                    std::abs(here.green() - ink.green()) < 60);
                }
                if (!seen) ++missing;
            }
            QVERIFY2(missing < 3, qPrintable(QString::number(missing)));
        }
    }

    void it_reads_as_its_summary() {
        QCOMPARE(canvas().accessibleName(), QStringLiteral("A chart"));
        QCOMPARE(canvas().accessibleDescription(), QStringLiteral("Speed-up on 1 to 8 workers"));
        QCOMPARE(canvas().focusPolicy(), Qt::StrongFocus);
    }

    /// Places of both axes: further along is further to the right, more is higher.
    void points_stand_where_their_values_say() {
        const auto& points = canvas().shown().series[1].points;
        for (std::size_t i = 1; i < points.size(); ++i) {
            QVERIFY(canvas().placeOf(points[i]).x() > canvas().placeOf(points[i - 1]).x());
            QVERIFY(canvas().placeOf(points[i]).y() < canvas().placeOf(points[i - 1]).y());
            QVERIFY(canvas().plot().contains(canvas().placeOf(points[i])));
        }
        // Doublings are equally far apart.
        const auto x = [&](std::size_t i) { return canvas().placeOf(points[i]).x(); };
        QVERIFY(std::abs((x(1) - x(0)) - (x(3) - x(2))) < 0.01);
        // What Qt Charts draws stands there too.
        const auto* marks = qobject_cast<QXYSeries*>(canvas().chart()->series().last());
        QCOMPARE(marks->count(), 4);
        const QPointF drawn =
            canvas().chart()->mapToPosition(marks->at(2), canvas().chart()->series().last());
        QVERIFY((drawn - canvas().placeOf(points[2])).manhattanLength() < 1.5);
    }

    void keys_walk_the_points() {
        const QSignalSpy said(&canvas(), &ChartCanvas::pointed);
        const QSignalSpy chosen(&canvas(), &ChartCanvas::chosen);
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QCOMPARE(canvas().accessibleDescription(), QStringLiteral("on 1 workers"));
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QCOMPARE(canvas().accessibleDescription(), QStringLiteral("on 4 workers"));
        QCOMPARE(canvas().readings(), QString::fromUtf8("4, 3.2"));
        QTest::keyClick(&canvas(), Qt::Key_Left);
        QCOMPARE(canvas().accessibleDescription(), QStringLiteral("on 2 workers"));
        QTest::keyClick(&canvas(), Qt::Key_End);
        QTest::keyClick(&canvas(), Qt::Key_Right); // there is no more
        QCOMPARE(canvas().accessibleDescription(), QStringLiteral("on 8 workers"));
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.constFirst().at(1).value<std::size_t>(), std::size_t{8});
        QTest::keyClick(&canvas(), Qt::Key_Home);
        QCOMPARE(said.count(), 7);
        QVERIFY(canvas().current().has_value());
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QVERIFY(!canvas().current().has_value());
        QVERIFY(canvas().readings().isEmpty());
    }

    void the_mouse_finds_points_and_reads_axes() {
        const auto& points = canvas().shown().series[1].points;
        const QPoint at = canvas().placeOf(points[2]).toPoint();
        QTest::mouseMove(canvas().viewport(), at);
        WAIT_UNTIL(canvas().current().has_value());
        QCOMPARE(canvas().current()->second, std::size_t{2});
        QCOMPARE(QToolTip::text(), QStringLiteral("on 4 workers"));
        const QSignalSpy chosen(&canvas(), &ChartCanvas::chosen);
        QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(chosen.count(), 1);
        // Beside them it reads the axes.
        QTest::mouseMove(canvas().viewport(), canvas().plot().topLeft().toPoint() + QPoint(9, 9));
        WAIT_UNTIL(!canvas().current().has_value());
        QVERIFY(!canvas().readings().isEmpty());
        QTest::mouseMove(canvas().viewport(), QPoint(1, 1));
        WAIT_UNTIL(canvas().readings().isEmpty());
    }

    void a_drag_zooms_and_a_double_click_shows_all() {
        const auto whole = canvas().visible();
        const QRectF plot = canvas().plot();
        const QPoint from = (plot.topLeft() + QPointF(60, 40)).toPoint(),
                     to = (plot.center() + QPointF(40, 30)).toPoint();
        drag(from, to);
        QVERIFY(canvas().isZoomed());
        const auto part = canvas().visible();
        QVERIFY(part.first.first > whole.first.first && part.first.second < whole.first.second);
        QVERIFY(part.second.first > whole.second.first && part.second.second < whole.second.second);
        // The same chart with other values stays zoomed.
        charts::Chart again = speedups();
        again.series[1].points[0].y = 1.1;
        view_->setChart(again);
        QCOMPARE(canvas().visible(), part);
        QTest::mouseDClick(canvas().viewport(), Qt::LeftButton, {}, plot.center().toPoint());
        QVERIFY(!canvas().isZoomed());
        QCOMPARE(canvas().visible(), whole);
        // A drag along one axis zooms into that one; a click into none.
        drag(from, from + QPoint(200, 1));
        QVERIFY(canvas().isZoomed());
        QCOMPARE(canvas().visible().second, whole.second);
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QVERIFY(!canvas().isZoomed());
        drag(from, from + QPoint(2, 1));
        QVERIFY(!canvas().isZoomed());
    }

    void keys_zoom_at_the_crosshair() {
        const auto whole = canvas().visible();
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_End);
        const QPointF before = canvas().placeOf(canvas().shown().series[1].points[3]);
        QTest::keyClick(&canvas(), Qt::Key_Plus);
        QVERIFY(canvas().isZoomed());
        QVERIFY(
            (canvas().placeOf(canvas().shown().series[1].points[3]) - before).manhattanLength() <
            12);
        for (int i = 0; i < 60; ++i) QTest::keyClick(&canvas(), Qt::Key_Plus); // there is an end
        const auto least = canvas().visible();
        QVERIFY(least.first.second > least.first.first);
        for (int i = 0; i < 90; ++i) QTest::keyClick(&canvas(), Qt::Key_Minus);
        QVERIFY(!canvas().isZoomed());
        QCOMPARE(canvas().visible(), whole);
        QTest::keyClick(&canvas(), Qt::Key_Plus);
        QTest::keyClick(&canvas(), Qt::Key_0);
        QVERIFY(!canvas().isZoomed());
    }

    void a_brush_marks_values() {
        canvas().setDrag(ChartCanvas::Drag::brush);
        QSignalSpy brushed(&canvas(), &ChartCanvas::brushed);
        const QPointF a = canvas().placeOf(canvas().shown().series[1].points[1]),
                      b = canvas().placeOf(canvas().shown().series[1].points[3]);
        drag(b.toPoint(), a.toPoint());
        QVERIFY(!canvas().isZoomed());
        QVERIFY(!brushed.isEmpty());
        QVERIFY(std::abs(brushed.last().at(0).toDouble() - 2) < 0.1);
        QVERIFY(std::abs(brushed.last().at(1).toDouble() - 8) < 0.4);
    }

    /// Floating bars have invisible ones under them; rows go down; predicted bars are hollow.
    void rows_of_bars() {
        view_->setChart(waterfall());
        WAIT_UNTIL(canvas().height() == canvas().minimumHeight()); // as high as its rows
        WAIT_UNTIL(canvas().plot().bottom() < canvas().height());
        const QRectF work = canvas().areaOf(0, 0), wait = canvas().areaOf(1, 0),
                     all = canvas().areaOf(1, 1);
        QVERIFY(work.center().y() < wait.center().y() && wait.center().y() < all.center().y());
        QVERIFY(std::abs(work.right() - wait.left()) < 0.01);
        const auto* bars =
            qobject_cast<QAbstractBarSeries*>(canvas().chart()->series().constFirst());
        QVERIFY(bars != nullptr);
        double sum = 0;
        for (const QBarSet* set : bars->barSets()) sum += set->sum();
        QCOMPARE(sum, 4.0 + 4.0 + 4.0 + 8.0); // with what lifts the second bar
        for (const QBarSet* set : bars->barSets())
            if (set->label() == QStringLiteral("predicted"))
                QCOMPARE(set->brush().color(), qcolor(current_theme().canvas));
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Down);
        QTest::keyClick(&canvas(), Qt::Key_Down);
        QCOMPARE(canvas().accessibleDescription(), QStringLiteral("wait 4"));
        hover(canvas().areaOf(1, 1).center().toPoint()); // the tool tip of a key may lie there
        WAIT_UNTIL(QToolTip::text() == QStringLiteral("all 8"));
        const auto* why = view_->findChild<QLabel*>(QStringLiteral("testChartLeftOut"));
        QVERIFY(why->isVisible() && why->text().contains(QStringLiteral("one worker")));
    }

    /// A value whose bar ends at the edge stands before the bar and does not hide it.
    void a_value_without_room_stands_before_its_bar() {
        charts::Chart chart = waterfall();
        chart.y.from = 0;
        chart.y.to = 8;
        chart.labels.push_back(
            {1, 8, "+4.00 seconds", &scene::Theme::text, true, charts::Label::Where::after, 4});
        const auto middle_of_bar = [&] {
            const QImage picture = canvas().grab().toImage();
            const QRect bar = canvas().areaOf(1, 0).toRect();
            int seen = 0; // pixels of its middle line that are not ground
            for (int x = bar.left() + 2; x < bar.right() - 1; ++x)
                if (picture.pixelColor(x, bar.center().y()) != qcolor(current_theme().canvas))
                    ++seen;
            return std::pair(seen, bar.width() - 4);
        };
        view_->setChart(chart);
        WAIT_UNTIL(canvas().plot().bottom() < canvas().height());
        const auto [seen, all] = middle_of_bar();
        QVERIFY2(all > 100 && seen == all,
                 qPrintable(QStringLiteral("%1 of %2 px").arg(seen).arg(all)));
    }

    /// However many points there are, two a column of pixels are what Qt Charts gets.
    void many_points_are_thinned() {
        charts::Chart chart;
        chart.title = "many";
        chart.x.to = 1e5;
        charts::Series series;
        for (int i = 0; i < 100'000; ++i)
            series.points.push_back({i + 0.0, std::sin(i * 0.001) / 2 + 0.5, 0, {}, {}, 0});
        chart.series.push_back(std::move(series));
        view_->setChart(std::move(chart));
        const auto* line = qobject_cast<QLineSeries*>(canvas().chart()->series().constFirst());
        QVERIFY(line->count() > 100);
        QVERIFY(line->count() <= 2 * canvas().plot().width() + 2);
        canvas().zoomTo({1000, 1100}, {0, 1});
        QVERIFY(line->count() >= 100 && line->count() <= 104);
    }

    /// A hole in the data is a hole in the line.
    void unknown_values_are_gaps() {
        charts::Chart chart = speedups();
        chart.series.resize(1);
        chart.series[0].points[100].y = std::nan("");
        view_->setChart(chart);
        QCOMPARE(canvas().chart()->series().size(), 2);
        QVERIFY(!view_->grab().toImage().isNull());
    }

    void the_theme_changes_live() {
        const QImage dark = canvas().grab().toImage();
        const QColor ground = dark.pixelColor(3, 3);
        QCOMPARE(ground, qcolor(scene::dark_theme().canvas));
        apply_theme(*qApp, scene::light_theme());
        WAIT_UNTIL(canvas().grab().toImage().pixelColor(3, 3) ==
                   qcolor(scene::light_theme().canvas));
        const auto* law = qobject_cast<QLineSeries*>(canvas().chart()->series().constFirst());
        QCOMPARE(law->pen().color(), qcolor(scene::light_theme().accent));
        QVERIFY(law->pen().style() == Qt::CustomDashLine); // predicted
        apply_theme(*qApp, scene::dark_theme());
        WAIT_UNTIL(canvas().grab().toImage().pixelColor(3, 3) == ground);
    }

    void the_table_twin() {
        const QAbstractItemModelTester tester(
            view_->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(!view_->showsTable());
        view_->showTable(true);
        QVERIFY(view_->table()->isVisible() && !canvas().isVisible());
        QVERIFY(!view_->table()->accessibleName().isEmpty());
        const int rows = view_->model()->rowCount();
        QCOMPARE(rows, static_cast<int>(speedups().series[0].points.size()) + 4);
        view_->setChart(waterfall());
        QCOMPARE(view_->model()->rowCount(), 3);
        view_->showTable(false);
        QVERIFY(canvas().isVisible());
        view_->setChart(speedups());
        QCOMPARE(view_->model()->rowCount(), rows);
    }

    void copies_and_files() {
        canvas().setFocus();
        test::press(&canvas(), Qt::Key_C, Qt::ControlModifier);
        WAIT_UNTIL(QApplication::clipboard()->mimeData()->hasImage());
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("runs\t")));
        const QTemporaryDir folder;
        for (const char* ending : {"png", "svg", "pdf", "csv"}) {
            const QString path = folder.filePath(QStringLiteral("c.") + QLatin1String(ending));
            const Status done = view_->exportTo(path);
            QVERIFY2(done.ok(), ending);
            QVERIFY(QFileInfo(path).size() > 150);
        }
        QFile file(folder.filePath(QStringLiteral("c.svg")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(QSvgRenderer(svg).isValid());
        for (const char* part : {"<title>Speed-up</title>",
                                 "<desc>Speed-up on 1 to 8 workers</desc>", ">the best<", "xmlns="})
            QVERIFY2(svg.contains(part), part);
        QVERIFY(!svg.contains("var(--"));
        QVERIFY(!view_->exportTo(folder.filePath(QStringLiteral("no/such/c.svg"))).ok());
        view_->setChart({});
        QVERIFY(!view_->exportTo(folder.filePath(QStringLiteral("d.svg"))).ok());
    }

private:
    [[nodiscard]] ChartCanvas& canvas() const { return *view_->canvas(); }

    void hover(QPoint at) {
        QMouseEvent move(QEvent::MouseMove, at, canvas().viewport()->mapToGlobal(at), Qt::NoButton,
                         Qt::NoButton, {});
        QApplication::sendEvent(canvas().viewport(), &move);
    }

    void drag(QPoint from, QPoint to) {
        QTest::mousePress(canvas().viewport(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i) {
            const QPoint at = from + (to - from) * i / 4;
            QMouseEvent move(QEvent::MouseMove, at, canvas().viewport()->mapToGlobal(at),
                             Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(canvas().viewport(), &move);
        }
        QTest::mouseRelease(canvas().viewport(), Qt::LeftButton, {}, to);
    }

    std::unique_ptr<ChartView> view_;
};

} // namespace blockloom::ui::test_chart_view

QTEST_MAIN(blockloom::ui::test_chart_view::TestChartView)
#include "test_chart_view.moc"
