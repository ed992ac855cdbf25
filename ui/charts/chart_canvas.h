// A chart drawn by Qt Charts: axes, curves, marks and bars are its own; what it lacks (bands, error
// bars, labels, the crosshair) are items on its scene.
#pragma once

#include "charts/chart.h"

#include <QGraphicsView>

#include <optional>
#include <utility>
#include <vector>

class QAbstractSeries;
class QCategoryAxis;
class QChart;
class QRubberBand;

namespace blockloom::ui {

class ChartCrosshair;
class ChartItems;

/// Arrows walk what the chart shows, point by point, and the crosshair follows; + and − zoom there,
/// a drag zooms to a rectangle; 0, Escape or a double click show all again. Enter or a click choose
/// a point. No more is drawn of a curve than two points a column of pixels.
class ChartCanvas : public QGraphicsView {
    Q_OBJECT

public:
    /// What a drag does.
    enum class Drag { zoom, brush };

    explicit ChartCanvas(QWidget* parent = nullptr);
    ~ChartCanvas() override;

    /// Of a chart of the same shape only values change: nothing is made again, and what is zoomed
    /// stays so.
    void setShown(charts::Chart chart);
    [[nodiscard]] const charts::Chart& shown() const { return shown_; }
    [[nodiscard]] QChart* chart() const { return chart_; }
    void setDrag(Drag drag) { drag_ = drag; }

    /// Ranges of the axes as values: of x, of y.
    using Range = std::pair<double, double>;
    [[nodiscard]] std::pair<Range, Range> visible() const;
    [[nodiscard]] bool isZoomed() const { return zoomed_; }
    void zoomTo(Range x, Range y);
    void zoomBy(double factor); ///< around the crosshair, else the middle
    void resetZoom();

    /// Where a point stands, pixels of the widget.
    [[nodiscard]] QPointF placeOf(const charts::Point& point) const;
    [[nodiscard]] QRectF plot() const; ///< pixels of the widget
    /// What a point covers: a bar, or a small square around a mark.
    [[nodiscard]] QRectF areaOf(std::size_t series, std::size_t point) const;
    [[nodiscard]] QString readings() const; ///< of the crosshair on both axes; empty: none
    /// What the crosshair is on, as series and point; none: nothing, or a place between points.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> current() const;
    /// Everything that says something, in the order in which keys walk it.
    [[nodiscard]] QStringList words() const;

Q_SIGNALS:
    void chosen(std::size_t series, std::size_t id); ///< a point, by click or Enter
    void brushed(double from, double to);            ///< of x; a click: from == to
    void brushEnded();
    void pointed(const QString& words); ///< what the crosshair says now

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    struct Spot {
        std::size_t series, point;
    };
    void rebuild();
    void refresh(); ///< points, ticks and items for what is visible
    void wear();    ///< the theme's colours
    void setAxes();
    void placeTicks();
    void findSpots();
    void showRanges(Range x, Range y); ///< places
    void brush(QPoint from, QPoint to);
    [[nodiscard]] double turned(double place) const;
    [[nodiscard]] QPointF toQt(double x, double y) const;    ///< values as Qt Charts has them
    [[nodiscard]] QPointF pixelOf(double x, double y) const; ///< of values
    [[nodiscard]] QPointF placesAt(QPointF pixel) const;     ///< of x and of y
    [[nodiscard]] const charts::Point& pointOf(const Spot& spot) const;
    [[nodiscard]] std::optional<std::size_t> spotNear(QPointF at) const;
    void pointAt(std::optional<std::size_t> spot, bool tell);
    void pointAtPixel(QPointF at);

    charts::Chart shown_;
    QChart* chart_;
    QCategoryAxis *across_, *up_;
    std::vector<std::vector<QAbstractSeries*>> drawn_; ///< of each series of the chart
    QAbstractSeries* bars_ = nullptr;                  ///< of all series of bars
    ChartItems *under_, *over_;
    ChartCrosshair* crosshair_;
    QRubberBand* band_;
    std::vector<Spot> spots_; ///< in the order in which keys walk them
    std::optional<std::size_t> at_;
    std::optional<QPoint> pressed_;
    Drag drag_ = Drag::zoom;
    Range x_{0, 1}, y_{0, 1}; ///< what is visible, places
    bool zoomed_ = false, dragged_ = false, refreshing_ = false;
};

} // namespace blockloom::ui
