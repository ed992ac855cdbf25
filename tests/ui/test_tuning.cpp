// The Tuning panel by real input: a sweep, cancel, the slider with Measure, Apply and its undo,
// what is kept and offered again.
#include "block_fixture.h"
#include "docks/tuning/tuning_dock.h"
#include "docks/tuning/tuning_map.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/tuning_model.h"
#include "session/backends.h"
#include "session/runs.h"
#include "session/session.h"
#include "session/tunings.h"
#include "store/workspace.h"
#include "window_waits.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace blockloom::ui::test_tuning {

class TestTuning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
        QVERIFY(test::write_messages(data_.filePath(QStringLiteral("blocks")), 32));
        make();
        QVERIFY(dock_->isShowingEmpty());
        runs_->setBackends(list_backends());
        session_->open({data_.filePath(QStringLiteral("blocks"))});
        WAIT_UNTIL(session_->range() && !session_->busy());
        QVERIFY(!dock_->isShowingEmpty());
    }

    void cleanupTestCase() { dock_.reset(); }

    /// What cannot be swept is said, and Start waits.
    void the_axes_are_checked() {
        QVERIFY(words("tuningEmpty").contains(QStringLiteral("No measurements")));
        QVERIFY(find<QPushButton>("tuningStart")->isEnabled());
        type("tuningWorkers", "1, x");
        QVERIFY(!find<QPushButton>("tuningStart")->isEnabled());
        QVERIFY2(words("tuningPoints").contains(QStringLiteral("found \"1, x\"")),
                 qPrintable(words("tuningPoints")));
        type("tuningWorkers", "1, 2");
        type("tuningBatchMin", "64");
        type("tuningBatchMax", "8");
        QVERIFY(find<QPushButton>("tuningStart")->isEnabled()); // serial is a point of its own
        QVERIFY(words("tuningPoints").startsWith(QStringLiteral("1 point")));
        type("tuningBatchMin", "4");
        type("tuningBatchMax", "all, 8, 16");
        QVERIFY2(words("tuningPoints").startsWith(QStringLiteral("7 points")),
                 qPrintable(words("tuningPoints")));
        QVERIFY(!find<QLineEdit>("tuningSlices")->isEnabled()); // no device is chosen
        QVERIFY(!find<QComboBox>("tuningPlacement")->isEnabled());
        QCOMPARE(find<QComboBox>("tuningPlacement")->accessibleName(),
                 QStringLiteral("Sweep: Placement"));
        type("tuningWindows", "1, 4");
        QVERIFY2(words("tuningPoints").startsWith(QStringLiteral("13 points")),
                 qPrintable(words("tuningPoints")));
        type("tuningWindows", "4, 5000");
        QVERIFY(words("tuningPoints").contains(QStringLiteral("at most 4,096")));
        QVERIFY(!find<QPushButton>("tuningStart")->isEnabled());
        type("tuningWindows", "1");
        auto* cpu = find<QCheckBox>("tuningOn:cpu");
        QTest::mouseClick(cpu, Qt::LeftButton, {}, {8, cpu->height() / 2});
        QVERIFY(!find<QPushButton>("tuningStart")->isEnabled());
        QTest::mouseClick(cpu, Qt::LeftButton, {}, {8, cpu->height() / 2});
        QVERIFY(find<QPushButton>("tuningStart")->isEnabled());
    }

    /// Snapshots come during the sweep; Cancel keeps what was measured.
    void cancel_keeps_what_was_measured() {
        auto* start = find<QPushButton>("tuningStart");
        int seen = 0;
        const auto connection = connect(tunings_, &Tunings::changed, this, [&] {
            if (tunings_->seen().tuning && tunings_->doing() == Tunings::Doing::sweeping) ++seen;
        });
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(tunings_->doing(), Tunings::Doing::sweeping);
        QCOMPARE(start->text(), QStringLiteral("Cancel"));
        QVERIFY(!find<QPushButton>("tuningApply")->isEnabled());
        WAIT_UNTIL(dock_->model()->measured() > 0);
        QVERIFY(seen > 0);
        QTest::mouseClick(start, Qt::LeftButton);
        WAIT_UNTIL(tunings_->doing() == Tunings::Doing::nothing);
        disconnect(connection);
        QVERIFY(dock_->model()->measured() > 0);
        QCOMPARE(start->text(), QStringLiteral("Start sweep"));
        QVERIFY(undo().count() == 0);
    }

    void a_whole_sweep() {
        find<QSpinBox>("tuningSeconds")->setFocus();
        find<QSpinBox>("tuningSeconds")->setValue(2);
        QTest::mouseClick(find<QPushButton>("tuningStart"), Qt::LeftButton);
        WAIT_UNTIL(tunings_->doing() == Tunings::Doing::nothing);
        const auto tuned = tunings_->seen().tuning;
        QVERIFY(tuned && !tuned->date.empty());
        QCOMPARE(tuned->settings.size(), std::size_t{7});
        QCOMPARE(tuned->code, code_of(*session_->range()));
        QCOMPARE(tuned->digests.size(), session_->range()->blocks.size());
        for (std::size_t i = 0; i < tuned->digests.size(); ++i)
            QVERIFY(tuned->digests[i] == session_->range()->blocks[i]->replayed->execution->digest);
        QVERIFY(find<QPushButton>("tuningApply")->isEnabled());
        QVERIFY(find<QPushButton>("tuningApply")->text().contains(QStringLiteral("best")));
        QVERIFY(words("tuningCoverage").contains(QStringLiteral("measured")));
        QVERIFY(runs::same_setting(*dock_->chosen(), tuned->best()));
        // The table says the same.
        dock_->table()->sortByColumn(TuningModel::Median, Qt::AscendingOrder);
        QCOMPARE(dock_->table()->model()->rowCount(), 7);
        dock_->table()->sortByColumn(-1, Qt::AscendingOrder);
    }

    /// Other blocks are another sweep: nothing is mixed. The slider's effect is reported at once
    /// where it can be, and measured by a click.
    void the_slider() {
        auto* scope = find<QComboBox>("tuningScope");
        scope->setFocus();
        QTest::keyClick(scope, Qt::Key_Down);
        QCOMPARE(tunings_->scope(), Tunings::Scope::blocks);
        // Rows that are no neighbours: what lies between is replayed too, and that is said.
        session_->setCurrentRow(0);
        tunings_->setRows(0, 1, 2);
        QVERIFY(tunings_->scopeNote().isEmpty());
        tunings_->setRows(0, 1, 1);
        QVERIFY2(words("tuningPoints").contains(QStringLiteral("between")),
                 qPrintable(words("tuningPoints")));
        tunings_->setRows(-1, -1, 0);
        QVERIFY(!words("tuningPoints").contains(QStringLiteral("between")));
        session_->setCurrentRow(1); // the second block stands on what the first one left
        QVERIFY(!tunings_->seen().tuning);
        QVERIFY(words("tuningEmpty").contains(tunings_->scopeWords()));
        auto* slider = find<QSlider>("tuningSlider");
        auto* measure = find<QPushButton>("tuningMeasure");
        slider->setFocus();
        for (int i = 0; i < 3; ++i) {
            if (i == 0) QTest::keyClick(slider, Qt::Key_Home);
            if (i > 0) QTest::keyClick(slider, Qt::Key_PageUp);
            WAIT_UNTIL(measure->isEnabled());
            QTest::mouseClick(measure, Qt::LeftButton);
            QCOMPARE(tunings_->doing(), Tunings::Doing::measuring);
            WAIT_UNTIL(tunings_->doing() == Tunings::Doing::nothing);
            const auto tuned = tunings_->seen().tuning;
            QVERIFY(tuned);
            QCOMPARE(tuned->settings.size(), static_cast<std::size_t>(i + 1));
            QCOMPARE(tuned->tuning.points.back().samples.size(), std::size_t{6});
            QVERIFY(words("tuningMeasured").endsWith(QLatin1Char('s'))); // "ms", "µs"
            QCOMPARE(tuned->digests.size(), std::size_t{1});
            QVERIFY(tuned->digests[0] == session_->range()->blocks[1]->replayed->execution->digest);
        }
        // Between two measured sizes: predicted, not measured, and not to be applied.
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Left);
        QVERIFY(words("tuningPredicted") != QString::fromUtf8("—"));
        QCOMPARE(words("tuningMeasured"), QString::fromUtf8("—"));
        QVERIFY(!find<QPushButton>("tuningApply")->isEnabled());
        QCOMPARE(dock_->chosen()->how.batch_max, std::size_t{8});
        tunings_->setScope(Tunings::Scope::range);
        QCOMPARE(tunings_->seen().tuning->settings.size(), std::size_t{7});
    }

    /// One click sets the next run and keeps the setting; undo takes both back, redo brings both.
    void apply_and_undo() {
        tunings_->setScope(Tunings::Scope::range);
        const auto tuned = tunings_->seen().tuning;
        std::size_t point = 0;
        while (tuned->settings[point].how.strategy == execute::Strategy::serial ||
               tuned->tuning.points[point].samples.empty())
            ++point;
        const runs::TuningSetting wanted = tuned->settings[point];
        Q_EMIT dock_->map()->chosen(point);
        const auto strategy = runs_->strategy();
        const RunLimits limits = runs_->limits();
        auto* apply = find<QPushButton>("tuningApply");
        QVERIFY(apply->isEnabled());
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(runs_->strategy(), QStringLiteral("speculative"));
        QCOMPARE(runs_->backend(), QStringLiteral("cpu"));
        QCOMPARE(runs_->limits().batch_max, wanted.how.batch_max);
        QCOMPARE(runs_->workers(), wanted.how.workers);
        QVERIFY2(undo().undoText().contains(QStringLiteral("apply and keep")),
                 qPrintable(undo().undoText()));
        WAIT_UNTIL(tunings_->kept().has_value());
        QVERIFY(runs::same_setting(*tunings_->kept(), wanted));
        WAIT_UNTIL(tunings_->usesKept());
        QVERIFY(!find<QPushButton>("tuningUse")->isVisibleTo(dock_.get()));
        QVERIFY(words("tuningKept").contains(QStringLiteral("In use")));

        undo().undo();
        QCOMPARE(runs_->strategy(), strategy);
        QVERIFY(runs_->limits() == limits);
        WAIT_UNTIL(!tunings_->kept());
        undo().redo();
        WAIT_UNTIL(tunings_->kept().has_value());
        WAIT_UNTIL(!runs_->reading() && !tunings_->reading());
    }

    /// Opened again, by somebody who set something else: the kept setting is offered.
    void kept_and_offered_again() {
        const runs::TuningSetting kept = *tunings_->kept();
        dock_.reset();
        make();
        runs_->setBackends(list_backends());
        // Narrow, it begins with the settings, as long as there is nothing else to show.
        const QSize roomy = dock_->size();
        dock_->resize(560, 700);
        const auto* segments = find<QWidget>("tuningViews");
        const auto shown = [&](const char* what) {
            const auto buttons = segments->findChildren<QToolButton*>();
            return std::any_of(buttons.begin(), buttons.end(), [&](const QToolButton* button) {
                return button->isChecked() && button->text() == QLatin1StringView(what);
            });
        };
        WAIT_UNTIL(shown("Settings"));
        session_->open({data_.filePath(QStringLiteral("blocks"))});
        WAIT_UNTIL(session_->range() && !session_->busy());
        WAIT_UNTIL(tunings_->kept().has_value());
        QVERIFY(runs::same_setting(*tunings_->kept(), kept));
        // The last sweep of the range is there, too.
        WAIT_UNTIL(tunings_->seen().tuning != nullptr);
        QVERIFY(tunings_->seen().tuning->settings.size() >= 7);
        QVERIFY(!tunings_->seen().tuning->date.empty());
        WAIT_UNTIL(shown("Map"));
        dock_->resize(roomy);
        auto* use = find<QPushButton>("tuningUse");
        QVERIFY(use->isVisibleTo(dock_.get()));
        QVERIFY(words("tuningKept").startsWith(QStringLiteral("Settings kept for ")));
        QTest::mouseClick(use, Qt::LeftButton);
        QVERIFY(tunings_->usesKept());
        QCOMPARE(runs_->limits().batch_max, kept.how.batch_max);
        QVERIFY(undo().undoText().contains(QStringLiteral("use tuned")));
        undo().undo();
        QVERIFY(!tunings_->usesKept());
        // The run goes by it.
        undo().redo();
        runs_->start();
        WAIT_UNTIL(runs_->kept().size() == std::size_t{1});
        QCOMPARE(runs_->kept().front().strategy, std::string("speculative"));
        WAIT_UNTIL(!session_->busy());
    }

    /// Strategies are chosen for a sweep; map and curve show the best one's, or the one picked.
    void every_measured_strategy() {
        // Where nothing was measured, what the next run would use is proposed.
        tunings_->setScope(Tunings::Scope::blocks);
        session_->setCurrentRow(0);
        QVERIFY(!tunings_->seen().tuning);
        for (const char* name : {"dag", "auto", "optimistic"}) {
            runs_->setStrategy(QLatin1StringView(name));
            QCOMPARE(QLatin1StringView(name_of(dock_->chosen()->how.strategy)),
                     QLatin1StringView(name));
        }
        runs_->setStrategy(QStringLiteral("serial")); // has no batches
        QCOMPARE(dock_->chosen()->how.strategy, execute::Strategy::automatic);
        tunings_->setScope(Tunings::Scope::range);
        const auto tick = [this](const char* name) {
            auto* box = find<QCheckBox>(name);
            QVERIFY(box != nullptr && box->isEnabled());
            box->click();
        };
        tick("tuningBy:serial");
        tick("tuningBy:speculative");
        QVERIFY(!find<QPushButton>("tuningStart")->isEnabled());
        QVERIFY2(words("tuningPoints").startsWith(QStringLiteral("Strategies: ")),
                 qPrintable(words("tuningPoints")));
        for (const char* name : {"tuningBy:speculative", "tuningBy:dag", "tuningBy:auto"})
            tick(name);
        type("tuningWorkers", "2");
        type("tuningBatchMin", "4");
        type("tuningBatchMax", "all, 16");
        QVERIFY2(words("tuningPoints").startsWith(QStringLiteral("6 points")),
                 qPrintable(words("tuningPoints")));
        find<QSpinBox>("tuningSeconds")->setValue(1);
        QTest::mouseClick(find<QPushButton>("tuningStart"), Qt::LeftButton);
        WAIT_UNTIL(tunings_->doing() == Tunings::Doing::nothing);
        const auto tuned = tunings_->seen().tuning;
        QVERIFY(tuned);
        QCOMPARE(tuned->settings.size(), std::size_t{6});
        auto* shown = find<QComboBox>("tuningStrategy");
        QStringList names;
        for (int i = 0; i < shown->count(); ++i) names.append(shown->itemText(i));
        QCOMPARE(names, (QStringList{QStringLiteral("speculative"), QStringLiteral("dag"),
                                     QStringLiteral("auto")}));
        QCOMPARE(shown->currentText(), QLatin1StringView(name_of(tuned->best().how.strategy)));
        // Each cell of the map is a point of the strategy that is picked, and so is the curve.
        shown->setFocus();
        QTest::keyClick(shown, Qt::Key_Home);
        for (int i = 0; i < shown->count(); ++i) {
            if (i > 0) QTest::keyClick(shown, Qt::Key_Down);
            QCOMPARE(shown->currentIndex(), i);
            const auto key = static_cast<execute::Strategy>(shown->currentData().toInt());
            const auto& map = dock_->map()->shown();
            QVERIFY(map && map->map.cells.size() >= 2);
            for (const auto& cell : map->map.cells)
                if (cell.median != 0) QCOMPARE(tuned->settings[cell.point].how.strategy, key);
            QVERIFY(QString::fromStdString(dock_->chart()->chart().x.title)
                        .contains(shown->currentText()));
        }
        // A chosen point brings its strategy.
        std::size_t point = 0;
        while (tuned->settings[point].how.strategy != execute::Strategy::dag) ++point;
        Q_EMIT dock_->map()->chosen(point);
        QCOMPARE(shown->currentText(), QStringLiteral("dag"));
        for (const char* name : {"tuningBy:serial", "tuningBy:dag", "tuningBy:auto"}) tick(name);
    }

    /// A device beside the CPU, where there is one: points on both, equal states, one curve each.
    void a_device() {
        QString device;
        for (const Backend& backend : runs_->backends())
            if (backend.key.startsWith(QLatin1StringView("vulkan")) && backend.usable())
                device = backend.key;
        if (device.isEmpty()) QSKIP("no Vulkan device that can run contracts");
        auto* box = find<QCheckBox>(("tuningOn:" + device.toStdString()).c_str());
        QVERIFY(box != nullptr);
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        type("tuningWorkers", "2");
        type("tuningBatchMin", "4");
        type("tuningBatchMax", "all, 16");
        QVERIFY(find<QLineEdit>("tuningSlices")->isEnabled());
        type("tuningSlices", "auto, 10000");
        QVERIFY2(words("tuningPoints").startsWith(QStringLiteral("7 points")),
                 qPrintable(words("tuningPoints")));
        // The workers may share the device's rounds, or not: by keys.
        auto* placement = find<QComboBox>("tuningPlacement");
        QVERIFY(placement->isEnabled());
        placement->setFocus();
        QTest::keyClick(placement, Qt::Key_End);
        QVERIFY2(words("tuningPoints").startsWith(QStringLiteral("11 points")),
                 qPrintable(words("tuningPoints")));
        QCOMPARE(tunings_->space().hybrid, (std::vector<std::uint32_t>{0, 1}));
        QTest::keyClick(placement, Qt::Key_Home);
        find<QSpinBox>("tuningSeconds")->setValue(1);
        QTest::mouseClick(find<QPushButton>("tuningStart"), Qt::LeftButton);
        WAIT_UNTIL(tunings_->doing() == Tunings::Doing::nothing);
        const auto tuned = tunings_->seen().tuning;
        QVERIFY(tuned);
        QVERIFY(!tuned->device.empty());
        for (std::size_t i = 0; i < tuned->settings.size(); ++i)
            QVERIFY2(!tuned->tuning.points[i].samples.empty(), text_of(tuned->settings[i]).c_str());
        QCOMPARE(find<QComboBox>("tuningDevice")->count(), 2);
        // Devices as rows, by keys.
        auto* rows = find<QComboBox>("tuningRows");
        rows->setFocus();
        QTest::keyClick(rows, Qt::Key_End);
        QVERIFY2(dock_->map()->text().contains(tunings_->nameOf(device.toStdString())),
                 qPrintable(dock_->map()->text()));
    }

    void exports() {
        const QString json = data_.filePath(QStringLiteral("sweep.json"));
        QVERIFY(dock_->exportTo(json));
        QFile file(json);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject document = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(document[QStringLiteral("schema")].toString(),
                 QStringLiteral("blockloom.tuning/1"));
        const QString tsv = data_.filePath(QStringLiteral("sweep.tsv"));
        QVERIFY(dock_->exportTo(tsv));
        QFile table(tsv);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll().count('\n'), dock_->model()->rowCount() + 1);
        QVERIFY(dock_->exportTo(data_.filePath(QStringLiteral("sweep.png"))));
        const QString svg = data_.filePath(QStringLiteral("sweep.svg"));
        QVERIFY(dock_->exportTo(svg));
        QFile drawing(svg);
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray drawn = drawing.readAll();
        QVERIFY(drawn.count("<text") > 10 && !drawn.contains("<image")); // text stays text
        QVERIFY(QSvgRenderer(drawn).isValid());
        QVERIFY(!dock_->exportTo(data_.filePath(QStringLiteral("no/such/folder/a.json"))));
    }

private:
    void make() {
        session_ = new Session;
        runs_ = new Runs(session_, session_);
        tunings_ = new Tunings(session_, runs_, session_);
        dock_ = std::make_unique<TuningDock>(session_, runs_, tunings_);
        session_->setParent(dock_.get());
        dock_->resize(1200, 800);
        dock_->show();
        test::wait_until_exposed(dock_.get());
    }
    template <typename Widget> [[nodiscard]] Widget* find(const char* name) const {
        return dock_->findChild<Widget*>(QLatin1StringView(name));
    }
    [[nodiscard]] QString words(const char* name) const { return find<QLabel>(name)->text(); }
    [[nodiscard]] QUndoStack& undo() const { return session_->undoStack(); }
    void type(const char* name, const char* text) const {
        auto* edit = find<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1StringView(text));
        QCOMPARE(edit->text(), QLatin1StringView(text));
    }

    QTemporaryDir data_;
    Session* session_ = nullptr;
    Runs* runs_ = nullptr;
    Tunings* tunings_ = nullptr;
    std::unique_ptr<TuningDock> dock_;
};

} // namespace blockloom::ui::test_tuning

QTEST_MAIN(blockloom::ui::test_tuning::TestTuning)
#include "test_tuning.moc"
