#include "canvas/widget_svg.h"

#include "base/file.h"

#include <QApplication>
#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <QWidget>

namespace blockloom::ui {

Status write_svg(QWidget& widget, const QString& title, const QString& path) {
    if (widget.size().isEmpty())
        return Error{ErrorCode::wrong_usage, "expected a drawing to export, found nothing"};
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(widget.size());
        generator.setViewBox(widget.rect());
        generator.setResolution(widget.logicalDpiX());
        generator.setTitle(title);
        // The focus ring is not part of a drawing.
        QWidget* const focus = QApplication::focusWidget();
        const bool inside = focus != nullptr && (focus == &widget || widget.isAncestorOf(focus));
        if (inside) focus->clearFocus();
        QPainter painter(&generator);
        widget.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
        if (inside) focus->setFocus();
    }
    return write_file(path.toStdString(), as_bytes(bytes.toStdString()));
}

} // namespace blockloom::ui
