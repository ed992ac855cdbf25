// The table, the map and the curve of a sweep that is made up: figures, predicted cells, keys.
#include "charts/chart_view.h"
#include "docks/tuning/tuning_map.h"
#include "headers/waiting.h"
#include "look/apply_theme.h"
#include "look/theme_style.h"
#include "models/tuning_model.h"
#include "report/tuning_chart.h"
#include "tuning_fixture.h"
#include "window_waits.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace blockloom::ui::test_tuning_views {
namespace {

using runs::TuningAxis;

TuningMap::Shown shown_map(const SeenTuning& seen) {
    TuningMap::Shown shown;
    shown.map = runs::heat_map(*seen.tuning, "vulkan:0", execute::Strategy::speculative,
                               TuningAxis::batch_max, TuningAxis::workers, &seen.predicted);
    for (const auto at : shown.map.x) shown.x.append(axis_value(TuningAxis::batch_max, at));
    for (const auto at : shown.map.y) shown.y.append(axis_value(TuningAxis::workers, at));
    shown.x_title = axis_words(TuningAxis::batch_max);
    shown.y_title = axis_words(TuningAxis::workers);
    shown.scale = scale_of(*seen.tuning, TuningValue::replay);
    shown.best = seen.tuning->tuning.best;
    return shown;
}

bool on_device(const SeenTuning& seen, std::size_t point, std::size_t batch, unsigned workers) {
    const auto& setting = seen.tuning->settings[point];
    return setting.backend == "vulkan:0" && setting.how.batch_max == batch &&
           setting.how.workers == workers;
}

/// Everything but the size of 64 on the device.
SeenTuning with_a_gap() {
    const SeenTuning all = test::made_up_sweep([](std::size_t) { return true; });
    return test::made_up_sweep(
        [&](std::size_t i) { return !on_device(all, i, 64, 1) && !on_device(all, i, 64, 4); });
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

} // namespace

class TestTuningViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { apply_theme(*qApp, scene::dark_theme()); }

    void lists_are_read() {
        using List = std::vector<std::uint64_t>;
        QCOMPARE(*read_list(QStringLiteral(" 64, all,16 ,64"), QStringLiteral("all")),
                 (List{16, 64, 0}));
        QCOMPARE(list_text({16, 64, 0}, QStringLiteral("all")), QStringLiteral("16, 64, all"));
        for (const char* wrong : {"", "x", "-1", "1.5", "99999999999", "all, b"})
            QVERIFY2(!read_list(QLatin1StringView(wrong), QStringLiteral("all")), wrong);
        QVERIFY(!read_list(QStringLiteral("0"), {}));
        QCOMPARE(axis_value(TuningAxis::batch_max, 65536), QStringLiteral("64 Ki"));
        QCOMPARE(axis_value(TuningAxis::batch_max, 0), QStringLiteral("all"));
        QCOMPARE(axis_value(TuningAxis::workers, 16), QStringLiteral("16"));
        QCOMPARE(axis_value(TuningAxis::window, 16), QStringLiteral("16"));
        QCOMPARE(axis_value(TuningAxis::hybrid, 0), QStringLiteral("device"));
        QCOMPARE(axis_value(TuningAxis::hybrid, 1), QStringLiteral("shared"));
        QCOMPARE(axis_words(TuningAxis::hybrid), QStringLiteral("Placement"));
    }

    void points_as_a_table() {
        TuningModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        const SeenTuning seen = with_a_gap();
        model.setSeen(seen, TuningValue::replay);
        QCOMPARE(model.rowCount(), 17); // serial; CPU and device: 2 × 4
        QCOMPARE(model.measured(), 15);
        QCOMPARE(model.predicted(), 2);
        QCOMPARE(cell(model, 0, TuningModel::Strategy), QStringLiteral("serial"));
        QCOMPARE(cell(model, 0, TuningModel::Median), QStringLiteral("60.2"));
        QCOMPARE(model.headerData(TuningModel::Median, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Measured, ms"));
        const int best = static_cast<int>(seen.tuning->tuning.best);
        QCOMPARE(cell(model, best, TuningModel::State), QStringLiteral("best"));
        QCOMPARE(cell(model, best, TuningModel::BatchMax), QStringLiteral("all"));
        QCOMPARE(cell(model, best, TuningModel::Window), QStringLiteral("1"));
        QCOMPARE(cell(model, best, TuningModel::Placement), QStringLiteral("device"));
        QCOMPARE(cell(model, 0, TuningModel::Window), QString::fromUtf8("—")); // serial
        QCOMPARE(cell(model, 0, TuningModel::Placement), QString::fromUtf8("—"));
        QVERIFY(cell(model, best, TuningModel::Interval).contains(QChar(0x2013)));
        for (int row = 0; row < model.rowCount(); ++row) {
            const auto point = static_cast<std::size_t>(row);
            const bool gap = on_device(seen, point, 64, 1) || on_device(seen, point, 64, 4);
            QCOMPARE(cell(model, row, TuningModel::State) == QLatin1StringView("predicted"), gap);
            if (!gap) continue;
            QCOMPARE(cell(model, row, TuningModel::Median), QString::fromUtf8("—"));
            QCOMPARE(cell(model, row, TuningModel::Samples), QStringLiteral("0"));
            QVERIFY(cell(model, row, TuningModel::Predicted).toDouble() > 0);
        }
        // The same points during a sweep: rows stay, values change.
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setSeen(test::made_up_sweep([](std::size_t) { return true; }), TuningValue::message);
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(model.measured(), 17);
        QCOMPARE(cell(model, 0, TuningModel::Median), QStringLiteral("10.0")); // µs a message
        model.setSeen({}, TuningValue::replay);
        QCOMPARE(model.rowCount(), 0);
    }

    /// Every strategy with samples, on its own: predictions of one do not follow another's times.
    void strategies_apart() {
        runs::TuningSpace space;
        space.backends = {"cpu", "vulkan:0"};
        space.strategies.assign(execute::all_strategies.begin(), execute::all_strategies.end());
        space.workers = {2};
        space.batch_max = {16, 64, 256, 1024};
        runs::ReplayTuning tuned;
        tuned.settings = runs::settings_of(space);
        tuned.tasks = tuned.largest = 6000;
        const auto time = [](const runs::TuningSetting& setting) {
            const double of = 1 + static_cast<double>(setting.how.strategy);
            return 1e6 * of * (setting.backend == "cpu" ? 100 : 1);
        };
        for (const runs::TuningSetting& setting : tuned.settings) {
            profile::TunedPoint point;
            if (setting.how.batch_max != 64 && setting.how.strategy != execute::Strategy::levels)
                point.samples.assign(8, static_cast<Nanoseconds>(time(setting)));
            tuned.tuning.points.push_back(point);
        }
        profile::settle(tuned.tuning);
        using execute::Strategy;
        const std::vector<Strategy> all{Strategy::speculative, Strategy::dag, Strategy::optimistic,
                                        Strategy::predict, Strategy::automatic};
        for (const char* backend : {"", "cpu", "vulkan:0"}) {
            QVERIFY(runs::strategies_of(tuned, backend) == all);
            QVERIFY(runs::fastest_strategy(tuned, backend) == Strategy::speculative);
        }
        QVERIFY(runs::strategies_of(tuned, "vulkan:1").empty());
        QVERIFY(!runs::fastest_strategy(tuned, "vulkan:1"));
        const runs::PredictedTimes predicted = runs::predict_points(tuned);
        for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
            const auto& setting = tuned.settings[i];
            if (setting.how.batch_max != 64 || setting.how.strategy == Strategy::levels) continue;
            QVERIFY(predicted.of[i]);
            QVERIFY2(std::abs(*predicted.of[i] / time(setting) - 1) < 0.05,
                     runs::text_of(setting).c_str());
        }
        for (const Strategy strategy : all) {
            const auto map = runs::heat_map(tuned, "cpu", strategy, TuningAxis::batch_max,
                                            TuningAxis::workers, &predicted);
            QCOMPARE(map.cells.size(), std::size_t{4});
            for (const auto& cell : map.cells)
                QCOMPARE(tuned.settings[cell.point].how.strategy, strategy);
        }
    }

    void the_map_by_keys_and_clicks() {
        const SeenTuning seen = with_a_gap();
        TuningMap map;
        map.resize(640, 240);
        map.setShown(shown_map(seen));
        map.show();
        test::wait_until_exposed(&map);
        QVERIFY(map.text().contains(QStringLiteral("predicted")));
        QVERIFY(map.accessibleDescription().contains(QStringLiteral("the best point")));
        // The better a value the further on the ramp; ends at its ends.
        const auto& ends = map.cells().ends;
        QVERIFY(ends && ends->first > ends->second);
        const runs::HeatMap times = shown_map(seen).map;
        for (std::size_t i = 0; i < times.cells.size(); ++i) {
            const double time = times.cells[i].median;
            const std::size_t stop = scene::heat_stop(*map.cells().map.cells[i].share);
            if (time == ends->second) QCOMPARE(stop, scene::heat_stops - 1);
            if (time == ends->first) QCOMPARE(stop, std::size_t{0});
            if (time > ends->second * 1.2) QVERIFY(stop < scene::heat_stops - 1);
        }

        QSignalSpy chosen(&map, &TuningMap::chosen);
        std::optional<std::size_t> last;
        connect(&map, &TuningMap::chosen, &map, [&](std::size_t point) {
            last = point;
            auto shown = shown_map(seen);
            shown.chosen = point;
            map.setShown(shown);
        });
        map.setFocus();
        QTest::keyClick(&map, Qt::Key_Home);
        QCOMPARE(last, std::optional(seen.tuning->tuning.best));
        QTest::keyClick(&map, Qt::Key_Left);
        QVERIFY(on_device(seen, *last, 256, 4));
        QTest::keyClick(&map, Qt::Key_Left);
        QVERIFY(on_device(seen, *last, 64, 4)); // predicted ones are walked too
        QTest::keyClick(&map, Qt::Key_Up);
        QVERIFY(on_device(seen, *last, 64, 1));
        QTest::keyClick(&map, Qt::Key_Up); // the edge
        QVERIFY(on_device(seen, *last, 64, 1));
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellAt(0, 1).center().toPoint());
        QVERIFY(on_device(seen, *last, 16, 4));
    }

    /// A measured cell is filled with the ramp's colour, a predicted one is hollow.
    void filled_and_hollow() {
        const SeenTuning seen = with_a_gap();
        TuningMap map;
        map.resize(640, 240);
        map.setShown(shown_map(seen));
        const QImage image = map.grab().toImage();
        const double ratio = image.devicePixelRatio();
        const auto ground = [&](int column, int row) {
            const QPointF at = map.cellAt(column, row).topLeft() + QPointF(6, 6);
            return image.pixelColor((at * ratio).toPoint());
        };
        QCOMPARE(ground(0, 0),
                 qcolor(current_theme().ordinal(scene::heat_stop(*map.cells().map.cells[0].share),
                                                scene::heat_stops)));
        QCOMPARE(ground(1, 0), qcolor(current_theme().canvas));
        QCOMPARE(ground(3, 1), qcolor(current_theme().ramp.back())); // the best value
    }

    void the_curve() {
        const SeenTuning seen = with_a_gap();
        runs::TuningCurve curve =
            runs::tuning_curve(*seen.tuning, seen.predicted, seen.tuning->best());
        const TuningScale scale = scale_of(*seen.tuning, TuningValue::replay);
        report::TuningChartOptions options;
        options.device = "Test device";
        options.unit = scale.name().toStdString();
        options.nanoseconds = scale.divisor * scale.unit.ns;
        options.crossing = crossing_words(curve, QStringLiteral("Test device")).toStdString();
        const charts::Chart made = report::tuning_chart(curve, options);
        const QString text = QString::fromStdString(made.summary);
        QVERIFY2(
            text.contains(QStringLiteral("Test device beats the CPU from a batch size of about")),
            qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("in the optimum band")));
        QVERIFY2(text.contains(QStringLiteral("CPU serial: 60.2 ms")), qPrintable(text));
        QCOMPARE(text.count(QStringLiteral("predicted")), 2); // a point, and the crossing beside it
        QCOMPARE(made.table->rows(), curve.points.size());
        // Measured points are filled and carry their interval; what nobody measured is hollow.
        for (const charts::Series& series : made.series)
            if (series.kind == charts::Kind::points && series.name == "Test device")
                for (const charts::Point& point : series.points)
                    QCOMPARE(point.interval.has_value(), !series.predicted);

        ChartView chart(QStringLiteral("curve"), QStringLiteral("Curve"));
        chart.resize(640, 300);
        chart.setChart(made);
        std::optional<std::size_t> last;
        connect(chart.canvas(), &ChartCanvas::chosen, &chart, [&](std::size_t, std::size_t point) {
            last = point;
            options.at = seen.tuning->settings[point].how.batch_max;
            chart.setChart(report::tuning_chart(curve, options));
        });
        chart.show();
        test::wait_until_exposed(&chart);
        WAIT_UNTIL(chart.canvas()->plot().width() > 200);
        chart.canvas()->setFocus();
        QTest::keyClick(chart.canvas(), Qt::Key_Home);
        QTest::keyClick(chart.canvas(), Qt::Key_Return);
        QVERIFY(last && on_device(seen, *last, 16, 4));
        QTest::keyClick(chart.canvas(), Qt::Key_Right);
        QTest::keyClick(chart.canvas(), Qt::Key_Return);
        QVERIFY(on_device(seen, *last, 64, 4));
        const auto& end = curve.points.back();
        charts::Point at;
        at.x = end.batch;
        at.y = end.time / options.nanoseconds;
        QTest::mouseClick(chart.canvas()->viewport(), Qt::LeftButton, {},
                          chart.canvas()->placeOf(at).toPoint());
        QVERIFY(on_device(seen, *last, 0, 4));
        // A sweep of the CPU alone has one line, and nothing is said of what is not there.
        curve.crossing = runs::TuningCurve::Crossing::never;
        QVERIFY(
            crossing_words(curve, QStringLiteral("X")).contains(QStringLiteral("no batch size")));
        curve.crossing = runs::TuningCurve::Crossing::unknown;
        QVERIFY(crossing_words(curve, QStringLiteral("X")).isEmpty());
    }
};

} // namespace blockloom::ui::test_tuning_views

QTEST_MAIN(blockloom::ui::test_tuning_views::TestTuningViews)
#include "test_tuning_views.moc"
