#include "canvas/list_canvas.h"

#include "look/theme_style.h"
#include "scene/renderer.h"
#include "text/to_qt.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cstring>

namespace blockloom::ui {
namespace {

scene::FrameRequest request_of(const scene::DisplayList& list, qreal ratio) {
    scene::FrameRequest request;
    request.base = std::make_shared<const scene::DisplayList>(list);
    request.width = static_cast<int>(list.world.width * static_cast<float>(ratio));
    request.height = static_cast<int>(list.world.height * static_cast<float>(ratio));
    request.pixel_ratio = static_cast<float>(ratio);
    return request;
}

} // namespace

ListCanvas::ListCanvas(const char* object, const QString& name, QWidget* parent) : QWidget(parent) {
    setObjectName(QLatin1StringView(object));
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void ListCanvas::setMake(Make make) {
    make_ = std::move(make);
    at_.reset();
    remake();
}

void ListCanvas::setContentHeight(int pixels) {
    height_ = pixels;
    setSizePolicy(QSizePolicy::Expanding,
                  pixels == 0 ? QSizePolicy::Expanding : QSizePolicy::Fixed);
    updateGeometry();
}

QSize ListCanvas::sizeHint() const {
    return {480, height_ == 0 ? 240 : height_};
}

QSize ListCanvas::minimumSizeHint() const {
    return {240, height_ == 0 ? 190 : height_};
}

/// The content is cheap and at hand for screen readers; the picture waits until it is seen.
void ListCanvas::remake() {
    content_ =
        make_ && width() > 0 && height() > 0
            ? make_(current_theme(), static_cast<float>(width()), static_cast<float>(height()))
            : Content();
    if (at_ && *at_ >= content_.marks.size()) at_.reset();
    setAccessibleDescription(to_qt(content_.list.summary));
    stale_ = true;
    update();
}

void ListCanvas::draw() {
    stale_ = false;
    image_ = QImage();
    if (content_.list.layers.empty()) return;
    const auto frame =
        scene::make_cairo_renderer()->render(request_of(content_.list, devicePixelRatioF()));
    if (!frame) return;
    const scene::Image& drawn = frame->image;
    image_ = QImage(drawn.width, drawn.height, QImage::Format_RGB32);
    for (int row = 0; row < drawn.height; ++row)
        std::memcpy(image_.scanLine(row),
                    drawn.bgra.data() +
                        static_cast<std::size_t>(row) * 4 * static_cast<std::size_t>(drawn.width),
                    static_cast<std::size_t>(drawn.width) * 4);
    image_.setDevicePixelRatio(devicePixelRatioF());
}

void ListCanvas::paintEvent(QPaintEvent*) {
    if (stale_) draw();
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(theme.canvas));
    if (!image_.isNull()) painter.drawImage(0, 0, image_);
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    if (at_) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(qcolor(theme.pick), 2));
        if (const QRectF area = content_.marks[*at_].area; area.isEmpty())
            painter.drawEllipse(content_.marks[*at_].at, 9, 9);
        else
            painter.drawRect(area.adjusted(-1, -1, 1, 1));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.setPen(QPen(qcolor(theme.accent), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void ListCanvas::resizeEvent(QResizeEvent*) {
    remake();
}

void ListCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) remake();
}

const ListCanvas::Mark* ListCanvas::markNear(QPointF at) const {
    constexpr double reach = 10;
    const Mark* found = nullptr;
    double nearest = reach * reach;
    for (const Mark& mark : content_.marks)
        if (mark.area.contains(at)) return &mark;
    for (const Mark& mark : content_.marks) {
        const QPointF off = mark.at - at;
        const double square = QPointF::dotProduct(off, off);
        if (square > nearest) continue;
        nearest = square;
        found = &mark;
    }
    return found;
}

bool ListCanvas::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const Mark* mark = markNear(help->pos()))
        QToolTip::showText(help->globalPos(), mark->words, this);
    else
        QToolTip::hideText();
    return true;
}

void ListCanvas::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
                     : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up  ? -1
                                                                                   : 0;
    if (step == 0 || content_.marks.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto count = static_cast<int>(content_.marks.size());
    const int from = at_ ? static_cast<int>(*at_) : step > 0 ? -1 : count;
    at_ = static_cast<std::size_t>(std::clamp(from + step, 0, count - 1));
    const Mark& mark = content_.marks[*at_];
    setAccessibleDescription(mark.words);
    QToolTip::showText(mapToGlobal(mark.at.toPoint() + QPoint(8, 12)), mark.words, this);
    update();
}

Status ListCanvas::exportTo(const QString& path) const {
    const auto kind =
        path.endsWith(QLatin1StringView(".svg"), Qt::CaseInsensitive)   ? scene::FileKind::svg
        : path.endsWith(QLatin1StringView(".pdf"), Qt::CaseInsensitive) ? scene::FileKind::pdf
                                                                        : scene::FileKind::png;
    if (content_.list.layers.empty())
        return Error{ErrorCode::wrong_usage, "there is no chart to export yet"};
    return scene::export_view(request_of(content_.list, 1), kind, path.toStdString());
}

} // namespace blockloom::ui
