// The canvas with a renderer of the test's own: what it asks for, and that it asks for nothing
// else.
#include "headers/waiting.h"
#include "ui/canvas_fixture.h"

#include "canvas/view_camera.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

using namespace blockloom;
using ui::SceneCanvas;
using ui::ViewCamera;

namespace {

struct Fixture {
    std::shared_ptr<test::RendererProbe> probe = std::make_shared<test::RendererProbe>();
    std::unique_ptr<SceneCanvas> canvas;

    explicit Fixture(SceneCanvas::Axes axes = SceneCanvas::Axes::both) {
        canvas = std::make_unique<SceneCanvas>(axes, test::probe_factory(probe));
        canvas->resize(640, 400);
        canvas->show();
    }
    [[nodiscard]] std::size_t requests() const {
        const std::lock_guard lock(probe->mutex);
        return probe->requests.size();
    }
    void wheel(QPointF at, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QWheelEvent event(at, canvas->mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas.get(), &event);
    }
};

/// Many turns of the event loop: what was to come has come.
void settle() {
    for (int turn = 0; turn < 100; ++turn) QCoreApplication::processEvents();
}

scene::OverlayPanel panel(bool on) {
    scene::OverlayPanel value;
    value.title = "Graph";
    value.toggles.push_back({"edges", "Edges", on});
    return value;
}

} // namespace

class TestCanvas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothing_is_drawn_without_a_list();
    void idle_draws_nothing();
    void changes_in_one_turn_make_one_frame();
    void a_hidden_canvas_waits();
    void click_picks_and_empty_ground_clears();
    void drag_pans_and_does_not_pick();
    void wheel_keeps_the_point_under_the_cursor();
    void wheel_steps_are_bounded();
    void horizontal_axes_keep_y();
    void keys_move_zoom_and_fit();
    void alt_keys_step();
    void resize_keeps_the_world_centre();
    void fit_follows_a_resize();
    void zoom_is_bounded();
    void hover_is_told_once();
    void overlay_takes_its_clicks();
    void overlay_leaves_the_rest();
    void overlay_wheel_does_not_zoom();
    void a_failing_renderer_falls_back_to_cairo();
    void description_is_the_summary();
    void destroyed_while_drawing();
};

void TestCanvas::nothing_is_drawn_without_a_list() {
    const Fixture f;
    settle();
    QCOMPARE(f.canvas->framesDrawn(), 0U);
    QVERIFY(!f.canvas->hasFrame());
}

void TestCanvas::idle_draws_nothing() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    WAIT_UNTIL(f.canvas->upToDate());
    const quint64 drawn = f.canvas->framesDrawn();
    QVERIFY(drawn >= 1);
    for (int turn = 0; turn < 20; ++turn) {
        f.canvas->repaint();
        settle();
    }
    QCOMPARE(f.canvas->framesDrawn(), drawn);
}

void TestCanvas::changes_in_one_turn_make_one_frame() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    WAIT_UNTIL(f.canvas->upToDate());
    const std::size_t before = f.requests();
    for (int i = 0; i < 50; ++i) f.canvas->zoomBy(1.01);
    f.canvas->setMarks({scene::Layer{}});
    WAIT_UNTIL(f.canvas->upToDate());
    QCOMPARE(f.requests(), before + 1);
    QCOMPARE(f.probe->last().camera, f.canvas->currentRequest().camera);
    QCOMPARE(f.probe->last().marks.size(), std::size_t{1});
}

void TestCanvas::a_hidden_canvas_waits() {
    const Fixture f;
    f.canvas->hide();
    f.canvas->setList(test::grid_list(8, 5));
    settle();
    QCOMPARE(f.canvas->framesDrawn(), 0U);
    f.canvas->show();
    WAIT_UNTIL(f.canvas->hasFrame());
}

void TestCanvas::click_picks_and_empty_ground_clears() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    QSignalSpy picked(f.canvas.get(), &SceneCanvas::picked);
    QTest::mouseClick(f.canvas.get(), Qt::LeftButton, {}, f.canvas->toCanvas({35, 25}).toPoint());
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked[0][0].value<std::optional<quint32>>(), std::optional<quint32>(2 * 8 + 3));
    QCOMPARE(picked[0][1].value<std::optional<quint32>>(), std::nullopt);
    QTest::mouseClick(f.canvas.get(), Qt::LeftButton, {}, QPoint(1, 1));
    QCOMPARE(picked.size(), 2);
    QCOMPARE(picked[1][0].value<std::optional<quint32>>(), std::nullopt);
}

void TestCanvas::drag_pans_and_does_not_pick() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    QSignalSpy picked(f.canvas.get(), &SceneCanvas::picked);
    const QPoint from = f.canvas->toCanvas({35, 25}).toPoint();
    const QPointF world = f.canvas->toWorld(from);
    QTest::mousePress(f.canvas.get(), Qt::LeftButton, {}, from);
    QTest::mouseMove(f.canvas.get(), from + QPoint(30, 8));
    QTest::mouseMove(f.canvas.get(), from + QPoint(60, -20));
    QTest::mouseRelease(f.canvas.get(), Qt::LeftButton, {}, from + QPoint(60, -20));
    QCOMPARE(picked.size(), 0);
    const QPointF now = f.canvas->toCanvas(world);
    QVERIFY2(QLineF(now, from + QPoint(60, -20)).length() < 0.5, "the world point went along");
}

void TestCanvas::wheel_keeps_the_point_under_the_cursor() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    for (const QPointF at : {QPointF(320, 200), QPointF(100, 300), QPointF(500, 60)}) {
        const QPointF world = f.canvas->toWorld(at);
        const int before = f.canvas->zoomPercent();
        f.wheel(at, 120);
        QVERIFY(f.canvas->zoomPercent() > before);
        const QPointF now = f.canvas->toCanvas(world);
        QVERIFY2(QLineF(now, at).length() < 0.1,
                 qPrintable(QStringLiteral("%1, %2").arg(now.x()).arg(now.y())));
    }
}

void TestCanvas::wheel_steps_are_bounded() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    f.wheel({320, 200}, 1200);
    QCOMPARE(f.canvas->zoomPercent(), 125);
    f.wheel({320, 200}, -1200);
    QCOMPARE(f.canvas->zoomPercent(), 100);
    f.wheel({320, 200}, 120, Qt::ControlModifier);
    QCOMPARE(f.canvas->zoomPercent(), 105);
}

void TestCanvas::horizontal_axes_keep_y() {
    const Fixture f(SceneCanvas::Axes::horizontal);
    f.canvas->setList(test::grid_list(80, 5));
    const auto fitted = f.canvas->currentRequest().camera;
    f.wheel({200, 100}, 120);
    f.wheel({200, 100}, 120);
    QTest::mousePress(f.canvas.get(), Qt::LeftButton, {}, {300, 200});
    QTest::mouseMove(f.canvas.get(), {280, 280});
    QTest::mouseRelease(f.canvas.get(), Qt::LeftButton, {}, {280, 280});
    const auto now = f.canvas->currentRequest().camera;
    QVERIFY(now.scale_x > fitted.scale_x);
    QCOMPARE(now.scale_y, fitted.scale_y);
    QCOMPARE(now.centre_y, fitted.centre_y);
    for (int i = 0; i < 20; ++i) f.wheel({600, 100}, -120);
    QCOMPARE(f.canvas->currentRequest().camera, fitted); // no smaller than the whole run
}

void TestCanvas::keys_move_zoom_and_fit() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    QSignalSpy zoom(f.canvas.get(), &SceneCanvas::zoomChanged);
    const auto fitted = f.canvas->currentRequest().camera;
    QTest::keyClick(f.canvas.get(), Qt::Key_Plus);
    QCOMPARE(f.canvas->zoomPercent(), 125);
    QCOMPARE(zoom.size(), 1);
    QTest::keyClick(f.canvas.get(), Qt::Key_D);
    const auto right = f.canvas->currentRequest().camera;
    QVERIFY(right.centre_x > fitted.centre_x);
    QTest::keyClick(f.canvas.get(), Qt::Key_Left);
    QCOMPARE(f.canvas->currentRequest().camera.centre_x, fitted.centre_x);
    QTest::keyClick(f.canvas.get(), Qt::Key_S);
    QVERIFY(f.canvas->currentRequest().camera.centre_y > fitted.centre_y);
    QTest::keyClick(f.canvas.get(), Qt::Key_W);
    QTest::keyClick(f.canvas.get(), Qt::Key_Minus);
    QCOMPARE(f.canvas->zoomPercent(), 100);
    QTest::keyClick(f.canvas.get(), Qt::Key_Plus);
    QTest::keyClick(f.canvas.get(), Qt::Key_F);
    QCOMPARE(f.canvas->currentRequest().camera, fitted);
    QTest::keyClick(f.canvas.get(), Qt::Key_Plus);
    QTest::keyClick(f.canvas.get(), Qt::Key_Home);
    QCOMPARE(f.canvas->currentRequest().camera, fitted);
}

void TestCanvas::alt_keys_step() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    QSignalSpy step(f.canvas.get(), &SceneCanvas::stepRequested);
    QTest::keyClick(f.canvas.get(), Qt::Key_Right, Qt::AltModifier);
    QTest::keyClick(f.canvas.get(), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(step.size(), 2);
    QCOMPARE(step[0], (QVariantList{1, 0}));
    QCOMPARE(step[1], (QVariantList{0, -1}));
}

void TestCanvas::resize_keeps_the_world_centre() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    f.wheel({100, 100}, 120);
    const auto before = f.canvas->currentRequest().camera;
    f.canvas->resize(900, 300);
    const auto after = f.canvas->currentRequest().camera;
    QCOMPARE(after.centre_x, before.centre_x);
    QCOMPARE(after.centre_y, before.centre_y);
    QCOMPARE(after.scale_x, before.scale_x);
}

void TestCanvas::fit_follows_a_resize() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    f.canvas->resize(900, 300);
    QCOMPARE(f.canvas->zoomPercent(), 100);
    const QRectF seen = f.canvas->visibleWorld();
    QVERIFY(seen.contains(QRectF(0, 0, 80, 50)));
}

void TestCanvas::zoom_is_bounded() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    for (int i = 0; i < 100; ++i) f.canvas->zoomBy(0.5);
    QCOMPARE(f.canvas->zoomPercent(), static_cast<int>(100 * ViewCamera::least));
    for (int i = 0; i < 100; ++i) f.canvas->zoomBy(2);
    QCOMPARE(f.canvas->zoomPercent(), static_cast<int>(100 * ViewCamera::most));
    QTest::mousePress(f.canvas.get(), Qt::LeftButton, {}, {600, 200});
    for (int i = 0; i < 50; ++i) QTest::mouseMove(f.canvas.get(), {600 - 10 * i, 200});
    QTest::mouseRelease(f.canvas.get(), Qt::LeftButton, {}, {100, 200});
    const auto camera = f.canvas->currentRequest().camera;
    QVERIFY(camera.centre_x >= 0 && camera.centre_x <= 80); // the picture cannot be lost
}

void TestCanvas::hover_is_told_once() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    QSignalSpy hovered(f.canvas.get(), &SceneCanvas::hovered);
    const QPoint at = f.canvas->toCanvas({35, 25}).toPoint();
    QTest::mouseMove(f.canvas.get(), at);
    WAIT_UNTIL(hovered.size() == 1);
    QCOMPARE(hovered[0][0].value<std::optional<quint32>>(), std::optional<quint32>(19));
    const auto* timer = f.canvas->findChild<QTimer*>(QStringLiteral("hover"));
    QVERIFY(timer != nullptr);
    const QSignalSpy looks(timer, &QTimer::timeout);
    QTest::mouseMove(f.canvas.get(), at + QPoint(2, 2));
    WAIT_UNTIL(looks.size() == 1);
    QCOMPARE(hovered.size(), 1);
}

void TestCanvas::overlay_takes_its_clicks() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    f.canvas->setOverlay(panel(false));
    QSignalSpy picked(f.canvas.get(), &SceneCanvas::picked);
    QSignalSpy changed(f.canvas.get(), &SceneCanvas::overlayChanged);
    // No move before the press: only the frame that saw the press can tell whose it is.
    QTest::mouseClick(f.canvas.get(), Qt::LeftButton, {}, {40, 30});
    WAIT_UNTIL(changed.size() == 1);
    QCOMPARE(changed[0][0].toString(), QStringLiteral("edges"));
    QCOMPARE(changed[0][1].toInt(), 1);
    f.canvas->setOverlay(panel(true));
    WAIT_UNTIL(f.canvas->upToDate());
    QCOMPARE(changed.size(), 1); // a press is reported to the overlay once
    QCOMPARE(picked.size(), 0);
    // A drag that began on the overlay does not pan.
    const auto before = f.canvas->currentRequest().camera;
    QTest::mousePress(f.canvas.get(), Qt::LeftButton, {}, {40, 30});
    WAIT_UNTIL(changed.size() == 2);
    QTest::mouseMove(f.canvas.get(), {200, 200});
    QTest::mouseMove(f.canvas.get(), {300, 200});
    QTest::mouseRelease(f.canvas.get(), Qt::LeftButton, {}, {300, 200});
    WAIT_UNTIL(f.canvas->upToDate());
    QCOMPARE(f.canvas->currentRequest().camera, before);
    QCOMPARE(picked.size(), 0);
}

void TestCanvas::overlay_leaves_the_rest() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    f.canvas->setOverlay(panel(false));
    QSignalSpy picked(f.canvas.get(), &SceneCanvas::picked);
    QSignalSpy changed(f.canvas.get(), &SceneCanvas::overlayChanged);
    QTest::mouseClick(f.canvas.get(), Qt::LeftButton, {}, f.canvas->toCanvas({65, 45}).toPoint());
    WAIT_UNTIL(picked.size() == 1);
    QCOMPARE(picked[0][0].value<std::optional<quint32>>(), std::optional<quint32>(4 * 8 + 6));
    QCOMPARE(changed.size(), 0);
    QVERIFY(!f.probe->last().overlay->input.down);
}

void TestCanvas::overlay_wheel_does_not_zoom() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    f.canvas->setOverlay(panel(false));
    QTest::mouseMove(f.canvas.get(), {40, 30});
    WAIT_UNTIL((f.probe->last().overlay ? f.probe->last().overlay->input.mouse_x : 0.0F) == 40.0F);
    WAIT_UNTIL(f.canvas->upToDate());
    f.wheel({40, 30}, 120);
    QCOMPARE(f.canvas->zoomPercent(), 100);
    WAIT_UNTIL(f.probe->last().overlay->input.wheel == 1.0F);
}

void TestCanvas::a_failing_renderer_falls_back_to_cairo() {
    const Fixture f;
    f.probe->fail = true;
    QSignalSpy failed(f.canvas.get(), &SceneCanvas::renderFailed);
    f.canvas->setList(test::grid_list(8, 5));
    WAIT_UNTIL(f.canvas->hasFrame());
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("told to fail")));
    QCOMPARE(f.canvas->rendererName(), QStringLiteral("Cairo"));
    QVERIFY(f.canvas->fallbackReason().contains(QStringLiteral("told to fail")));
    QCOMPARE(f.probe->made.load(), 1);
}

void TestCanvas::description_is_the_summary() {
    const Fixture f;
    f.canvas->setList(test::grid_list(8, 5));
    QCOMPARE(f.canvas->accessibleDescription(), QStringLiteral("A grid."));
    QVERIFY(!f.canvas->accessibleName().isEmpty());
}

void TestCanvas::destroyed_while_drawing() {
    for (int round = 0; round < 20; ++round) {
        Fixture f;
        f.canvas->setList(test::grid_list(40, 40));
        QCoreApplication::processEvents();
        f.canvas.reset();
        QCoreApplication::processEvents();
    }
}

QTEST_MAIN(TestCanvas)
#include "test_canvas.moc"
