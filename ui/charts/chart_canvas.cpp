#include "charts/chart_canvas.h"

#include "charts/axis.h"
#include "charts/chart_items.h"
#include "charts/chart_series.h"
#include "look/theme_style.h"
#include "text/to_qt.h"

#include <QAbstractSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QMouseEvent>
#include <QPainter>
#include <QRubberBand>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace blockloom::ui {
namespace {

using charts::Axis;
using charts::Kind;

constexpr double reach = 12; ///< pixels from a point at which it is meant
constexpr int click = 6;     ///< pixels: a shorter drag is a click

ChartCanvas::Range whole(const Axis& axis) {
    return {charts::place_of(axis, axis.from), charts::place_of(axis, axis.to)};
}

/// Within the whole, and never too short for the numbers' precision.
ChartCanvas::Range held(ChartCanvas::Range range, const ChartCanvas::Range& all) {
    const double most = all.second - all.first;
    if (range.first > range.second) std::swap(range.first, range.second);
    if (range.second - range.first >= most * (1 - 1e-9)) return all;
    const double length = std::max(range.second - range.first, most / 1e4);
    range.first = std::clamp(range.first, all.first, all.second - length);
    return {range.first, range.first + length};
}

/// The scene would put its own tool tip, an empty one, in place of what the crosshair says.
class NoSceneTips final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject*, QEvent* event) override { return event->type() == QEvent::ToolTip; }
};

} // namespace

ChartCanvas::ChartCanvas(QWidget* parent)
    : QGraphicsView(parent), chart_(new QChart), across_(new QCategoryAxis), up_(new QCategoryAxis),
      under_(new ChartItems(ChartItems::Layer::under, chart())),
      over_(new ChartItems(ChartItems::Layer::over, chart())),
      crosshair_(new ChartCrosshair(chart())),
      band_(new QRubberBand(QRubberBand::Rectangle, viewport())) {
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->installEventFilter(new NoSceneTips(this));
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // No QChartView: its rubber band zooms beyond the chart, and by a click.
    setScene(new QGraphicsScene(this));
    scene()->addItem(chart_);
    QChart* const drawn = chart();
    drawn->setAnimationOptions(QChart::NoAnimation);
    drawn->legend()->hide(); // LegendStrip knows hatches and hollow marks
    drawn->setBackgroundRoundness(0);
    drawn->setMargins(QMargins(6, 6, 12, 4));
    drawn->layout()->setContentsMargins(0, 0, 0, 0);
    drawn->addAxis(across_, Qt::AlignBottom);
    drawn->addAxis(up_, Qt::AlignLeft);
    for (QCategoryAxis* axis : {across_, up_}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false); // placeTicks() leaves each its room
    }
    connect(drawn, &QChart::plotAreaChanged, this, &ChartCanvas::refresh);
    wear();
}

ChartCanvas::~ChartCanvas() = default;

void ChartCanvas::setShown(charts::Chart chart) {
    const bool same = same_shape(shown_, chart);
    const bool extent = shown_.x.scale == chart.x.scale && shown_.y.scale == chart.y.scale &&
                        whole(shown_.x) == whole(chart.x) && whole(shown_.y) == whole(chart.y);
    shown_ = std::move(chart);
    if (!same) rebuild();
    if (!extent || !same) zoomed_ = false;
    if (!zoomed_) {
        x_ = whole(shown_.x);
        y_ = whole(shown_.y);
    }
    describe();
    const auto was = at_;
    findSpots();
    setAxes();
    refresh();
    if (was && !same) pointAt(std::nullopt, false);
}

void ChartCanvas::setBands(std::vector<charts::Band> bands, std::string summary) {
    shown_.bands = std::move(bands);
    shown_.summary = std::move(summary);
    describe();
    drawItems();
}

void ChartCanvas::describe() {
    setAccessibleDescription(to_qt(shown_.summary.empty() ? shown_.title : shown_.summary));
}

void ChartCanvas::setCompact(bool compact) {
    compact_ = compact;
    chart()->setMargins(compact ? QMargins(0, 2, 0, 0) : QMargins(6, 6, 12, 4));
    up_->setVisible(!compact);
    wear();
    setAxes();
}

QSize ChartCanvas::sizeHint() const {
    return compact_ ? QSize(200, minimumHeight()) : QGraphicsView::sizeHint();
}

void ChartCanvas::rebuild() {
    chart()->removeAllSeries();
    drawn_.clear();
    const auto add = [this](QAbstractSeries* series) {
        chart()->addSeries(series);
        series->attachAxis(across_);
        series->attachAxis(up_);
    };
    bars_ = make_bars(shown_);
    if (bars_ != nullptr) add(bars_);
    for (const charts::Series& series : shown_.series) {
        drawn_.push_back(make_series(series));
        for (QAbstractSeries* one : drawn_.back()) add(one);
    }
    wear();
}

void ChartCanvas::wear() {
    const scene::Theme& theme = current_theme();
    QChart* const drawn = chart();
    const QColor ground = qcolor(compact_ ? theme.panel : theme.canvas);
    setBackgroundBrush(ground);
    drawn->setBackgroundBrush(ground);
    drawn->setBackgroundPen(QPen(Qt::NoPen));
    for (QCategoryAxis* axis : {across_, up_}) {
        axis->setLabelsFont(text_font(11));
        axis->setTitleFont(text_font(11));
        axis->setLabelsColor(qcolor(theme.text2));
        axis->setTitleBrush(qcolor(theme.text3));
        axis->setLinePenColor(qcolor(theme.control_border));
        axis->setGridLineColor(qcolor(theme.grid));
        axis->setShadesVisible(false);
    }
    for (std::size_t i = 0; i < drawn_.size(); ++i) wear_series(drawn_[i], shown_.series[i]);
    wear_bars(bars_, shown_, devicePixelRatioF());
    viewport()->update();
}

/// Rows are counted from the top: their axis runs the other way.
double ChartCanvas::turned(double place) const {
    if (!shown_.rows) return place;
    const Range all = whole(shown_.x);
    return all.first + all.second - place;
}

QPointF ChartCanvas::toQt(double x, double y) const {
    const double a = std::clamp(charts::place_of(shown_.x, x), -1e12, 1e12),
                 b = std::clamp(charts::place_of(shown_.y, y), -1e12, 1e12);
    return shown_.rows ? QPointF(b, turned(a)) : QPointF(a, b);
}

void ChartCanvas::setAxes() {
    if (shown_.rows) {
        across_->setRange(y_.first, y_.second);
        up_->setRange(turned(x_.second), turned(x_.first));
    } else {
        across_->setRange(x_.first, x_.second);
        up_->setRange(y_.first, y_.second);
    }
    const Axis& below = shown_.rows ? shown_.y : shown_.x;
    const Axis& beside = shown_.rows ? shown_.x : shown_.y;
    const auto set = [this](QCategoryAxis* axis, const Axis& of, bool grid) {
        if (axis->titleText() != to_qt(of.title)) axis->setTitleText(to_qt(of.title));
        axis->setTitleVisible(!of.title.empty() && !compact_);
        axis->setGridLineVisible(grid && of.named.empty() && !of.unmarked);
        axis->setLabelsVisible(!of.unmarked || axis == up_); // see placeTicks()
        axis->setLineVisible(!of.unmarked); // without labels Qt Charts leaves it where it was first
    };
    set(across_, below, shown_.rows);
    set(up_, beside, !shown_.rows);
}

void ChartCanvas::placeTicks() {
    const QRectF plot = chart()->plotArea();
    const auto place = [](QCategoryAxis* axis,
                          const std::vector<std::pair<double, QString>>& marks) {
        QStringList labels;
        for (const auto& [at, label] : marks) labels.append(label);
        bool same = axis->categoriesLabels() == labels;
        for (qsizetype i = 0; same && i < labels.size(); ++i)
            same = axis->endValue(labels.at(i)) == marks[static_cast<std::size_t>(i)].first;
        if (same) return;
        for (const QString& label : axis->categoriesLabels()) axis->remove(label);
        axis->setStartValue(axis->min());
        for (const auto& [at, label] : marks) axis->append(label, at);
    };
    const auto marks_of = [&](const Axis& axis, const Range& range, double pixels, bool upright,
                              bool turn) {
        std::vector<std::pair<double, QString>> marks;
        // An empty label, or Qt Charts would have no room for the first label of the other axis.
        if (axis.unmarked)
            return decltype(marks){{(range.first + range.second) / 2, QString(4, QChar(0xA0))}};
        QStringList used;
        for (const charts::Tick& tick :
             charts::ticks_of(axis, charts::value_at(axis, range.first),
                              charts::value_at(axis, range.second), pixels, upright)) {
            QString label = to_qt(tick.label);
            while (used.contains(label)) label += QChar(0x200B); // Qt Charts wants each once
            used.append(label);
            const double at = charts::place_of(axis, tick.at);
            marks.emplace_back(turn ? turned(at) : at, label);
        }
        if (turn) std::reverse(marks.begin(), marks.end());
        // A mark on the very edge is no category for Qt Charts.
        if (!marks.empty()) {
            const double edge = turn ? turned(range.second) : range.first;
            marks.front().first =
                std::max(marks.front().first, edge + (range.second - range.first) * 1e-6);
        }
        return marks;
    };
    if (shown_.rows) {
        place(across_, marks_of(shown_.y, y_, plot.width(), false, false));
        place(up_, marks_of(shown_.x, x_, plot.height(), true, true));
    } else {
        place(across_, marks_of(shown_.x, x_, plot.width(), false, false));
        place(up_, marks_of(shown_.y, y_, plot.height(), true, false));
    }
}

void ChartCanvas::refresh() {
    if (refreshing_) return;
    refreshing_ = true;
    placeTicks();
    const auto columns = static_cast<std::size_t>(std::max(chart()->plotArea().width(), 100.0));
    const double from = charts::value_at(shown_.x, x_.first),
                 to = charts::value_at(shown_.x, x_.second);
    for (std::size_t i = 0; i < drawn_.size(); ++i)
        fill_series(
            drawn_[i], shown_.series[i], [this](double x, double y) { return toQt(x, y); }, from,
            to, columns);
    drawItems();
    refreshing_ = false;
    if (at_) pointAt(at_, false);
}

void ChartCanvas::drawItems() {
    const auto pixel = [this](double x, double y) { return pixelOf(x, y); };
    under_->setShown(&shown_, pixel, chart()->plotArea());
    over_->setShown(&shown_, pixel, chart()->plotArea());
}

QPointF ChartCanvas::pixelOf(double x, double y) const {
    const QRectF plot = chart()->plotArea();
    const auto share = [](const Axis& axis, double value, const Range& range) {
        const double room = range.second - range.first;
        const double found = room > 0 ? (charts::place_of(axis, value) - range.first) / room : 0.5;
        return std::clamp(found, -50.0, 50.0);
    };
    const double a = share(shown_.x, x, x_), b = share(shown_.y, y, y_);
    if (shown_.rows) return {plot.left() + b * plot.width(), plot.top() + a * plot.height()};
    return {plot.left() + a * plot.width(), plot.bottom() - b * plot.height()};
}

QPointF ChartCanvas::placesAt(QPointF pixel) const {
    const QRectF plot = chart()->plotArea();
    const double a = (pixel.x() - plot.left()) / std::max(plot.width(), 1.0);
    const double b = (plot.bottom() - pixel.y()) / std::max(plot.height(), 1.0);
    const auto at = [](const Range& range, double share) {
        return range.first + share * (range.second - range.first);
    };
    return shown_.rows ? QPointF(at(x_, 1 - b), at(y_, a)) : QPointF(at(x_, a), at(y_, b));
}

QPointF ChartCanvas::placeOf(const charts::Point& point) const {
    return pixelOf(point.x, point.y);
}

QRectF ChartCanvas::plot() const {
    return chart()->plotArea();
}

void ChartCanvas::findSpots() {
    spots_.clear();
    for (std::size_t s = 0; s < shown_.series.size(); ++s)
        for (std::size_t i = 0; i < shown_.series[s].points.size(); ++i)
            if (!shown_.series[s].points[i].words.empty()) spots_.push_back({s, i});
    const auto order = [this](const Spot& spot) {
        const charts::Point& point = pointOf(spot);
        return std::tuple(point.x, point.from, spot.series);
    };
    std::stable_sort(spots_.begin(), spots_.end(),
                     [&](const Spot& a, const Spot& b) { return order(a) < order(b); });
    // Two parts of one bar with the same text are one stop.
    spots_.erase(std::unique(spots_.begin(), spots_.end(),
                             [this](const Spot& a, const Spot& b) {
                                 return pointOf(a).words == pointOf(b).words;
                             }),
                 spots_.end());
    if (at_ && *at_ >= spots_.size()) at_.reset();
}

const charts::Point& ChartCanvas::pointOf(const Spot& spot) const {
    return shown_.series[spot.series].points[spot.point];
}

QRectF ChartCanvas::areaOf(std::size_t series, std::size_t point) const {
    const charts::Series& of = shown_.series[series];
    const charts::Point& at = of.points[point];
    const QPointF end = pixelOf(at.x, at.y);
    if (of.kind != Kind::bars) return {end.x() - 5, end.y() - 5, 10, 10};
    const double half = static_cast<double>(of.bar_width) / 2;
    return QRectF(pixelOf(at.x - half, at.from), pixelOf(at.x + half, at.y)).normalized();
}

std::optional<std::size_t> ChartCanvas::spotNear(QPointF at) const {
    std::optional<std::size_t> found;
    double nearest = reach * reach;
    for (std::size_t i = 0; i < spots_.size(); ++i) {
        const Spot& spot = spots_[i];
        const QRectF area = areaOf(spot.series, spot.point);
        if (shown_.series[spot.series].kind == Kind::bars) {
            if (area.adjusted(-0.5, -0.5, 0.5, 0.5).contains(at)) return i;
            continue;
        }
        const QPointF off = area.center() - at;
        const double square = QPointF::dotProduct(off, off);
        if (square > nearest) continue;
        nearest = square;
        found = i;
    }
    return found;
}

void ChartCanvas::pointAt(std::optional<std::size_t> spot, bool announce) {
    at_ = spot;
    if (!spot) {
        crosshair_->setRing({});
        crosshair_->setAt(std::nullopt, {}, {}, chart()->plotArea());
        return;
    }
    const charts::Point& point = pointOf(spots_[*spot]);
    const QRectF area = areaOf(spots_[*spot].series, spots_[*spot].point);
    const bool bar = shown_.series[spots_[*spot].series].kind == Kind::bars;
    const QPointF at = bar ? pixelOf(point.x, point.y) : area.center();
    const QString x = to_qt(charts::text_of(shown_.x, point.x)),
                  y = to_qt(charts::text_of(shown_.y, bar ? point.y - point.from : point.y));
    const bool inside = chart()->plotArea().adjusted(-1, -1, 1, 1).contains(at);
    crosshair_->setRing(inside ? area.intersected(chart()->plotArea().adjusted(-8, -8, 8, 8))
                               : QRectF());
    crosshair_->setAt(inside ? std::optional(at) : std::nullopt, shown_.rows ? y : x,
                      shown_.y.unmarked ? QString()
                      : shown_.rows     ? QString()
                                        : y,
                      chart()->plotArea());
    if (!announce) return;
    const QString words = to_qt(point.words);
    setAccessibleDescription(words);
    QToolTip::showText(mapToGlobal(at.toPoint() + QPoint(10, 14)), words, this);
    Q_EMIT pointed(words);
}

void ChartCanvas::pointAtPixel(QPointF at) {
    if (const auto spot = spotNear(at)) return pointAt(spot, true);
    QToolTip::hideText();
    at_.reset();
    crosshair_->setRing({});
    if (!chart()->plotArea().contains(at) || shown_.empty())
        return crosshair_->setAt(std::nullopt, {}, {}, chart()->plotArea());
    const QPointF places = placesAt(at);
    const double x = charts::value_at(shown_.x, places.x()),
                 y = charts::value_at(shown_.y, places.y());
    const QString of_x = to_qt(charts::text_of(shown_.x, x)),
                  of_y = to_qt(charts::text_of(shown_.y, y));
    crosshair_->setAt(at, shown_.rows ? of_y : of_x,
                      shown_.rows || shown_.y.unmarked ? QString() : of_y, chart()->plotArea());
}

std::optional<std::pair<std::size_t, std::size_t>> ChartCanvas::current() const {
    if (!at_) return std::nullopt;
    return std::pair{spots_[*at_].series, spots_[*at_].point};
}

QStringList ChartCanvas::words() const {
    QStringList found;
    for (const Spot& spot : spots_) found.append(to_qt(pointOf(spot).words));
    return found;
}

QString ChartCanvas::readings() const {
    return crosshair_->readings();
}

std::pair<ChartCanvas::Range, ChartCanvas::Range> ChartCanvas::visible() const {
    const auto values = [](const Axis& axis, const Range& range) {
        return Range{charts::value_at(axis, range.first), charts::value_at(axis, range.second)};
    };
    return {values(shown_.x, x_), values(shown_.y, y_)};
}

void ChartCanvas::showRanges(Range x, Range y) {
    const Range all_x = whole(shown_.x), all_y = whole(shown_.y);
    x_ = held(x, all_x);
    y_ = held(y, all_y);
    zoomed_ = x_ != all_x || y_ != all_y;
    setAxes();
    refresh();
}

void ChartCanvas::zoomTo(Range x, Range y) {
    showRanges({charts::place_of(shown_.x, x.first), charts::place_of(shown_.x, x.second)},
               {charts::place_of(shown_.y, y.first), charts::place_of(shown_.y, y.second)});
}

void ChartCanvas::zoomBy(double factor) {
    if (shown_.empty()) return;
    const QPointF middle =
        crosshair_->at() ? placesAt(*crosshair_->at()) : placesAt(chart()->plotArea().center());
    const auto around = [factor](const Range& range, double at) {
        return ChartCanvas::Range{at - (at - range.first) / factor,
                                  at + (range.second - at) / factor};
    };
    showRanges(around(x_, middle.x()), around(y_, middle.y()));
}

void ChartCanvas::resetZoom() {
    showRanges(whole(shown_.x), whole(shown_.y));
}

void ChartCanvas::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    chart_->resize(size());
    scene()->setSceneRect(QRectF(QPointF(), QSizeF(size())));
}

void ChartCanvas::changeEvent(QEvent* event) {
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) wear();
}

void ChartCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || shown_.empty()) return;
    setFocus(Qt::MouseFocusReason);
    pressed_ = event->position().toPoint();
    dragged_ = false;
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_) return pointAtPixel(event->position());
    const QPoint at = event->position().toPoint();
    dragged_ = dragged_ || (at - *pressed_).manhattanLength() >= click;
    if (!dragged_) return;
    const QRect plot = chart()->plotArea().toRect();
    QRect box = QRect(*pressed_, at).normalized().intersected(plot);
    if (drag_ == Drag::brush) {
        box.setTop(plot.top());
        box.setBottom(plot.bottom());
        brush(*pressed_, at);
    }
    band_->setGeometry(box);
    band_->setVisible(drag_ == Drag::zoom);
}

void ChartCanvas::brush(QPoint from, QPoint to) {
    const auto value = [&](QPoint at) {
        return charts::value_at(shown_.x, std::clamp(placesAt(at).x(), x_.first, x_.second));
    };
    const double a = value(from), b = value(to);
    Q_EMIT brushed(std::min(a, b), std::max(a, b));
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !pressed_) return;
    const QPoint from = *pressed_, to = event->position().toPoint();
    pressed_.reset();
    band_->hide();
    if (!dragged_) {
        if (drag_ == Drag::brush) return brush(to, to);
        if (const auto spot = spotNear(event->position())) {
            pointAt(spot, true);
            Q_EMIT chosen(spots_[*spot].series, pointOf(spots_[*spot]).id);
        }
        return;
    }
    if (drag_ == Drag::brush) return Q_EMIT brushEnded();
    const QRect box = QRect(from, to).normalized();
    const QPointF a = placesAt(box.topLeft()), b = placesAt(box.bottomRight());
    // A drag along one axis zooms into that one.
    const bool wide = box.width() >= click, tall = box.height() >= click;
    const bool along_x = shown_.rows ? tall : wide, along_y = shown_.rows ? wide : tall;
    showRanges(along_x ? Range{std::min(a.x(), b.x()), std::max(a.x(), b.x())} : x_,
               along_y ? Range{std::min(a.y(), b.y()), std::max(a.y(), b.y())} : y_);
}

void ChartCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) resetZoom();
}

void ChartCanvas::leaveEvent(QEvent* event) {
    QGraphicsView::leaveEvent(event);
    if (!hasFocus()) pointAt(std::nullopt, false);
}

/// The wheel scrolls the page around it; with Ctrl it zooms.
void ChartCanvas::wheelEvent(QWheelEvent* event) {
    if (!event->modifiers().testFlag(Qt::ControlModifier)) return event->ignore();
    zoomBy(event->angleDelta().y() > 0 ? 1.25 : 0.8);
    event->accept();
}

void ChartCanvas::keyPressEvent(QKeyEvent* event) {
    const auto step = [&](int by) {
        const auto last = static_cast<int>(spots_.size()) - 1;
        const int from = at_ ? static_cast<int>(*at_) : by > 0 ? -1 : last + 1;
        pointAt(static_cast<std::size_t>(std::clamp(from + by, 0, last)), true);
    };
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Up:
        if (spots_.empty()) break;
        return step(event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1 : -1);
    case Qt::Key_Home:
        if (spots_.empty()) break;
        return pointAt(0, true);
    case Qt::Key_End:
        if (spots_.empty()) break;
        return pointAt(spots_.size() - 1, true);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(1.5);
    case Qt::Key_Minus:
        return zoomBy(1 / 1.5);
    case Qt::Key_0:
        return resetZoom();
    case Qt::Key_Escape:
        if (zoomed_) return resetZoom();
        if (crosshair_->at()) return pointAt(std::nullopt, false);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!at_) break;
        return Q_EMIT chosen(spots_[*at_].series, pointOf(spots_[*at_]).id);
    default:
        break;
    }
    event->ignore();
}

void ChartCanvas::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    viewport()->update();
}

void ChartCanvas::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    pointAt(std::nullopt, false);
    viewport()->update();
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF& rect) {
    QGraphicsView::drawForeground(painter, rect);
    if (!hasFocus()) return;
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(qcolor(current_theme().accent), 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
}

} // namespace blockloom::ui
