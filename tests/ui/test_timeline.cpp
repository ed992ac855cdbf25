// The timeline of a kept run, driven by pointer and keys: zoom, selection, history, spans,
// brushing, the table, and the one selection of the window.
#include "docks/parts/minimap.h"
#include "docks/timeline/span_histogram.h"
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_dock.h"
#include "docks/timeline/timeline_side.h"
#include "docks/timeline/timeline_twin.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/span_kinds_model.h"
#include "models/span_words.h"
#include "models/spans_model.h"
#include "profile/recorder.h"
#include "runs/kept_run.h"
#include "runs/run_record.h"
#include "session/run_traces.h"
#include "session/runs.h"
#include "store/workspace.h"
#include "window/dock_layout.h"
#include "window/panel_focus.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSplitter>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

namespace blockloom::ui::test_timeline {

using profile::SpanRef;
using profile::TimeRange;

namespace {

/// Three lanes and a device, 10 ms: spans of 1 µs to 1 ms.
std::shared_ptr<const profile::Timeline> made_timeline() {
    profile::Trace trace;
    trace.duration = 10'000'000;
    trace.names = {"execute", "message", "run"};
    trace.heights = {960'000};
    for (int lane = 0; lane < 3; ++lane) {
        profile::Lane made{"worker " + std::to_string(lane), profile::LaneKind::worker, {}};
        Nanoseconds at = 100'000;
        for (std::uint32_t i = 0; at < 9'000'000; ++i) {
            const Nanoseconds length = Nanoseconds{1000} << (i % 10);
            made.spans.push_back({at, at + length, 0, i, i, 1, profile::Category::message, 0});
            at += length + 20'000;
        }
        trace.lanes.push_back(std::move(made));
    }
    profile::Lane device{"a device", profile::LaneKind::device, {}};
    device.spans.push_back(
        {1'000'000, 5'000'000, profile::none, profile::none, 64, 2, profile::Category::slice, 0});
    trace.lanes.push_back(std::move(device));
    return std::make_shared<const profile::Timeline>(trace);
}

struct CanvasFixture {
    TimelineCanvas canvas;
    std::shared_ptr<const profile::Timeline> timeline = made_timeline();
    CanvasFixture() {
        canvas.resize(1160, 400); // a pixel is 10 µs
        canvas.setTimeline(timeline);
        canvas.show();
        test::wait_until_exposed(&canvas);
        canvas.activateWindow();
        canvas.setFocus();
    }
    [[nodiscard]] QPoint at(Nanoseconds time, std::size_t row) const {
        const report::TimelineView view = canvas.view();
        const auto band = report::band_of_row(*timeline, view, row);
        return QPoint(static_cast<int>(std::lround(view.x(time))),
                      static_cast<int>(report::timeline_ruler + band->y - view.scroll) + 9);
    }
    void wheel(QPoint at, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(at, canvas.mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&canvas, Qt::LeftButton, modifiers, from);
        QMouseEvent move(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, modifiers);
        QApplication::sendEvent(&canvas, &move);
        QTest::mouseRelease(&canvas, Qt::LeftButton, modifiers, to);
    }
};

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // Nobody's own workspace is touched.
        qputenv("XDG_DATA_HOME", data_.path().toUtf8());
        QVERIFY(test::write_messages(fixture_.blocks(), 60));
        fixture_.make({1700, 1000});
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void history_of_views() {
        Nanoseconds now = 0;
        ViewHistory<int> history([&] { return now; });
        history.clear(1);
        QVERIFY(!history.canGoBack() && !history.canGoForward());
        history.visit(2);
        history.visit(3, 7);
        now += 1'000'000'000;
        history.visit(4, 7); // the same kind at once: one step
        history.visit(4);
        QCOMPARE(history.back(), 2);
        history.visit(3, 7);
        now += 1'000'000'001;
        history.visit(4, 7); // later: another
        QCOMPARE(history.back(), 3);
        QCOMPARE(history.back(), 2);
        QCOMPARE(history.back(), 1);
        QVERIFY(!history.canGoBack());
        QCOMPARE(history.forward(), 2);
        history.visit(9); // what was ahead is gone
        QVERIFY(!history.canGoForward());
        QCOMPARE(history.back(), 2);
        for (int i = 100; i < 1000; ++i) history.visit(i);
        int steps = 0;
        for (; history.canGoBack(); ++steps) static_cast<void>(history.back());
        QCOMPARE(steps, 199);
    }

    void words() {
        const auto timeline = made_timeline();
        QCOMPARE(moment_text(10'600'000), QStringLiteral("+10.600 ms"));
        QVERIFY(moment_text(1'234'567'891).startsWith(QStringLiteral("+1,234.567")));
        QVERIFY(moment_text(1'234'567'891).contains(QStringLiteral("891")));
        QCOMPARE(span_words(*timeline, {0, 3}),
                 QStringLiteral("message, task 3 of block 960,000: 8.00 µs from +0.167 ms, "
                                "worker 0"));
        QVERIFY(item_words(*timeline, 1, {{0, 1'000'000}, 0, 12, 500'000})
                    .contains(QStringLiteral("12 spans merged")));
    }

    /// A wave of compiled lanes says how many messages it ran and what one cost; a slice of the
    /// interpreter's kernel, in which none need end, does not.
    void words_of_waves() {
        profile::Trace trace;
        trace.duration = 10'000'000;
        trace.names = {"run", "compiled lanes", "compile 2:0"};
        profile::Span wave;
        wave.begin = 1'000'000, wave.end = 3'048'000;
        wave.detail = 1024;
        wave.name = 1;
        wave.category = profile::Category::slice;
        wave.task = 6; // numbers are shown from 1
        profile::Span slice = wave;
        slice.begin = 4'000'000, slice.end = 5'000'000;
        slice.name = 0;
        slice.task = profile::none; // of an older version
        profile::Span compiled;
        compiled.begin = 500'000, compiled.end = 900'000;
        compiled.name = 2;
        compiled.category = profile::Category::other;
        trace.lanes = {{"Some GPU", profile::LaneKind::device, {wave, slice}},
                       {"compilation 0", profile::LaneKind::beside, {compiled}}};
        const profile::Timeline timeline(trace);
        QStringList words;
        for (std::uint32_t row = 0; row < timeline.row_count(); ++row)
            words << span_words(timeline, {row, 0});
        QCOMPARE(words,
                 (QStringList{
                     QStringLiteral("compile 2:0: 400 µs from +0.500 ms, compilation 0"),
                     QStringLiteral("compiled lanes, wave 7, 1,024 messages, 2.00 µs per message: "
                                    "2.05 ms from +1.000 ms, compiled lanes"),
                     QStringLiteral("run, 1,024 invocations alive: 1.00 ms from +4.000 ms, "
                                    "run")}));
    }

    /// A span's transaction is its detail.
    void words_of_aborted_attempts() {
        const auto timeline = made_timeline();
        const profile::Span& span = timeline->span({0, 3});
        runs::KeptRun run;
        QVERIFY(abort_words(run, *timeline, {0, 3}).isEmpty()); // of an older version
        runs::KeptAbort abort;
        abort.transaction = span.detail;
        abort.reason = trace::AbortReason::wrong_budget;
        abort.at = span.begin - 1;
        const auto words = [&] {
            runs::KeptBlock block;
            block.height = 960'000;
            block.aborted.attempts =
                std::make_shared<const std::vector<runs::KeptAbort>>(std::vector{abort});
            run.blocks = {block};
            return abort_words(run, *timeline, {0, 3});
        };
        QVERIFY(words().isEmpty()); // of an attempt before it
        abort.at = span.end;
        QCOMPARE(words(), QStringLiteral("aborted: had a wrong fuel budget"));
        abort.transaction = span.detail + 1;
        QVERIFY(words().isEmpty());
    }

    void models() {
        const auto timeline = made_timeline();
        SpanKindsModel kinds;
        const QAbstractItemModelTester of_kinds(
            &kinds, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(kinds.rowCount(), 0);
        const TimeRange all{0, timeline->duration()};
        kinds.setStatistics(timeline, std::make_shared<const profile::RangeStatistics>(
                                          profile::statistics_of(*timeline, all)));
        QCOMPARE(kinds.rowCount(), 2);
        const int run = kinds.rowOf(2);
        QCOMPARE(kinds.index(run, SpanKindsModel::Count).data().toString(), QStringLiteral("1"));
        QCOMPARE(kinds.index(run, SpanKindsModel::Busy).data(SortRole).toLongLong(), 4'000'000);
        QVERIFY(kinds.headerData(SpanKindsModel::Busy, Qt::Horizontal, Qt::DisplayRole)
                    .toString()
                    .endsWith(QStringLiteral("ms")));
        QCOMPARE(kinds.rowOf(0), -1);
        kinds.setStatistics(nullptr, nullptr);
        QCOMPARE(kinds.rowCount(), 0);

        SpansModel spans;
        const QAbstractItemModelTester of_spans(
            &spans, QAbstractItemModelTester::FailureReportingMode::QtTest);
        spans.setRange(timeline, {0, 200'000});
        QVERIFY(spans.rowCount() > 3 && spans.all() == static_cast<std::size_t>(spans.rowCount()));
        for (int row = 0; row < spans.rowCount(); ++row) QCOMPARE(spans.rowOf(*spans.at(row)), row);
        QCOMPARE(spans.index(0, SpansModel::Begin).data(SortRole).toLongLong(), 100'000);
        spans.setRange(nullptr, {});
        QCOMPARE(spans.rowCount(), 0);
    }

    /// The moment under the cursor stays there, from the whole run to nanoseconds and back.
    void wheel_zooms_at_the_cursor() {
        CanvasFixture f;
        const QPoint cursor = f.at(4'000'000, 1);
        for (int i = 0; i < 80; ++i) {
            const Nanoseconds before = f.canvas.view().time_at(cursor.x());
            f.wheel(cursor, 120);
            const report::TimelineView view = f.canvas.view();
            QVERIFY(std::abs(view.x(before) - cursor.x()) <= 1 + 1.0 / view.ns_per_pixel());
        }
        QVERIFY(f.canvas.shown().length() < 100); // nanoseconds
        for (int i = 0; i < 100; ++i) f.wheel(cursor, -120);
        QCOMPARE(f.canvas.shown(), (TimeRange{0, 10'000'000}));
        // With Shift it moves; over the names it scrolls.
        f.wheel(cursor, 120);
        const TimeRange shown = f.canvas.shown();
        f.wheel(cursor, -120, Qt::ShiftModifier);
        QVERIFY(f.canvas.shown().begin > shown.begin);
        QCOMPARE(f.canvas.shown().length(), shown.length());
        f.canvas.resize(1160, 90);
        QVERIFY(f.canvas.scrollRange() > 0);
        f.wheel(QPoint(20, 50), -120);
        QVERIFY(f.canvas.view().scroll > 0);
    }

    void drag_selects_and_measures() {
        CanvasFixture f;
        const QSignalSpy changed(&f.canvas, &TimelineCanvas::selectionChanged);
        f.drag(f.at(2'000'000, 2), f.at(5'000'000, 0));
        QVERIFY(changed.count() > 0);
        QVERIFY(f.canvas.marks().selected.has_value());
        const TimeRange selected = *f.canvas.marks().selected;
        QVERIFY(std::abs(selected.begin - 2'000'000) <= 10'000);
        QVERIFY(std::abs(selected.length() - 3'000'000) <= 20'000);
        // An end is taken in the ruler.
        const auto ruler = [&](Nanoseconds time) {
            return QPoint(static_cast<int>(std::lround(f.canvas.view().x(time))), 10);
        };
        f.drag(ruler(selected.end), ruler(8'000'000));
        QVERIFY(std::abs(f.canvas.marks().selected->end - 8'000'000) <= 10'000);
        QCOMPARE(f.canvas.marks().selected->begin, selected.begin);
        // F fits it, F again the run; Backspace goes back through both.
        QTest::keyClick(&f.canvas, Qt::Key_F);
        const TimeRange fitted = f.canvas.shown();
        QVERIFY(fitted.begin < selected.begin && fitted.length() < 8'000'000);
        QTest::keyClick(&f.canvas, Qt::Key_F);
        QCOMPARE(f.canvas.shown(), (TimeRange{0, 10'000'000}));
        QTest::keyClick(&f.canvas, Qt::Key_Backspace);
        QCOMPARE(f.canvas.shown(), fitted);
        QTest::keyClick(&f.canvas, Qt::Key_Backspace, Qt::ShiftModifier);
        QCOMPARE(f.canvas.shown(), (TimeRange{0, 10'000'000}));
        QTest::keyClick(&f.canvas, Qt::Key_Escape);
        QVERIFY(!f.canvas.marks().selected);
    }

    void keys_move_and_walk() {
        CanvasFixture f;
        QTest::keyClick(&f.canvas, Qt::Key_W);
        const TimeRange nearer = f.canvas.shown();
        QVERIFY(nearer.length() < 10'000'000);
        QTest::keyClick(&f.canvas, Qt::Key_D);
        QVERIFY(f.canvas.shown().begin > nearer.begin);
        QTest::keyClick(&f.canvas, Qt::Key_A);
        QTest::keyClick(&f.canvas, Qt::Key_S);
        QTest::keyClick(&f.canvas, Qt::Key_Home);
        QCOMPARE(f.canvas.shown(), (TimeRange{0, 10'000'000}));

        QTest::keyClick(&f.canvas, Qt::Key_Right);
        QCOMPARE(f.canvas.marks().focused, std::optional(SpanRef{0, 0}));
        QTest::keyClick(&f.canvas, Qt::Key_Right);
        QCOMPARE(f.canvas.marks().focused, std::optional(SpanRef{0, 1}));
        QVERIFY(f.canvas.accessibleDescription().contains(QStringLiteral("task 1")));
        QTest::keyClick(&f.canvas, Qt::Key_Down);
        QCOMPARE(f.canvas.marks().focused->row, 1U);
        QTest::keyClick(&f.canvas, Qt::Key_Up);
        QTest::keyClick(&f.canvas, Qt::Key_Left);
        QTest::keyClick(&f.canvas, Qt::Key_Left); // the first stays
        QCOMPARE(f.canvas.marks().focused, std::optional(SpanRef{0, 0}));
        const QSignalSpy picked(&f.canvas, &TimelineCanvas::picked);
        QTest::keyClick(&f.canvas, Qt::Key_Return);
        QCOMPARE(picked.count(), 1);
        QVERIFY(f.canvas.shown().length() < 10'000);
        // Walking on leaves what is shown only where the span is out of sight.
        for (int i = 0; i < 20; ++i) QTest::keyClick(&f.canvas, Qt::Key_Right);
        const profile::Span& at = f.timeline->span(*f.canvas.marks().focused);
        QVERIFY(at.begin < f.canvas.shown().end && at.end > f.canvas.shown().begin);
    }

    void click_picks_and_closes() {
        CanvasFixture f;
        const QSignalSpy picked(&f.canvas, &TimelineCanvas::picked);
        const profile::Span& span = f.timeline->spans(1)[9]; // 512 µs
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.at(span.begin + span.duration() / 2, 1));
        QCOMPARE(picked.count(), 1);
        QCOMPARE(f.canvas.marks().focused, std::optional(SpanRef{1, 9}));
        // The head of a group closes and opens it.
        QVERIFY(report::band_of_row(*f.timeline, f.canvas.view(), 0).has_value());
        const QPoint head(300, static_cast<int>(report::timeline_ruler) + 10);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, head);
        QVERIFY(!report::band_of_row(*f.timeline, f.canvas.view(), 0));
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, head);
        QVERIFY(report::band_of_row(*f.timeline, f.canvas.view(), 0).has_value());
        // A double click goes there.
        QTest::mouseDClick(&f.canvas, Qt::LeftButton, {},
                           f.at(span.begin + span.duration() / 2, 1));
        QVERIFY(f.canvas.shown().length() < 2 * span.duration());
        QVERIFY(f.canvas.shown().begin < span.begin && f.canvas.shown().end > span.end);
    }

    /// With Shift a drag moves what is shown.
    void drag_with_shift_moves() {
        CanvasFixture f;
        QTest::keyClick(&f.canvas, Qt::Key_W);
        const TimeRange shown = f.canvas.shown();
        f.drag({600, 100}, {500, 100}, Qt::ShiftModifier);
        QVERIFY(f.canvas.shown().begin > shown.begin);
        QVERIFY(!f.canvas.marks().selected);
    }

    void histogram_is_brushed() {
        SpanHistogram histogram;
        histogram.resize(320, 200);
        profile::Histogram lengths;
        for (int i = 0; i < 1000; ++i) lengths.add(1000 + i * i);
        histogram.setLengths(1, QStringLiteral("message"), lengths);
        histogram.show();
        test::wait_until_exposed(&histogram);
        WAIT_UNTIL(histogram.canvas()->plot().width() > 100);
        const QSignalSpy brushed(&histogram, &SpanHistogram::brushed);
        const auto middle = [&](std::size_t bin) {
            return QPoint(static_cast<int>(histogram.barOf(bin).center().x()), 100);
        };
        QTest::mouseClick(histogram.canvas()->viewport(), Qt::LeftButton, {}, middle(2));
        QVERIFY(brushed.count() > 0);
        QVERIFY(histogram.marked().has_value());
        QCOMPARE(histogram.marked()->first, histogram.bins()[2].low);
        QCOMPARE(histogram.marked()->second, histogram.bins()[2].high);
        QTest::mouseClick(histogram.canvas()->viewport(), Qt::LeftButton, {},
                          middle(2)); // again: none
        QVERIFY(!histogram.marked());
        QTest::mousePress(histogram.canvas()->viewport(), Qt::LeftButton, {}, middle(5));
        QMouseEvent move(QEvent::MouseMove, middle(8),
                         histogram.canvas()->viewport()->mapToGlobal(middle(8)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(histogram.canvas()->viewport(), &move);
        QTest::mouseRelease(histogram.canvas()->viewport(), Qt::LeftButton, {}, middle(8));
        QCOMPARE(histogram.marked()->first, histogram.bins()[5].low);
        QCOMPARE(histogram.marked()->second, histogram.bins()[8].high);
        QVERIFY(histogram.canvas()->accessibleDescription().contains(QStringLiteral("marked")));
        QTest::keyClick(histogram.canvas(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(histogram.marked()->second, histogram.bins()[9].high);
        QTest::keyClick(histogram.canvas(), Qt::Key_Escape);
        QVERIFY(!histogram.marked());
        histogram.setLengths(0, {}, {});
        QVERIFY(histogram.bins().empty());
    }

    /// Nothing open, nothing kept: the panel says what to do; then Run fills it.
    void from_nothing_to_a_run() {
        QVERIFY(dock().isShowingEmpty());
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        QVERIFY(dock().isShowingEmpty());
        activate();
        QTest::keyClick(fixture_.window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        WAIT_UNTIL(!dock().visibleRegion().isEmpty()); // in front in the layout "Run"
        QPushButton* button = nullptr;
        for (auto* each : dock().findChildren<QPushButton*>())
            if (each->isVisible() && each->text() == QStringLiteral("Run")) button = each;
        QVERIFY(button != nullptr);
        WAIT_UNTIL(fixture_.window->commands()->run->isEnabled());
        runs().setStrategy(
            QStringLiteral("serial")); // one message after another, as far as it is long
        QTest::mouseClick(button, Qt::LeftButton);
        WAIT_UNTIL(runs().lastMade() != nullptr);
        WAIT_UNTIL(!dock().isLive() && dock().settled() && canvas().timeline() != nullptr);
        QVERIFY(!dock().isShowingEmpty());
        QVERIFY(dock().message().isEmpty());
        WAIT_UNTIL(dock().settled() && dock().side()->statistics() != nullptr);
        QVERIFY(canvas().timeline()->span_count() > 60);
        QCOMPARE(dock().side()->statistics()->spans, canvas().timeline()->span_count());
        QVERIFY(dock().side()->factsText().startsWith(QStringLiteral("Whole run")));
        QVERIFY(dock().side()->isVisible());
        QVERIFY(!canvas().list().layers.empty());
        // What all panels show of it the session had in memory.
        QCOMPARE(runs().traces()->reads(), std::size_t{0});
    }

    /// Whichever way the panel is reached, keys go to its lanes, not to the controls around them.
    void the_lanes_take_the_focus() {
        MainWindow& window = *fixture_.window;
        activate();
        const auto elsewhere = [&] {
            for (QDockWidget* each : window.layoutOfDocks().visible()) {
                QWidget* other = static_cast<Dock*>(each)->focusTarget();
                if (each == &dock() || other == nullptr) continue;
                other->setFocus();
                QVERIFY(other->hasFocus());
                return;
            }
            QFAIL("no other panel");
        };
        // By its command or F6.
        elsewhere();
        window.panels()->goTo(&dock());
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&canvas()));
        // After a switch of the layout.
        QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
        WAIT_UNTIL(dock().visibleRegion().isEmpty());
        QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        WAIT_UNTIL(QApplication::focusWidget() == &canvas());
        // By a click on what takes no focus itself.
        elsewhere();
        QTest::mouseClick(dock().side(), Qt::LeftButton, {}, QPoint(2, 2));
        WAIT_UNTIL(QApplication::focusWidget() == &canvas());
        // Also where the user has made the side larger than the lanes.
        auto* split = dock().findChild<QSplitter*>();
        const QList<int> sizes = split->sizes();
        split->setSizes({1, 10'000});
        WAIT_UNTIL(canvas().width() < dock().side()->width() / 2);
        QCOMPARE(dock().focusTarget(), static_cast<QWidget*>(&canvas()));
        split->setSizes(sizes);
        // By the wheel; and the keys of the lanes by the pointer alone.
        QVERIFY((canvas().focusPolicy() & Qt::WheelFocus) == Qt::WheelFocus);
        for (int i = 0; i < 4; ++i) QTest::keyClick(&canvas(), Qt::Key_W);
        elsewhere();
        QCursor::setPos(canvas().mapToGlobal(canvas().rect().center()));
        WAIT_UNTIL(canvas().underMouse());
        const TimeRange before = canvas().shown();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_D);
        QVERIFY(canvas().shown().begin > before.begin);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&canvas()));
        // Not while a name is written.
        auto* find = dock().findChild<QLineEdit*>();
        find->setFocus();
        const TimeRange moved = canvas().shown();
        QTest::keyClick(find, Qt::Key_D);
        QCOMPARE(find->text(), QStringLiteral("d"));
        QCOMPARE(canvas().shown().begin, moved.begin);
        find->clear();
        canvas().fitRun();
    }

    /// Statistics, table and marks follow what is selected.
    void selection_reaches_the_side() {
        canvas().setFocus();
        const Nanoseconds duration = canvas().timeline()->duration();
        canvas().select(TimeRange{duration / 4, duration / 2});
        WAIT_UNTIL(dock().settled() &&
                   dock().side()->statistics()->range == (TimeRange{duration / 4, duration / 2}));
        QVERIFY(dock().side()->factsText().startsWith(QStringLiteral("Selected range")));
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        WAIT_UNTIL(dock().settled() &&
                   dock().side()->statistics()->range == (TimeRange{0, duration}));

        // Bins that are brushed are marked in the lanes.
        SpanHistogram* histogram = dock().side()->histogram();
        QVERIFY(!histogram->bins().empty());
        if (!histogram->isVisible()) { // a low dock shows one part at a time
            for (auto* each : dock().side()->findChildren<QToolButton*>())
                if (each->text() == QStringLiteral("Histogram"))
                    QTest::mouseClick(each, Qt::LeftButton);
        }
        WAIT_UNTIL(histogram->isVisible());
        std::size_t fullest = 0;
        for (std::size_t i = 0; i < histogram->bins().size(); ++i)
            if (histogram->bins()[i].count > histogram->bins()[fullest].count) fullest = i;
        QTest::mouseClick(histogram->canvas()->viewport(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(histogram->barOf(fullest).center().x()),
                                 histogram->canvas()->height() / 2));
        WAIT_UNTIL(canvas().marks().brushed != nullptr);
        QCOMPARE(canvas().marks().brushed->count(), histogram->bins()[fullest].count);
        auto* words = dock().findChild<QLabel*>(QStringLiteral("markedSpans"));
        QVERIFY(words->text().endsWith(QStringLiteral("marked")));
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        WAIT_UNTIL(canvas().marks().brushed == nullptr);
    }

    /// One selection in the window: a span selects its task, a task outlines its spans.
    void one_selection() {
        session().selectTask(std::nullopt);
        QVERIFY(canvas().marks().picked.empty());
        const SpanRef message = message_span(1);
        const profile::Span& span = canvas().timeline()->span(message);
        canvas().setFocus();
        canvas().setFocused(message);
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(session().currentBlock()->trace->block.height,
                 canvas().timeline()->height_of(span));
        QCOMPARE(session().selectedTask(), std::optional<quint32>(span.task));
        QVERIFY(!canvas().marks().picked.empty());
        QCOMPARE(canvas().timeline()->span(canvas().marks().picked.front()).task, span.task);

        // Chosen elsewhere, out of sight: it is brought into view.
        const SpanRef other = message_span(30);
        const profile::Span& far = canvas().timeline()->span(other);
        canvas().show({span.begin, span.end}); // however long the others took
        QVERIFY(far.begin > canvas().shown().end || far.end < canvas().shown().begin);
        for (std::size_t i = 0; i < session().range()->blocks.size(); ++i)
            if (session().range()->blocks[i]->trace->block.height ==
                canvas().timeline()->height_of(far))
                session().setCurrentRow(static_cast<int>(i));
        session().selectTask(far.task);
        QVERIFY(far.begin < canvas().shown().end && far.end > canvas().shown().begin);
        session().selectTask(std::nullopt);
        QVERIFY(canvas().marks().picked.empty());
        QTest::keyClick(&canvas(), Qt::Key_Home);
    }

    void found_by_name_and_number() {
        canvas().setFocused(std::nullopt);
        auto* field = dock().findChild<QLineEdit*>(QStringLiteral("timelineFind"));
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("mess"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(canvas().marks().focused.has_value());
        const SpanRef first = *canvas().marks().focused;
        QCOMPARE(canvas().timeline()->names()[canvas().timeline()->span(first).name],
                 std::string("message"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(canvas().marks().focused != first);
        field->clear();
        QTest::keyClicks(field, QStringLiteral("nothing like it"));
        const auto before = canvas().marks().focused;
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(canvas().marks().focused, before);
        field->clear();
    }

    void table_says_the_same() {
        canvas().fitRun();
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_T, Qt::ControlModifier);
        WAIT_UNTIL(dock().twin()->isVisible());
        QCOMPARE(dock().twin()->model()->all(), canvas().timeline()->span_count());
        Table* table = dock().twin()->table();
        table->setFocus();
        table->selectRow(0);
        QTest::keyClick(table, Qt::Key_Down);
        QVERIFY(canvas().marks().focused.has_value());
        QTest::keyClick(table, Qt::Key_T, Qt::ControlModifier);
        WAIT_UNTIL(!dock().twin()->isVisible());
    }

    void minimap_moves_what_is_shown() {
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Home);
        for (int i = 0; i < 4; ++i) QTest::keyClick(&canvas(), Qt::Key_W);
        const TimeRange shown = canvas().shown();
        Minimap* minimap = dock().minimap();
        QVERIFY(minimap->to() - minimap->from() < 0.3);
        QTest::mouseClick(minimap, Qt::LeftButton, {},
                          QPoint(minimap->width() - 30, minimap->height() / 2));
        QVERIFY(canvas().shown().begin > shown.begin);
        QCOMPARE(canvas().shown().length(), shown.length());
        const TimeRange right = canvas().shown();
        minimap->setFocus();
        QTest::keyClick(minimap, Qt::Key_Left);
        QVERIFY(canvas().shown().begin < right.begin);
        canvas().fitRun();
    }

    void exports() {
        const QTemporaryDir folder;
        for (const char* ending : {"csv", "png", "svg", "pdf"}) {
            const QString path =
                folder.filePath(QStringLiteral("t.") + QString::fromLatin1(ending));
            const Status done = dock().exportTo(path);
            QVERIFY2(done.ok(), done ? "" : done.error().message.c_str());
            QVERIFY(QFileInfo(path).size() > 200);
        }
        QFile csv(folder.filePath(QStringLiteral("t.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(static_cast<std::size_t>(csv.readAll().count('\n')),
                 canvas().timeline()->span_count() + 1);
        QVERIFY(!dock().exportTo(folder.filePath(QStringLiteral("no/such/folder.csv"))).ok());
    }

    /// A run without spans says so, and the box leads back.
    void run_without_spans() {
        const QString had = QString::fromStdString(runs().chosen(Runs::Side::a)->id);
        {
            const auto kept = test::open_runs(runs().folder());
            QVERIFY(kept.ok());
            auto document = kept->load(had.toStdString());
            QVERIFY(document && *document);
            std::string text = **document;
            const auto at = text.find(had.toStdString());
            QVERIFY(at != std::string::npos);
            text.replace(at, static_cast<std::size_t>(had.size()), "99990101-bare");
            QVERIFY(kept->keep("99990101-bare", "", text));
        }
        runs().reload();
        WAIT_UNTIL(runs().kept().size() == std::size_t{2});
        auto* box = dock().findChild<QComboBox*>(QStringLiteral("timelineRun"));
        QCOMPARE(box->currentData().toString(), had);
        runs().choose(Runs::Side::a, QStringLiteral("99990101-bare"));
        WAIT_UNTIL(dock().settled());
        QVERIFY(dock().message().contains(QStringLiteral("without spans")));
        box->setFocus();
        QTest::keyClick(box, box->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
        WAIT_UNTIL(dock().settled() && canvas().timeline() != nullptr);
        QCOMPARE(QString::fromStdString(runs().chosen(Runs::Side::a)->id), had);
        QVERIFY(dock().message().isEmpty());
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] TimelineDock& dock() const {
        return static_cast<TimelineDock&>(*fixture_.window->docks().timeline);
    }
    [[nodiscard]] TimelineCanvas& canvas() const { return *dock().canvas(); }
    void activate() const {
        fixture_.window->activateWindow();
        test::wait_until_active(fixture_.window.get());
    }
    /// The span of a transaction whose first task is `at_least` or a later one.
    [[nodiscard]] SpanRef message_span(std::uint32_t at_least) const {
        const profile::Timeline& timeline = *canvas().timeline();
        for (std::uint32_t row = 0; row < timeline.row_count(); ++row)
            for (std::uint32_t i = 0; i < timeline.spans(row).size(); ++i) {
                const profile::Span& span = timeline.span({row, i});
                if (span.task != profile::none && span.task >= at_least) return {row, i};
            }
        return {};
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_timeline

QTEST_MAIN(blockloom::ui::test_timeline::TestTimeline)
#include "test_timeline.moc"
