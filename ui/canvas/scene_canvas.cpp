#include "canvas/canvas_state.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QResizeEvent>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {

SceneCanvas::SceneCanvas(Axes axes, QWidget* parent)
    : SceneCanvas(
          axes, [](std::string& why) { return scene::make_renderer(why); }, parent) {}

SceneCanvas::SceneCanvas(Axes axes, RendererFactory factory, QWidget* parent)
    : QWidget(parent), state_(std::make_unique<State>(axes, std::move(factory))) {
    setFocusPolicy(Qt::StrongFocus);
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
    setAccessibleDescription(state_->list ? QString::fromStdString(state_->list->summary)
                                          : QString());
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
    update(); // the old picture at its new place, until the new one is there
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
    const bool pressIsNew = state_->input.pressed;
    if (state_->panel) {
        scene::OverlayFrame overlay;
        overlay.panel = *state_->panel;
        overlay.input = state_->input;
        overlay.last_frame_ns = state_->shown.renderNs;
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
        Q_EMIT overlayChanged(QString::fromStdString(change.id), change.value);
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
    // What was asked for while hidden waited.
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
        // The old picture where its world is now: answers the hand at once.
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

} // namespace blockloom::ui
