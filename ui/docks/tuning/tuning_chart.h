// Time over the largest batch, both axes logarithmic: measured points filled, predicted ones
// hollow, the optimum as a band, the CPU as lines and where they are crossed.
#pragma once

#include "models/tuning_words.h"

#include <QWidget>

#include <optional>

namespace blockloom::ui {

class TuningChart : public QWidget {
    Q_OBJECT

public:
    struct Shown {
        runs::TuningCurve curve;
        TuningScale scale;
        QString name;                    ///< of the curve's device
        std::optional<std::uint64_t> at; ///< the batch that the slider stands on
    };

    explicit TuningChart(QWidget* parent = nullptr);
    void setShown(std::optional<Shown> shown);
    [[nodiscard]] QString text() const;                     ///< all of it in words
    [[nodiscard]] QPointF placeOf(std::size_t index) const; ///< of a point of the curve

    QSize sizeHint() const override { return {640, 220}; }
    QSize minimumSizeHint() const override { return {300, 120}; }

Q_SIGNALS:
    void chosen(std::size_t point);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRectF frame() const;
    [[nodiscard]] double x_of(double batch) const;
    [[nodiscard]] double y_of(double time) const;
    [[nodiscard]] std::pair<double, double> times() const; ///< shortest, longest of the axis
    [[nodiscard]] QString about(const runs::TuningCurve::Point& point) const;
    void paintAxes(QPainter& painter) const;
    void paintBand(QPainter& painter) const;
    void paintCpu(QPainter& painter) const;
    void paintCurve(QPainter& painter) const;
    void paintCrossing(QPainter& painter) const;
    [[nodiscard]] scene::Colour colour() const;

    std::optional<Shown> shown_;
};

} // namespace blockloom::ui
