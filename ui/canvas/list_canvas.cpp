#include "canvas/list_canvas.h"

#include "canvas/list_painter.h"
#include "look/theme_style.h"

#include <QEvent>
#include <QPainter>

namespace blockloom::ui {

ListCanvas::ListCanvas(QWidget* parent) : QWidget(parent) {}

const scene::DisplayList& ListCanvas::list() const {
    if (list_ == nullptr) list_ = std::make_unique<const scene::DisplayList>(makeList(size()));
    return *list_;
}

void ListCanvas::remake() {
    list_.reset();
    update();
}

void ListCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(list().background));
    for (const scene::Layer& layer : list().layers) paint_layer(painter, layer);
}

void ListCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    remake();
}

void ListCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) remake();
}

void ListCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    remake();
}

void ListCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    remake();
}

} // namespace blockloom::ui
