// Why a task waited, in the timeline of a run: arrows to its span, the same in words, and counts of
// the histogram by their logarithm.
#include "docks/timeline/span_histogram.h"
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_dock.h"
#include "docks/timeline/timeline_side.h"
#include "headers/waiting.h"
#include "session/runs.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace blockloom::ui::test_timeline_wait {

class TestTimelineWait : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        QVERIFY(test::write_messages(fixture_.blocks(), 60));
        open_window();
        session().setWorkers(2);
        runs().setStrategy(QStringLiteral("speculative"));
        WAIT_UNTIL(fixture_.window->commands()->run->isEnabled());
        QTest::keyClick(fixture_.window.get(), Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
        WAIT_UNTIL(!dock().isLive() && dock().settled() && canvas().timeline() != nullptr);
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    /// On two workers nearly all of 60 tasks wait: for one another, or for what their worker runs.
    void arrows_and_words() {
        QVERIFY(canvas().marks().waited.empty());
        auto* words = dock().findChild<QLabel*>(QStringLiteral("timelineWait"));
        QVERIFY(!words->isVisibleTo(dock().side()));
        const auto tasks = session().currentBlock()->analysis.index->tasks();
        std::uint32_t found = 0;
        for (std::uint32_t task = 0; task < tasks && found == 0; ++task) {
            session().selectTask(task);
            WAIT_UNTIL(dock().settled());
            if (!canvas().marks().waited.empty()) found = task;
        }
        QVERIFY(found != 0);
        for (const report::TimelineArrow& arrow : canvas().marks().waited) {
            const auto& picked = canvas().marks().picked;
            QVERIFY(std::any_of(picked.begin(), picked.end(), [&](profile::SpanRef at) {
                return at.row == arrow.to_row && canvas().timeline()->span(at).begin == arrow.to;
            }));
            QVERIFY(arrow.from <= arrow.to);
            QCOMPARE(canvas().timeline()->row(arrow.from_row).kind, profile::LaneKind::worker);
        }
        QVERIFY(words->isVisibleTo(dock().side()));
        QVERIFY2(words->text().startsWith(QStringLiteral("Task #%1: It waited ").arg(found)),
                 qPrintable(words->text()));
        QVERIFY(canvas().accessibleDescription().contains(words->text()));
        const report::TimelineArrow arrow = canvas().marks().waited.front();
        canvas().show({arrow.from - 1000, arrow.to + 1000});
        // Drawn, and not while the task is not selected.
        const auto lines = [this] {
            std::size_t count = 0;
            for (const auto& layer : canvas().list().layers) count += layer.lines.size();
            return count;
        };
        const std::size_t with = lines();
        session().selectTask(std::nullopt);
        QVERIFY(canvas().marks().waited.empty());
        QVERIFY(!words->isVisibleTo(dock().side()));
        QVERIFY(lines() < with);
        QVERIFY(!canvas().accessibleDescription().contains(QStringLiteral("It waited")));
    }

    void heights_by_the_logarithm() {
        SpanHistogram histogram;
        histogram.resize(400, 200);
        profile::Histogram lengths;
        for (int i = 0; i < 1000; ++i) lengths.add(1'000);
        lengths.add(1'000'000);
        histogram.setLengths(0, QStringLiteral("message"), lengths);
        const std::size_t last = histogram.bins().size() - 1;
        QVERIFY(histogram.bins()[last].count == 1);
        histogram.show();
        test::wait_until_exposed(&histogram);
        const auto high = [&](std::size_t bin) { return histogram.barOf(bin).height(); };
        WAIT_UNTIL(high(0) > 40);
        QVERIFY(high(last) < high(0) / 50);
        histogram.canvas()->setFocus();
        QTest::keyClick(histogram.canvas(), Qt::Key_L);
        QVERIFY(histogram.logCounts());
        QVERIFY(high(last) > high(0) / 15); // log 2 of log 2000
        QVERIFY(
            histogram.canvas()->accessibleDescription().contains(QStringLiteral("logarithmic")));
        QTest::keyClick(histogram.canvas(), Qt::Key_L);
        QVERIFY(!histogram.logCounts());
    }

    /// By button, and there again in the next window.
    void counts_are_remembered() {
        SpanHistogram* histogram = dock().side()->histogram();
        QVERIFY(!histogram->logCounts());
        show_histogram();
        QTest::mouseClick(counts(QStringLiteral("Log")), Qt::LeftButton);
        QVERIFY(histogram->logCounts());
        QTest::keyClick(histogram->canvas(), Qt::Key_L);
        QVERIFY(counts(QStringLiteral("Linear"))->isChecked());
        QTest::keyClick(counts(QStringLiteral("Log")), Qt::Key_Space);
        QVERIFY(histogram->logCounts());
        open_window();
        QVERIFY(dock().logCounts());
        QVERIFY(counts(QStringLiteral("Log"))->isChecked());
    }

private:
    void open_window() {
        fixture_.make({1700, 1000});
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        QTest::keyClick(fixture_.window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        dock().raise();
        WAIT_UNTIL(!dock().visibleRegion().isEmpty());
    }
    /// A low dock shows one part at a time.
    void show_histogram() const {
        if (!dock().side()->histogram()->isVisible())
            for (auto* each : dock().side()->findChildren<QToolButton*>())
                if (each->text() == QStringLiteral("Histogram"))
                    QTest::mouseClick(each, Qt::LeftButton);
        WAIT_UNTIL(dock().side()->histogram()->isVisible());
    }
    [[nodiscard]] QToolButton* counts(const QString& name) const {
        auto* row = dock().findChild<QWidget*>(QStringLiteral("histogramCounts"));
        for (auto* each : row->findChildren<QToolButton*>())
            if (each->text() == name) return each;
        return nullptr;
    }
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] TimelineDock& dock() const {
        return static_cast<TimelineDock&>(*fixture_.window->docks().timeline);
    }
    [[nodiscard]] TimelineCanvas& canvas() const { return *dock().canvas(); }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_timeline_wait

QTEST_MAIN(blockloom::ui::test_timeline_wait::TestTimelineWait)
#include "test_timeline_wait.moc"
