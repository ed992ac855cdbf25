// What Qt Charts lacks, as items on its scene: bands with hatches, error bars, labels that avoid
// each other, and a crosshair with its values.
#pragma once

#include "charts/chart.h"

#include <QGraphicsItem>

#include <functional>
#include <optional>

namespace blockloom::ui {

/// Under the series: bands. Over them: error bars, dashes, labels.
class ChartItems : public QGraphicsItem {
public:
    enum class Layer { under, over };
    /// Maps values to pixels of the chart.
    using Place = std::function<QPointF(double x, double y)>;

    ChartItems(Layer layer, QGraphicsItem* parent);
    /// `chart` must outlive this item.
    void setShown(const charts::Chart* chart, Place place, QRectF plot);

    [[nodiscard]] QRectF boundingRect() const override { return area_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintBand(QPainter& painter, const charts::Band& band) const;
    void paintRamp(QPainter& painter, const charts::Series& series) const;
    void paintErrors(QPainter& painter, const charts::Series& series) const;
    void paintLabels(QPainter& painter) const;

    Layer layer_;
    const charts::Chart* chart_ = nullptr;
    Place place_;
    QRectF plot_, area_;
};

/// Two hairlines with their values on the axes.
class ChartCrosshair : public QGraphicsItem {
public:
    explicit ChartCrosshair(QGraphicsItem* parent);
    void setAt(std::optional<QPointF> at, const QString& across, const QString& up, QRectF plot);
    void setRing(QRectF ring); ///< around the current point; empty: none
    [[nodiscard]] std::optional<QPointF> at() const { return at_; }
    [[nodiscard]] QString readings() const; ///< "4, 2.5×"

    [[nodiscard]] QRectF boundingRect() const override { return area_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    std::optional<QPointF> at_;
    QString across_, up_;
    QRectF plot_, ring_, area_;
};

/// A fill of diagonal stripes: serial.
[[nodiscard]] QBrush hatched_brush(const QColor& ground, const QColor& stripe, qreal pixel_ratio);

} // namespace blockloom::ui
