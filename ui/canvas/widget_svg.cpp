#include "canvas/widget_svg.h"

#include "base/file.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <QWidget>

namespace blockloom::ui {

Status write_svg(QWidget& widget, const QString& title, const QString& path) {
    if (widget.size().isEmpty())
        return Error{ErrorCode::wrong_usage, "expected something that is drawn, found nothing"};
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
        QPainter painter(&generator);
        widget.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
    }
    return write_file(path.toStdString(), as_bytes(bytes.toStdString()));
}

} // namespace blockloom::ui
