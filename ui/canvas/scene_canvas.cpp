#include "canvas/scene_canvas.h"

#include "canvas/view_camera.h"
#include "look/hover_keys.h"
#include "text/to_qt.h"

#include <QApplication>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPalette>
#include <QPointF>
#include <QResizeEvent>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

/// What the pressed button belongs to. With an overlay in the picture only the frame that saw the
/// press shows it.
enum class PressOwner { nobody, unknown, canvas, overlay };

constexpr double pick_reach = 6;    // pixels around the pointer
constexpr double key_pan = 64;      // pixels a key press
constexpr double key_zoom = 1.25;   // a key press
constexpr double wheel_step = 1.25; // a notch
constexpr double fine_step = 1.05;  // a notch with Ctrl

} // namespace

struct SceneCanvas::State {
    State(Axes canvasAxes, RendererFactory factory)
        : axes(canvasAxes), camera(canvasAxes == Axes::horizontal ? ViewCamera::Mode::horizontal
                                                                  : ViewCamera::Mode::stretch),
          feed(std::move(factory)) {}

    Axes axes;
    ViewCamera camera;
    std::shared_ptr<const scene::DisplayList> list;
    std::vector<scene::Layer> marks;
    std::optional<scene::OverlayPanel> panel;
    scene::DrawnKinds drawn;
    TooltipText tooltip;

    bool dirty = false;     ///< the last request is out of date
    bool scheduled = false; ///< askForFrame() is scheduled
    int lastPercent = 100;  ///< as last emitted by zoomChanged
    ShownFrame shown;       ///< the newest picture
    qreal shownRatio = 1;   ///< device pixels per logical pixel it was asked with
    qreal askedRatio = 1;

    // Pointer.
    PressOwner owner = PressOwner::nobody;
    Qt::MouseButton button = Qt::NoButton;
    bool dragging = false, released = false; ///< released: before the overlay's verdict was known
    QPointF pressedAt, lastAt;
    quint64 pressSerial = 0;          ///< the request that carried the press; 0: not sent yet
    scene::OverlayInput input;        ///< not sent yet
    bool overlayUnderPointer = false; ///< as of the newest picture

    // Hover.
    QTimer hoverTimer;
    QPointF hoverPosition;
    std::optional<quint32> hoveredTask, hoveredKey;

    FrameFeed feed; ///< last: destroyed first, and with it the render thread
};

SceneCanvas::SceneCanvas(Axes axes, QWidget* parent)
    : SceneCanvas(
          axes, [](std::string& why) { return scene::make_renderer(why); }, parent) {}

SceneCanvas::SceneCanvas(Axes axes, RendererFactory factory, QWidget* parent)
    : QWidget(parent), state_(std::make_unique<State>(axes, std::move(factory))) {
    HoverKeys::give(this);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("View"));
    state_->hoverTimer.setParent(this);
    state_->hoverTimer.setObjectName(QStringLiteral("hover"));
    state_->hoverTimer.setSingleShot(true);
    state_->hoverTimer.setInterval(30);
    connect(&state_->hoverTimer, &QTimer::timeout, this, &SceneCanvas::hoverAt);
    connect(&state_->feed, &FrameFeed::arrived, this, &SceneCanvas::showFrame);
    connect(&state_->feed, &FrameFeed::failed, this, [this](const QString& message) {
        changed();
        update();
        Q_EMIT renderFailed(message);
    });
}

SceneCanvas::~SceneCanvas() = default;

void SceneCanvas::setList(std::shared_ptr<const scene::DisplayList> list, bool keepCamera) {
    if (list == state_->list) return;
    state_->list = std::move(list);
    setAccessibleDescription(state_->list ? to_qt(state_->list->summary) : QString());
    if (state_->list) {
        if (state_->axes == Axes::both)
            state_->camera.setMode(state_->list->keep_aspect ? ViewCamera::Mode::aspect
                                                             : ViewCamera::Mode::stretch);
        state_->camera.setWorld(state_->list->world, keepCamera);
    }
    if (!state_->list) state_->shown = {};
    state_->hoveredTask = state_->hoveredKey = std::nullopt;
    update();
    cameraMoved();
}

void SceneCanvas::setMarks(std::vector<scene::Layer> marks) {
    if (marks.empty() && state_->marks.empty()) return;
    state_->marks = std::move(marks);
    changed();
}

void SceneCanvas::setOverlay(std::optional<scene::OverlayPanel> panel) {
    if (!panel && !state_->panel) return;
    state_->panel = std::move(panel);
    if (!state_->panel) {
        state_->overlayUnderPointer = false;
        state_->input = {};
    }
    changed();
}

void SceneCanvas::setDrawn(const scene::DrawnKinds& drawn) {
    if (drawn == state_->drawn) return;
    state_->drawn = drawn;
    changed();
}

void SceneCanvas::setTooltip(TooltipText text) {
    state_->tooltip = std::move(text);
}

void SceneCanvas::fit() {
    state_->camera.fit();
    cameraMoved();
}

void SceneCanvas::zoomBy(double factor) {
    state_->camera.zoomAt(width() / 2.0, height() / 2.0, factor);
    cameraMoved();
}

void SceneCanvas::setRun(double from, double to, const QMargins& free) {
    state_->camera.setRun({from, to, static_cast<double>(free.left()),
                           static_cast<double>(free.right()), static_cast<double>(free.top()),
                           static_cast<double>(free.bottom())});
    cameraMoved();
}

std::pair<double, double> SceneCanvas::shownSpan() const {
    const ViewCamera::Run shown = state_->camera.shownRun();
    return {shown.from, shown.to};
}

void SceneCanvas::showSpan(double from, double to) {
    state_->camera.showSpan(from, to);
    cameraMoved();
}

void SceneCanvas::bringIntoView(const scene::Rect& r) {
    const scene::Rect seen = state_->camera.visible();
    const bool across = r.x >= seen.x && r.x + r.width <= seen.x + seen.width;
    const bool along = state_->axes == Axes::horizontal ||
                       (r.y >= seen.y && r.y + r.height <= seen.y + seen.height);
    if (across && along) return;
    state_->camera.centreOn({r.x + r.width / 2, r.y + r.height / 2});
    cameraMoved();
}

void SceneCanvas::cameraMoved() {
    const int percent = zoomPercent();
    if (percent != state_->lastPercent) {
        state_->lastPercent = percent;
        Q_EMIT zoomChanged(percent);
    }
    changed();
    update(); // the old picture at its new place, until the new one has arrived
    Q_EMIT viewChanged();
}

void SceneCanvas::changed() {
    state_->dirty = true;
    if (state_->scheduled) return;
    state_->scheduled = true;
    QMetaObject::invokeMethod(this, &SceneCanvas::askForFrame, Qt::QueuedConnection);
}

void SceneCanvas::askForFrame() {
    state_->scheduled = false;
    if (!state_->dirty || !state_->list || !isVisible() || width() <= 0 || height() <= 0) return;
    if (state_->feed.busy() || state_->feed.dead()) return; // asked again when the frame arrives
    state_->dirty = false;
    scene::FrameRequest request = currentRequest();
    request.drawn = state_->drawn;
    const bool pressIsNew = state_->input.pressed;
    if (state_->panel) {
        scene::OverlayFrame overlay;
        overlay.panel = *state_->panel;
        overlay.input = state_->input;
        const scene::Colour ground = state_->list->background;
        overlay.dark = ground.r + ground.g + ground.b < 384;
        request.overlay = std::move(overlay);
        state_->input.pressed = false;
        state_->input.wheel = 0;
    }
    state_->askedRatio = devicePixelRatioF();
    const quint64 serial = state_->feed.request(std::move(request), size());
    if (pressIsNew) state_->pressSerial = serial;
}

void SceneCanvas::showFrame(const ShownFrame& frame) {
    state_->shown = frame;
    state_->shown.image.setDevicePixelRatio(state_->askedRatio);
    state_->shownRatio = state_->askedRatio;
    state_->overlayUnderPointer = state_->panel && frame.overlayWantsMouse;
    if (state_->owner == PressOwner::unknown && state_->pressSerial != 0 &&
        frame.serial >= state_->pressSerial)
        judgePress(frame.overlayWantsMouse);
    update();
    for (const scene::OverlayChange& change : frame.overlayChanges)
        Q_EMIT overlayChanged(to_qt(change.id), change.value);
    Q_EMIT frameShown(frame.renderNs);
    askForFrame();
}

std::shared_ptr<const scene::DisplayList> SceneCanvas::list() const {
    return state_->list;
}

scene::FrameRequest SceneCanvas::currentRequest() const {
    const qreal ratio = devicePixelRatioF();
    scene::FrameRequest request;
    request.base = state_->list;
    request.marks = state_->marks;
    request.camera = state_->camera.camera();
    request.width = std::max(1, static_cast<int>(std::lround(width() * ratio)));
    request.height = std::max(1, static_cast<int>(std::lround(height() * ratio)));
    request.pixel_ratio = static_cast<float>(ratio);
    return request;
}

int SceneCanvas::zoomPercent() const {
    return state_->camera.percent();
}

QRectF SceneCanvas::visibleWorld() const {
    const scene::Rect seen = state_->camera.visible();
    return {static_cast<qreal>(seen.x), static_cast<qreal>(seen.y), static_cast<qreal>(seen.width),
            static_cast<qreal>(seen.height)};
}

QPointF SceneCanvas::toWorld(QPointF position) const {
    const scene::Point world = state_->camera.toWorld(position.x(), position.y());
    return {static_cast<qreal>(world.x), static_cast<qreal>(world.y)};
}

QPointF SceneCanvas::toCanvas(QPointF world) const {
    const scene::Point at =
        state_->camera.toScreen({static_cast<float>(world.x()), static_cast<float>(world.y())});
    return {static_cast<qreal>(at.x), static_cast<qreal>(at.y)};
}

quint64 SceneCanvas::framesDrawn() const {
    return state_->feed.framesDrawn();
}

bool SceneCanvas::hasFrame() const {
    return state_->list && state_->shown.list == state_->list && !state_->shown.image.isNull();
}

bool SceneCanvas::upToDate() const {
    return hasFrame() && !state_->dirty && !state_->feed.busy();
}

QString SceneCanvas::rendererName() const {
    return state_->feed.rendererName();
}

QString SceneCanvas::fallbackReason() const {
    return state_->feed.fallbackReason();
}

QSize SceneCanvas::sizeHint() const {
    return {640, 400};
}

QSize SceneCanvas::minimumSizeHint() const {
    return {160, 100};
}

void SceneCanvas::resizeEvent(QResizeEvent* event) {
    state_->camera.resize(event->size().width(), event->size().height());
    cameraMoved();
}

void SceneCanvas::showEvent(QShowEvent*) {
    if (!hasFrame()) changed();
    // Requests made while hidden are made now.
    if (state_->dirty) changed();
}

void SceneCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ShownFrame& shown = state_->shown;
    if (!qFuzzyCompare(devicePixelRatioF(), state_->shownRatio) && hasFrame() &&
        !state_->feed.busy())
        changed(); // moved to another screen
    QColor ground = palette().color(QPalette::Base);
    if (state_->list) {
        const scene::Colour c = state_->list->background;
        ground = QColor(c.r, c.g, c.b);
    }
    const bool exact = !shown.image.isNull() && shown.logicalSize == size() &&
                       shown.camera == state_->camera.camera();
    painter.fillRect(rect(), ground); // a fractional pixel ratio leaves a sliver at the edges
    if (exact || (!shown.image.isNull() && shown.list != state_->list)) {
        painter.drawImage(QPointF(0, 0), shown.image);
    } else if (!shown.image.isNull()) {
        // The old picture at its new place, for an immediate response.
        const scene::Camera& now = state_->camera.camera();
        const scene::Camera& old = shown.camera;
        const double rx = now.scale_x / old.scale_x, ry = now.scale_y / old.scale_y;
        const double w = shown.logicalSize.width() * rx, h = shown.logicalSize.height() * ry;
        const QRectF target(width() / 2.0 - w / 2 + (old.centre_x - now.centre_x) * now.scale_x,
                            height() / 2.0 - h / 2 + (old.centre_y - now.centre_y) * now.scale_y, w,
                            h);
        painter.drawImage(target, shown.image, QRectF(shown.image.rect()));
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Link), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void SceneCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPointF at = event->position();
    const double notches = event->angleDelta().y() / 120.0;
    if (state_->overlayUnderPointer) {
        state_->input.wheel += static_cast<float>(notches);
        return changed();
    }
    const double sideways = event->angleDelta().x() / 120.0;
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (sideways != 0 || shift) {
        state_->camera.panBy((sideways != 0 ? sideways : notches) * key_pan, 0);
        return cameraMoved();
    }
    if (notches == 0) return;
    const bool fine = event->modifiers().testFlag(Qt::ControlModifier);
    const double factor = std::pow(fine ? fine_step : wheel_step, notches);
    state_->camera.zoomAt(at.x(), at.y(), std::clamp(factor, 1 / wheel_step, wheel_step));
    cameraMoved();
}

void SceneCanvas::mousePressEvent(QMouseEvent* event) {
    if (state_->owner != PressOwner::nobody ||
        (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return;
    event->accept();
    state_->button = event->button();
    state_->pressedAt = state_->lastAt = event->position();
    state_->dragging = state_->released = false;
    if (!state_->panel || event->button() != Qt::LeftButton) {
        state_->owner = PressOwner::canvas;
        return;
    }
    state_->owner = PressOwner::unknown;
    state_->pressSerial = 0;
    state_->input.mouse_x = static_cast<float>(event->position().x());
    state_->input.mouse_y = static_cast<float>(event->position().y());
    state_->input.down = state_->input.pressed = true;
    changed();
}

void SceneCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (state_->panel) {
        state_->input.mouse_x = static_cast<float>(at.x());
        state_->input.mouse_y = static_cast<float>(at.y());
        changed();
    }
    if (state_->owner == PressOwner::canvas) {
        if (!state_->dragging &&
            (at - state_->pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
            state_->dragging = true;
            setCursor(Qt::ClosedHandCursor);
        }
        if (state_->dragging) {
            const QPointF by = at - state_->lastAt;
            state_->lastAt = at;
            state_->camera.panBy(by.x(), by.y());
            cameraMoved();
        }
        return;
    }
    if (event->buttons() != Qt::NoButton) return;
    state_->hoverPosition = at;
    if (!state_->hoverTimer.isActive()) state_->hoverTimer.start();
}

void SceneCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != state_->button || state_->owner == PressOwner::nobody) return;
    event->accept();
    if (state_->input.down) {
        state_->input.down = false;
        changed();
    }
    if (state_->owner == PressOwner::unknown) {
        state_->lastAt = event->position();
        state_->released = true; // judgePress() decides what it was
        return;
    }
    const bool click = state_->owner == PressOwner::canvas && !state_->dragging &&
                       event->button() == Qt::LeftButton;
    state_->owner = PressOwner::nobody;
    state_->button = Qt::NoButton;
    state_->dragging = false;
    unsetCursor();
    if (click) pickAt(state_->pressedAt);
}

void SceneCanvas::judgePress(bool overlayOwnsIt) {
    state_->owner = overlayOwnsIt ? PressOwner::overlay : PressOwner::canvas;
    if (!state_->released) return;
    state_->owner = PressOwner::nobody;
    state_->button = Qt::NoButton;
    if (overlayOwnsIt) return;
    const QPointF by = state_->lastAt - state_->pressedAt;
    if (by.manhattanLength() < QApplication::startDragDistance()) return pickAt(state_->pressedAt);
    state_->camera.panBy(by.x(), by.y());
    cameraMoved();
}

const scene::PickTarget* SceneCanvas::targetAt(QPointF position) const {
    if (!state_->list) return nullptr;
    const scene::Camera& camera = state_->camera.camera();
    return scene::pick(*state_->list, state_->camera.toWorld(position.x(), position.y()),
                       static_cast<float>(pick_reach / camera.scale_x),
                       static_cast<float>(pick_reach / camera.scale_y));
}

void SceneCanvas::pickAt(QPointF position) {
    const scene::PickTarget* target = targetAt(position);
    if (target == nullptr) return Q_EMIT picked(std::nullopt, std::nullopt);
    Q_EMIT picked(target->task, target->key);
}

void SceneCanvas::hoverAt() {
    const scene::PickTarget* target = nullptr;
    if (!state_->overlayUnderPointer && underMouse()) target = targetAt(state_->hoverPosition);
    const auto task = target != nullptr ? target->task : std::nullopt;
    const auto key = target != nullptr ? target->key : std::nullopt;
    if (task == state_->hoveredTask && key == state_->hoveredKey) return;
    state_->hoveredTask = task;
    state_->hoveredKey = key;
    Q_EMIT hovered(task, key, mapToGlobal(state_->hoverPosition.toPoint()));
}

void SceneCanvas::leaveEvent(QEvent*) {
    state_->hoverTimer.stop();
    if (state_->panel) {
        state_->input.mouse_x = state_->input.mouse_y = -1;
        changed();
    }
    if (!state_->hoveredTask && !state_->hoveredKey) return;
    state_->hoveredTask = state_->hoveredKey = std::nullopt;
    Q_EMIT hovered(std::nullopt, std::nullopt, QCursor::pos());
}

bool SceneCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && state_->tooltip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const scene::PickTarget* target =
            state_->overlayUnderPointer ? nullptr : targetAt(QPointF(help->pos()));
        const QString text =
            target != nullptr ? state_->tooltip(target->task, target->key) : QString();
        if (text.isEmpty()) {
            QToolTip::hideText();
            event->ignore();
        } else {
            QToolTip::showText(help->globalPos(), text, this);
        }
        return true;
    }
    // Alt + arrow keys belong to the canvas while it has the focus, whatever the window binds them
    // to.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::AltModifier &&
            (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right ||
             key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::PaletteChange) update();
    return QWidget::event(event);
}

void SceneCanvas::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    if (event->modifiers() & (Qt::ControlModifier | Qt::MetaModifier))
        return QWidget::keyPressEvent(event);
    double across = 0, along = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        across = -1;
        break;
    case Qt::Key_Right:
        across = 1;
        break;
    case Qt::Key_Up:
        along = -1;
        break;
    case Qt::Key_Down:
        along = 1;
        break;
    default:
        break;
    }
    if (alt) {
        if (across == 0 && along == 0) return QWidget::keyPressEvent(event);
        return Q_EMIT stepRequested(static_cast<int>(across), static_cast<int>(along));
    }
    switch (event->key()) {
    case Qt::Key_A:
        across = -1;
        break;
    case Qt::Key_D:
        across = 1;
        break;
    case Qt::Key_W:
        along = -1;
        break;
    case Qt::Key_S:
        along = 1;
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(key_zoom);
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        return zoomBy(1 / key_zoom);
    case Qt::Key_F:
    case Qt::Key_Home:
        return fit();
    default:
        break;
    }
    if (across == 0 && along == 0) return QWidget::keyPressEvent(event);
    // Looking right moves the picture left.
    state_->camera.panBy(-across * key_pan, -along * key_pan);
    cameraMoved();
}

void SceneCanvas::focusInEvent(QFocusEvent*) {
    update();
}

void SceneCanvas::focusOutEvent(QFocusEvent*) {
    update();
}

} // namespace blockloom::ui
