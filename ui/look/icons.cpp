#include "look/icons.h"

#include "look/theme_style.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace blockloom::ui {
namespace {

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap drawn(const QByteArray& svg, QSize size) {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(svg);
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

QPixmap coloured(const QString& name, scene::Colour colour, QSize size) {
    const QString hex = qcolor(colour).name(QColor::HexRgb);
    const QString key =
        QStringLiteral("blockloom/%1/%2/%3x%4").arg(name, hex).arg(size.width()).arg(size.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    QByteArray svg = read(QStringLiteral(":/icons/%1.svg").arg(name));
    svg.replace("currentColor", hex.toLatin1());
    pixmap = drawn(svg, size);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class Engine final : public QIconEngine {
public:
    explicit Engine(QString name) : name_(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode,
               QIcon::State state) override {
        const double ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return coloured(name_, colour(mode, state), size);
    }

    QIconEngine* clone() const override { return new Engine(name_); }
    QString key() const override { return QStringLiteral("blockloom"); }
    QString iconName() override { return name_; }
    bool isNull() override { return !QFile::exists(QStringLiteral(":/icons/%1.svg").arg(name_)); }

private:
    static scene::Colour colour(QIcon::Mode mode, QIcon::State state) {
        const scene::Theme& theme = current_theme();
        if (mode == QIcon::Disabled) return theme.text3;
        return mode == QIcon::Active || state == QIcon::On ? theme.text : theme.text2;
    }

    QString name_;
};

} // namespace

QIcon icon(const char* name) {
    return QIcon(new Engine(QString(QLatin1StringView(name))));
}

QPixmap icon_pixmap(const char* name, scene::Colour colour, int pixels, double ratio) {
    const int device = qRound(pixels * ratio);
    QPixmap pixmap = coloured(QLatin1StringView(name), colour, {device, device});
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

QPixmap logo(int height, double ratio) {
    const QString svg =
        with_roles(QString::fromUtf8(read(QStringLiteral(":/logo.svg"))), current_theme());
    const QSize size(qRound(height * ratio * 80 / 70), qRound(height * ratio));
    QPixmap pixmap = drawn(svg.toUtf8(), size);
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

} // namespace blockloom::ui
