// The heat map of a sweep: one cell per pair of values, filled if measured, dashed and hollow if
// predicted.
#pragma once

#include "canvas/list_canvas.h"
#include "models/tuning_words.h"
#include "report/tuning_map.h"

#include <optional>

namespace blockloom::ui {

/// Hover and the arrow keys say what is in a cell; a click or the keys choose its point, Home the
/// best one.
class TuningMap : public ListCanvas {
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
    [[nodiscard]] const std::optional<Shown>& shown() const { return shown_; }
    [[nodiscard]] QString text() const; ///< the whole map in words
    [[nodiscard]] const report::TuningCells& cells() const { return cells_; }
    [[nodiscard]] QRectF cellAt(int column, int row) const;

    QSize sizeHint() const override { return {640, 240}; }
    QSize minimumSizeHint() const override { return {300, 120}; }

Q_SIGNALS:
    void chosen(std::size_t point);

protected:
    [[nodiscard]] scene::DisplayList makeList(QSize size) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] std::optional<std::size_t> cellUnder(QPointF at) const;
    [[nodiscard]] std::optional<std::size_t> cellOf(std::optional<std::size_t> point) const;
    [[nodiscard]] std::size_t step(std::size_t from, int across, int down) const;
    [[nodiscard]] bool isKnown(std::size_t cell) const;

    std::optional<Shown> shown_;
    report::TuningCells cells_;
};

} // namespace blockloom::ui
