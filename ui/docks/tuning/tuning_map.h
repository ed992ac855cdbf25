// The heat map of a sweep: one cell per pair of values, filled if measured, dashed and hollow if
// predicted.
#pragma once

#include "models/tuning_words.h"

#include <QWidget>

#include <optional>

namespace blockloom::ui {

class TuningMap : public QWidget {
    Q_OBJECT

public:
    /// What is drawn; texts come from the caller, figures from the engine.
    struct Shown {
        runs::HeatMap map;
        QStringList x, y; ///< labels of columns and rows
        QString x_title, y_title;
        TuningScale scale;
        std::optional<std::size_t> best, measuring, chosen; ///< points
    };

    explicit TuningMap(QWidget* parent = nullptr);
    void setShown(std::optional<Shown> shown);
    [[nodiscard]] QString text() const; ///< the whole map in words
    /// The slowest and the fastest time of the cells; none: no cell has a time.
    [[nodiscard]] std::optional<std::pair<double, double>> ends() const;
    /// Whether the best point, or one of the optimum band, is among the cells.
    [[nodiscard]] bool showsBest() const;
    [[nodiscard]] bool showsBand() const;
    /// Position of a time on the colour ramp: the last stop is the best value.
    [[nodiscard]] std::size_t stop_of(double time) const;
    static constexpr std::size_t stops = 256;
    [[nodiscard]] QRectF cellAt(int column, int row) const;

    QSize sizeHint() const override { return {640, 240}; }
    QSize minimumSizeHint() const override { return {300, 120}; }

Q_SIGNALS:
    void chosen(std::size_t point);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] const runs::HeatMap::Cell* cell(int column, int row) const;
    [[nodiscard]] std::optional<std::pair<int, int>> placeAt(QPointF at) const;
    [[nodiscard]] std::optional<std::pair<int, int>> placeOf(std::size_t point) const;
    [[nodiscard]] QString about(int column, int row) const;
    void paintCell(QPainter& painter, int column, int row) const;
    void paintBand(QPainter& painter) const;

    std::optional<Shown> shown_;
};

} // namespace blockloom::ui
