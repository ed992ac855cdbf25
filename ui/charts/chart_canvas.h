// A chart drawn by Qt Charts: it draws axes, curves, marks and bars; what it lacks (bands, error
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

/// Arrow keys step through the chart point by point, and the crosshair follows; + and − zoom there,
/// a drag zooms to a rectangle; 0, Escape or a double click shows everything again. Enter or a
/// click chooses a point. A curve is drawn with at most two points per column of pixels.
class ChartCanvas : public QGraphicsView {
    Q_OBJECT

public:
    /// What a drag does.
    enum class Drag { zoom, brush };

    explicit ChartCanvas(QWidget* parent = nullptr);
    ~ChartCanvas() override;

    /// If the chart has the same shape as the current one, only values change: no series is
    /// rebuilt, and the zoom stays.
    void setShown(charts::Chart chart);
    void setBands(std::vector<charts::Band> bands, std::string summary);
    [[nodiscard]] const charts::Chart& shown() const { return shown_; }
    [[nodiscard]] QChart* chart() const { return chart_; }
    void setDrag(Drag drag) { drag_ = drag; }
    /// For a small place: no titles, only the axis below, on the panel's ground.
    void setCompact(bool compact);

    /// Ranges of the x and y axes as values.
    using Range = std::pair<double, double>;
    [[nodiscard]] std::pair<Range, Range> visible() const;
    [[nodiscard]] bool isZoomed() const { return zoomed_; }
    void zoomTo(Range x, Range y);
    void zoomBy(double factor); ///< around the crosshair, else around the middle
    void resetZoom();

    /// Position of a point in pixels of the widget.
    [[nodiscard]] QPointF placeOf(const charts::Point& point) const;
    [[nodiscard]] QRectF plot() const; ///< pixels of the widget
    /// Area of a point: its bar, or a small square around its mark.
    [[nodiscard]] QRectF areaOf(std::size_t series, std::size_t point) const;
    [[nodiscard]] QString readings() const; ///< the crosshair's values on both axes; empty: none
    /// Series and point under the crosshair; none: it is hidden or between points.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> current() const;
    /// A description of each point, in the order in which the keys step through them.
    [[nodiscard]] QStringList words() const;
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(std::size_t series, std::size_t id); ///< a point, by click or Enter
    void brushed(double from, double to);            ///< range of x; a click: from == to
    void brushEnded();
    void pointed(const QString& words); ///< the crosshair's new text

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
    void refresh();   ///< rebuilds points, ticks and items for the visible range
    void wear();      ///< applies the theme's colours
    void drawItems(); ///< bands, labels and what else is not a series of Qt Charts
    void describe();
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
    void pointAt(std::optional<std::size_t> spot, bool announce);
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
    bool zoomed_ = false, dragged_ = false, refreshing_ = false, compact_ = false;
};

} // namespace blockloom::ui
