// The timeline during a run: it grows in front of the user, stops scrolling for a closer look,
// follows again, and becomes the kept run's.
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_dock.h"
#include "docks/timeline/timeline_side.h"
#include "execute/live_run.h"
#include "execute/recording.h"
#include "headers/waiting.h"
#include "session/live_spans.h"
#include "session/runs.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QToolButton>

namespace blockloom::ui::test_timeline_live {

class TestTimelineLive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        QVERIFY(test::write_messages(fixture_.blocks(), 60));
        fixture_.make({1700, 1000});
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        QTest::keyClick(fixture_.window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        dock().raise();
        WAIT_UNTIL(!dock().visibleRegion().isEmpty());
        QVERIFY(dock().isShowingEmpty());
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    /// Spans come, the view grows; zoomed it stands still and can be read as a kept run; End
    /// follows again.
    void grows_is_held_and_follows() {
        begin();
        message(0, 1);
        WAIT_UNTIL(dock().isLive());
        QVERIFY(dock().isFollowing());
        QVERIFY(!dock().isShowingEmpty());
        QVERIFY(follow()->isVisible() && follow()->isChecked());
        const auto first = canvas().timeline();
        message(0, 2);
        message(1, 3);
        WAIT_UNTIL(canvas().timeline()->span_count() >= first->span_count() + 2);
        QVERIFY(canvas().timeline()->duration() > first->duration());
        QCOMPARE(canvas().shown().end, canvas().timeline()->duration()); // the end is in view
        WAIT_UNTIL(dock().side()->factsText().startsWith(QStringLiteral("Newest")));
        WAIT_UNTIL(dock().side()->statistics()->spans > 0);

        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_W);
        QVERIFY(!dock().isFollowing() && !follow()->isChecked());
        WAIT_UNTIL(!spans().isLooking()); // nothing is read while nobody watches it grow
        const auto held = canvas().timeline();
        const auto shown = canvas().shown();
        message(0, 4);
        WAIT_UNTIL(dock().settled());
        QCOMPARE(canvas().timeline(), held);
        QCOMPARE(canvas().shown(), shown);
        QCOMPARE(dock().side()->statistics()->spans, held->span_count());
        QTest::keyClick(&canvas(), Qt::Key_Home); // somewhere in it there are spans
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QVERIFY(canvas().marks().focused.has_value());
        QVERIFY(!canvas().accessibleDescription().isEmpty());

        QTest::keyClick(&canvas(), Qt::Key_End);
        QVERIFY(dock().isFollowing());
        WAIT_UNTIL(canvas().timeline()->span_count() > held->span_count());
        QTest::mouseClick(follow(), Qt::LeftButton);
        QVERIFY(!dock().isFollowing());
        QTest::mouseClick(follow(), Qt::LeftButton);
        QVERIFY(dock().isFollowing());
        end();
        WAIT_UNTIL(dock().isShowingEmpty()); // nothing was kept
        QVERIFY(!follow()->isVisible());
    }

    /// A drag and the strip above hold it as well.
    void held_by_the_pointer() {
        begin();
        message(0, 1);
        WAIT_UNTIL(dock().isLive() && dock().isFollowing());
        const QPoint from(canvas().width() / 2, 60), to(canvas().width() / 2 + 120, 60);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, canvas().mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(&canvas(), &move);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
        QVERIFY(canvas().marks().selected.has_value());
        QVERIFY(!dock().isFollowing());
        WAIT_UNTIL(dock().settled());
        QVERIFY(dock().side()->factsText().startsWith(QStringLiteral("Selected range")));
        QTest::keyClick(&canvas(), Qt::Key_End);
        WAIT_UNTIL(dock().isFollowing() && !canvas().marks().selected);
        end();
        WAIT_UNTIL(dock().isShowingEmpty());
    }

    /// A flood of spans: what is read is bounded, and the window answers meanwhile.
    void a_flood() {
        begin();
        constexpr std::uint32_t flood = 200'000;
        std::atomic<std::uint32_t> reported{0};
        std::atomic<unsigned> answered{0};
        std::jthread run([&] {
            while (reported < flood || answered < 200) {
                message(0, reported % 100);
                if (reported < 2 * flood) ++reported; // the lane is bounded, the thread continues
            }
        });
        WAIT_UNTIL(dock().isLive());
        while (reported < flood || answered < 200) {
            QMetaObject::invokeMethod(
                this, [&] { ++answered; }, Qt::QueuedConnection);
            QCoreApplication::processEvents();
        }
        run.join();
        QVERIFY(canvas().timeline()->span_count() < 50'000);
        QVERIFY(canvas().shown().length() <= 5'000'000'000);
        end();
        WAIT_UNTIL(!dock().isLive());
    }

    /// A run by key, held by F9 so that it is seen on the way; then the kept run is what is shown.
    void becomes_the_kept_run() {
        for (std::size_t kept = 1; kept <= 2; ++kept) {
            start_paused();
            WAIT_UNTIL(runs().live()->gate().waiting() > 0);
            WAIT_UNTIL(dock().isLive());
            QTest::keyClick(fixture_.window.get(), Qt::Key_F9);
            WAIT_UNTIL(runs().kept().size() == kept && runs().lastMade() != nullptr);
            WAIT_UNTIL(!dock().isLive() && dock().settled() && canvas().timeline() != nullptr);
            QVERIFY(!spans().isLooking());
            WAIT_UNTIL(box()->currentData().toString() ==
                       QString::fromStdString(runs().lastMade()->id));
            WAIT_UNTIL(dock().settled() && dock().side()->statistics() != nullptr);
            WAIT_UNTIL(dock().side()->factsText().startsWith(QStringLiteral("Last repetition")));
            QVERIFY(canvas().timeline()->span_count() > 60);
        }
        // A is the run before: chosen, it is shown.
        const QString a = QString::fromStdString(runs().chosen(Runs::Side::a)->id);
        QVERIFY(a != QString::fromStdString(runs().lastMade()->id));
        box()->setFocus();
        while (box()->currentData().toString() != a)
            QTest::keyClick(box(),
                            box()->findData(a) > box()->currentIndex() ? Qt::Key_Down : Qt::Key_Up);
        WAIT_UNTIL(dock().settled() && canvas().timeline() != nullptr);
        QCOMPARE(box()->currentData().toString(), a);
    }

    /// Cancelled, the run before is shown again.
    void cancelled() {
        const QString shown = box()->currentData().toString();
        start_paused();
        WAIT_UNTIL(dock().isLive());
        QCOMPARE(box()->currentText(), QStringLiteral("Run in progress"));
        QTest::keyClick(fixture_.window.get(), Qt::Key_Period, Qt::ControlModifier);
        WAIT_UNTIL(!dock().isLive() && dock().settled());
        QCOMPARE(box()->currentData().toString(), shown);
        QVERIFY(canvas().timeline() != nullptr);
        QVERIFY(!follow()->isVisible());
    }

private:
    /// A run of nobody, whose spans this test records.
    void begin() {
        recording_ = std::make_shared<execute::Recording>();
        recording_->prepare(2);
        live_ = std::make_shared<execute::LiveRun>(
            execute::LiveSettings{"cpu", "this processor", "native", "speculative", 1});
        live_->begin_repetition(1, recording_);
        live_->expect(100, 2);
        runs().follow(live_);
    }
    void message(unsigned worker, std::uint32_t transaction) const {
        const profile::Tick begin = profile::tick();
        recording_->worker(worker).add(begin, profile::tick(),
                                       {static_cast<std::uint16_t>(execute::SpanName::message),
                                        profile::Category::message, 7, transaction, transaction});
    }
    void end() {
        live_->finish();
        runs().follow(nullptr);
        live_.reset();
    }
    /// Ctrl+Return, and F9 as soon as the run has started.
    void start_paused() {
        QObject context;
        bool pressed = false;
        connect(&runs(), &Runs::liveChanged, &context, [&] {
            if (pressed || !runs().running()) return;
            pressed = true;
            QTest::keyClick(fixture_.window.get(), Qt::Key_F9);
        });
        runs().setRepetitions(100); // one alone may be over before the window hears of it
        WAIT_UNTIL(fixture_.window->commands()->run->isEnabled());
        QTest::keyClick(fixture_.window.get(), Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(pressed);
        QVERIFY(runs().pauseAsked());
    }
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] TimelineDock& dock() const {
        return static_cast<TimelineDock&>(*fixture_.window->docks().timeline);
    }
    [[nodiscard]] TimelineCanvas& canvas() const { return *dock().canvas(); }
    [[nodiscard]] LiveSpans& spans() const { return *dock().findChild<LiveSpans*>(); }
    [[nodiscard]] QToolButton* follow() const {
        return dock().findChild<QToolButton*>(QStringLiteral("timelineFollow"));
    }
    [[nodiscard]] QComboBox* box() const {
        return dock().findChild<QComboBox*>(QStringLiteral("timelineRun"));
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
    std::shared_ptr<execute::Recording> recording_;
    std::shared_ptr<execute::LiveRun> live_;
};

} // namespace blockloom::ui::test_timeline_live

QTEST_MAIN(blockloom::ui::test_timeline_live::TestTimelineLive)
#include "test_timeline_live.moc"
