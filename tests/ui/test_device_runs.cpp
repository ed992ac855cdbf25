// Runs on a device from the window: chosen by keys, reported in the log, placed in the Inspector,
// equal to the serial run. Lavapipe will do.
#include "compute/faults/faulty_provider.h"
#include "compute/selection.h"
#include "docks/breakdown/breakdown_dock.h"
#include "docks/inspector/inspector_dock.h"
#include "docks/log_dock.h"
#include "docks/parts/status_badge.h"
#include "execute/device/host_reasons.h"
#include "headers/waiting.h"
#include "models/breakdown_model.h"
#include "models/log_model.h"
#include "runs/placement.h"
#include "session/backends.h"
#include "session/runs.h"
#include "text/numbers.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTextBrowser>

namespace blockloom::ui::test_device_runs {

class TestDeviceRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
        QVERIFY(
            test::write_messages(fixture_.blocks(), 64)); // levels of four are enough for a device
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        for (const Backend& backend : runs().backends())
            if (backend.key.startsWith(QLatin1StringView("vulkan:")) && backend.usable())
                device_ = backend.key;
        if (device_.isEmpty()) QSKIP("no Vulkan device that can run contracts");
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void a_device_is_a_choice_with_its_limits() {
        QComboBox* box = find("backend");
        const int at = box->findData(device_);
        QVERIFY(at >= 0);
        QVERIFY(qobject_cast<QStandardItemModel*>(box->model())->item(at)->isEnabled());
        const QString tip = box->itemData(at, Qt::ToolTipRole).toString();
        for (const char* word : {"memory", "buffers up to", "subgroups", "queue"})
            QVERIFY2(tip.contains(QLatin1StringView(word)), qPrintable(tip));
        QVERIFY(box->itemText(0).contains(QStringLiteral("Auto")));
    }

    void block_order_is_the_processors() {
        QCOMPARE(runs().strategy(), QStringLiteral("auto")); // the default
        runs().setStrategy(QStringLiteral("serial"));
        pick(find("backend"), device_);
        QCOMPARE(runs().backend(), device_);
        QCOMPARE(runs().strategy(), QStringLiteral("auto"));
        QComboBox* box = find("runStrategy");
        QVERIFY(!qobject_cast<QStandardItemModel*>(box->model())
                     ->item(box->findText(QStringLiteral("serial")))
                     ->isEnabled());
        runs().setStrategy(QStringLiteral("serial"));
        QCOMPARE(runs().strategy(), QStringLiteral("auto"));
    }

    /// Shared with the workers, as on the command line, unless the device alone is chosen.
    void rounds_are_shared_by_default() {
        QComboBox* box = find("placement");
        QVERIFY(runs().limits().hybrid);
        QCOMPARE(box->currentText(), QStringLiteral("shared"));
        QVERIFY(box->isEnabled());
        const RunLimits before = runs().limits();
        pick(box, QStringLiteral("device"));
        QVERIFY(!runs().limits().hybrid);
        QCOMPARE(runs().limits().batch_max, before.batch_max);
        // On the CPU there is nothing to share.
        pick(find("backend"), QStringLiteral("cpu"));
        QVERIFY(!box->isEnabled());
        QVERIFY(box->toolTip().contains(QStringLiteral("CPU only")));
        pick(find("backend"), device_);
        QVERIFY(box->isEnabled());
        QCOMPARE(box->currentText(), QStringLiteral("device")); // for the runs below
    }

    void speculative_on_the_device() {
        pick(find("runStrategy"), QStringLiteral("speculative"));
        const runs::KeptRun* run = make_run();
        QVERIFY(run != nullptr);
        QCOMPARE(run->backend, std::string("vulkan"));
        QCOMPARE(run->strategy, std::string("speculative"));
        QVERIFY(run->on_device > 0);
        std::uint64_t reported = 0;
        for (const runs::KeptBlock& block : run->blocks) {
            QVERIFY(block.on_host.has_value());
            for (std::uint64_t task = 0; task < block.tasks; ++task)
                reported += runs::placement_of(*run, block.hash, task)->on_device;
            QVERIFY(!runs::placement_of(*run, block.hash, block.tasks));
        }
        QCOMPARE(reported, run->on_device);
        QVERIFY(logged(QStringLiteral("on the device")));
        QVERIFY(logged(QStringLiteral("Runs on ")));
        // A device of no price was used: the breakdown says what it carried.
        QVERIFY(run->phases[execute::Phase::execute] > 0);
    }

    void levels_on_the_device() {
        pick(find("runStrategy"), QStringLiteral("levels"));
        const runs::KeptRun* run = make_run();
        QVERIFY(run != nullptr);
        QCOMPARE(run->strategy, std::string("levels"));
        QVERIFY(run->on_device > 0);
        QCOMPARE(breakdown().badge()->text(), QStringLiteral("Equal digests"));
    }

    void speculative_on_workers() {
        pick(find("backend"), QStringLiteral("cpu"));
        pick(find("runStrategy"), QStringLiteral("speculative"));
        const runs::KeptRun* run = make_run();
        QVERIFY(run != nullptr);
        QCOMPARE(run->backend, std::string("cpu"));
        QVERIFY(run->workers > 1);
        QCOMPARE(breakdown().badge()->text(), QStringLiteral("Equal digests"));
    }

    /// The same blocks in block order: the device's answers were right.
    void equal_to_serial() {
        pick(find("runStrategy"), QStringLiteral("serial"));
        const runs::KeptRun* run = make_run();
        QVERIFY(run != nullptr);
        QCOMPARE(run->strategy, std::string("serial"));
        for (const runs::KeptRun& other : runs().kept())
            QCOMPARE(runs::compare_results(*run, other).digests, runs::Equality::equal);
    }

    /// Each message says where the two runs executed it.
    void where_a_message_ran() {
        const runs::KeptRun* device = nullptr;
        for (const runs::KeptRun& run : runs().kept())
            if (run.strategy == "speculative" && run.backend == "vulkan") device = &run;
        QVERIFY(device != nullptr);
        runs().choose(Runs::Side::a, QString::fromStdString(device->id));
        session().setCurrentRow(1);
        const auto block = session().currentBlock();
        const auto& kept = device->blocks[1];
        std::optional<quint32> there;
        for (quint32 task = 0; task < kept.tasks && !there; ++task)
            if (runs::placement_of(*device, kept.hash, task)->on_device) there = task;
        QVERIFY(there.has_value());
        fixture_.window->docks().inspector->raise();
        session().selectTask(there);
        WAIT_UNTIL(page().contains(QStringLiteral("Where it ran")));
        QVERIFY2(page().contains(QStringLiteral("device: ")), qPrintable(page()));
        QVERIFY(page().contains(QStringLiteral("Code on the device")));
        QVERIFY(page().contains(QStringLiteral("in the interpreter's kernel")));
        QVERIFY(page().contains(QStringLiteral("host: CPU native, serial"))); // B
        // In which wave and when: from the runs' spans, which are read meanwhile.
        const auto wave = runs::placement_of(*device, kept.hash, *there)->wave;
        QVERIFY(wave.has_value());
        QVERIFY2(page().contains(QStringLiteral(", wave %1,").arg(count_text(quint64{*wave} + 1))),
                 qPrintable(page()));
        WAIT_UNTIL(page().contains(QStringLiteral("A, when")));
        QVERIFY2(page().contains(QString::fromStdString(device->device + ": run")),
                 qPrintable(page()));
        QVERIFY2(page().contains(QStringLiteral("worker 0, ")), qPrintable(page()));
    }

    /// A device that is lost on the way: reported in the log, the answer is the same, and every
    /// message says why the host ran it.
    void a_lost_device() {
        pick(find("backend"), device_);
        pick(find("runStrategy"), QStringLiteral("speculative"));
        runs().openDevicesBy([](const compute::Settings& settings) {
            auto opened = compute::open_provider(settings);
            if (opened)
                opened->provider = compute::with_faults(opened->provider, {.lost_submission = 3});
            return opened;
        });
        const runs::KeptRun* run = make_run();
        runs().openDevicesBy(compute::open_provider);
        QVERIFY(run != nullptr);
        QVERIFY(run->on_host > 0);
        QCOMPARE(breakdown().badge()->text(), QStringLiteral("Equal digests"));
        QVERIFY(logged(QStringLiteral("lost")));
        const auto& last = run->blocks.back();
        const auto at = runs::placement_of(*run, last.hash, 0);
        QVERIFY(at && !at->on_device);
        session().selectTask(std::nullopt);
        session().selectTask(0);
        WAIT_UNTIL(page().contains(QStringLiteral("host, not ")));
        QVERIFY(page().contains(QString::fromStdString(execute::host_reason_text(at->reason))));
    }

    /// A device that is not there any more: an error, and nothing else stands in.
    void a_device_that_went() {
        const auto kept = runs().kept().size();
        qputenv("BLOCKLOOM_DISABLE_GPU", "1");
        QTest::mouseClick(find_button("run"), Qt::LeftButton);
        WAIT_UNTIL(logged(QStringLiteral("disabled")));
        qunsetenv("BLOCKLOOM_DISABLE_GPU");
        WAIT_UNTIL(!session().busy());
        QCOMPARE(runs().kept().size(), kept);
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] BreakdownDock& breakdown() const {
        return static_cast<BreakdownDock&>(*fixture_.window->docks().breakdown);
    }
    [[nodiscard]] QString page() const {
        return static_cast<InspectorDock*>(fixture_.window->docks().inspector)
            ->page()
            ->toPlainText();
    }
    [[nodiscard]] QComboBox* find(const char* name) const {
        return fixture_.window->findChild<QComboBox*>(QLatin1StringView(name));
    }
    [[nodiscard]] QPushButton* find_button(const char* name) const {
        return fixture_.window->findChild<QPushButton*>(QLatin1StringView(name));
    }
    [[nodiscard]] bool logged(const QString& words) const {
        const auto* log = static_cast<LogDock*>(fixture_.window->docks().log);
        const QAbstractItemModel* model = log->model();
        for (int row = 0; row < model->rowCount(); ++row)
            for (int column = 0; column < model->columnCount(); ++column)
                if (model->index(row, column).data().toString().contains(words)) return true;
        return false;
    }

    /// Walks a box by keys to the entry with this data or text.
    static void pick(QComboBox* box, const QString& wanted) {
        const auto there = [box, &wanted] {
            return box->currentText() == wanted || box->currentData().toString() == wanted;
        };
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->count() && !there(); ++i) QTest::keyClick(box, Qt::Key_Down);
        QVERIFY2(there(), qPrintable(wanted));
    }

    /// Presses Run and waits until the run is listed; null: it was not.
    const runs::KeptRun* make_run() {
        const auto before = runs().kept().size();
        WAIT_UNTIL(find_button("run")->isEnabled());
        QTest::mouseClick(find_button("run"), Qt::LeftButton);
        WAIT_UNTIL(runs().kept().size() > before && !session().busy());
        const runs::KeptRun* b = runs().chosen(Runs::Side::b);
        return b == nullptr ? runs().chosen(Runs::Side::a) : b;
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
    QString device_;
};

} // namespace blockloom::ui::test_device_runs

QTEST_MAIN(blockloom::ui::test_device_runs::TestDeviceRuns)
#include "test_device_runs.moc"
