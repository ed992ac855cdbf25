#include "charts/chart_series.h"

#include "charts/axis.h"
#include "charts/chart_items.h"
#include "charts/decimate.h"
#include "look/theme_style.h"
#include "text/to_qt.h"

#include <QAreaSeries>
#include <QBarSet>
#include <QHorizontalStackedBarSeries>
#include <QLineSeries>
#include <QScatterSeries>
#include <QStackedBarSeries>

#include <algorithm>
#include <cmath>
#include <span>

namespace blockloom::ui {
namespace {

using charts::Kind;
using charts::Mark;
using charts::Point;
using charts::Series;

/// Stretches between gaps: an unknown value is not drawn.
std::vector<std::span<const Point>> stretches_of(const Series& series) {
    std::vector<std::span<const Point>> found;
    const std::span<const Point> all = series.points;
    for (std::size_t at = 0; at < all.size();) {
        std::size_t end = at;
        while (end < all.size() && !std::isnan(all[end].y)) ++end;
        if (end > at) found.push_back(all.subspan(at, end - at));
        at = end + 1;
    }
    return found;
}

QScatterSeries::MarkerShape shape_of(Mark mark) {
    switch (mark) {
    case Mark::square:
        return QScatterSeries::MarkerShapeRectangle;
    case Mark::diamond:
        return QScatterSeries::MarkerShapeRotatedRectangle;
    case Mark::triangle:
        return QScatterSeries::MarkerShapeTriangle;
    case Mark::circle:
    case Mark::dash:
        break;
    }
    return QScatterSeries::MarkerShapeCircle;
}

/// A curve, or the outline of steps.
QList<QPointF> curve_of(const std::vector<Point>& points, bool steps, const ChartPlace& place,
                        double Point::*value) {
    QList<QPointF> curve;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (steps && i > 0) curve.append(place(points[i].x, points[i - 1].*value));
        curve.append(place(points[i].x, points[i].*value));
    }
    return curve;
}

/// One of the values of a stack: what is seen, or what only lifts it.
struct Stacked {
    QString name;
    QList<qreal> values;
    bool seen = true;
};

/// Bars with a colour each are drawn by ChartItems.
bool of_qt(const Series& series) {
    return series.kind == Kind::bars && !series.ramp;
}

/// Above and below zero apart, as Qt Charts stacks.
std::vector<Stacked> stacked(const charts::Chart& chart) {
    const auto places = static_cast<qsizetype>(std::lround(chart.x.to - chart.x.from));
    std::vector<Stacked> found;
    std::vector<double> top(static_cast<std::size_t>(std::max<qsizetype>(places, 0))), low(top);
    for (const Series& series : chart.series) {
        if (!of_qt(series)) continue;
        Stacked lift{{}, QList<qreal>(places, 0), false},
            bar{to_qt(series.name), lift.values, true}, sink = lift, under = bar;
        bool lifts = false, sinks = false, unders = false;
        for (const Point& point : series.points) {
            auto at = static_cast<qsizetype>(std::lround(point.x));
            if (at < 0 || at >= places) continue;
            if (chart.rows) at = places - 1 - at; // rows are counted from the top
            const auto slot = static_cast<std::size_t>(at);
            const double from = std::min(point.from, point.y), to = std::max(point.from, point.y);
            if (to > 0) {
                const double begin = std::max(from, 0.0);
                lift.values[at] = std::max(begin - top[slot], 0.0);
                lifts = lifts || lift.values[at] > 0;
                bar.values[at] = to - begin;
                top[slot] = to;
            }
            if (from < 0) {
                const double end = std::min(to, 0.0);
                sink.values[at] = std::min(end - low[slot], 0.0);
                sinks = sinks || sink.values[at] < 0;
                under.values[at] = from - end;
                low[slot] = from;
                unders = true;
            }
        }
        if (lifts) found.push_back(std::move(lift));
        found.push_back(std::move(bar));
        if (sinks) found.push_back(std::move(sink));
        if (unders) found.push_back(std::move(under));
    }
    return found;
}

} // namespace

bool same_shape(const charts::Chart& a, const charts::Chart& b) {
    if (a.rows != b.rows || a.series.size() != b.series.size()) return false;
    for (std::size_t i = 0; i < a.series.size(); ++i) {
        const Series &one = a.series[i], &other = b.series[i];
        if (one.kind == Kind::bars || one.kind != other.kind || one.ink != other.ink ||
            one.mark != other.mark || one.width != other.width ||
            one.predicted != other.predicted || one.filled != other.filled ||
            stretches_of(one).size() != stretches_of(other).size())
            return false;
    }
    return true;
}

std::vector<QAbstractSeries*> make_series(const Series& series) {
    std::vector<QAbstractSeries*> made;
    if (series.kind == Kind::bars) return made;
    if (series.kind == Kind::points) {
        if (series.mark == Mark::dash) return made; // ChartItems draws it
        auto* marks = new QScatterSeries;
        marks->setMarkerShape(shape_of(series.mark));
        return {marks};
    }
    for (std::size_t i = 0; i < stretches_of(series).size(); ++i) {
        if (series.filled) {
            auto *upper = new QLineSeries, *lower = new QLineSeries;
            auto* area = new QAreaSeries(upper, lower);
            upper->setParent(area);
            lower->setParent(area);
            made.push_back(area);
        }
        made.push_back(new QLineSeries);
    }
    return made;
}

void fill_series(const std::vector<QAbstractSeries*>& drawn, const Series& series,
                 const ChartPlace& place, double from, double to, std::size_t columns) {
    if (drawn.empty()) return;
    if (series.kind == Kind::points) {
        QList<QPointF> points;
        for (const Point& point : series.points) points.append(place(point.x, point.y));
        static_cast<QScatterSeries*>(drawn.front())->replace(points);
        return;
    }
    std::size_t at = 0;
    const bool steps = series.kind == Kind::step;
    for (const std::span<const Point> stretch : stretches_of(series)) {
        const std::vector<Point> points = charts::decimated(stretch, from, to, columns);
        if (series.filled) {
            auto* area = static_cast<QAreaSeries*>(drawn[at++]);
            area->lowerSeries()->replace(curve_of(points, steps, place, &Point::from));
            area->upperSeries()->replace(curve_of(points, steps, place, &Point::y));
        }
        static_cast<QLineSeries*>(drawn[at++])->replace(curve_of(points, steps, place, &Point::y));
    }
}

void wear_series(const std::vector<QAbstractSeries*>& drawn, const Series& series) {
    const scene::Theme& theme = current_theme();
    const QColor ink = qcolor(theme.*series.ink);
    for (QAbstractSeries* one : drawn) {
        if (auto* marks = qobject_cast<QScatterSeries*>(one)) {
            marks->setMarkerSize(series.predicted ? 12 : 10);
            marks->setBrush(series.predicted ? qcolor(theme.canvas) : ink);
            marks->setPen(series.predicted ? QPen(ink, 2) : QPen(qcolor(theme.canvas), 1));
        } else if (auto* line = qobject_cast<QLineSeries*>(one)) {
            QPen pen(ink, static_cast<qreal>(series.width));
            if (series.predicted) pen.setDashPattern({3, 2.5});
            if (series.width <= 0) pen = QPen(Qt::NoPen);
            line->setPen(pen);
        } else if (auto* area = qobject_cast<QAreaSeries*>(one)) {
            QColor soft = ink;
            if (series.width > 0) soft.setAlpha(46); // the line above it says the value
            area->setBrush(soft);
            area->setPen(QPen(Qt::NoPen));
        }
    }
}

QAbstractSeries* make_bars(const charts::Chart& chart) {
    const auto first = std::find_if(chart.series.begin(), chart.series.end(), of_qt);
    if (first == chart.series.end()) return nullptr;
    QAbstractBarSeries* bars =
        chart.rows ? static_cast<QAbstractBarSeries*>(new QHorizontalStackedBarSeries)
                   : new QStackedBarSeries;
    bars->setBarWidth(static_cast<qreal>(first->bar_width));
    QList<QBarSet*> sets;
    for (const Stacked& layer : stacked(chart)) {
        auto* set = new QBarSet(layer.name);
        set->append(layer.values);
        sets.append(set);
    }
    bars->append(sets);
    return bars;
}

void wear_bars(QAbstractSeries* series, const charts::Chart& chart, qreal pixel_ratio) {
    auto* bars = static_cast<QAbstractBarSeries*>(series);
    if (bars == nullptr) return;
    const scene::Theme& theme = current_theme();
    const auto layers = stacked(chart);
    const Series* of = nullptr;
    auto next = chart.series.begin();
    QString before;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        QBarSet* set = bars->barSets().at(static_cast<qsizetype>(i));
        set->setLabelColor(Qt::transparent);
        if (!layers[i].seen) {
            set->setBrush(Qt::NoBrush);
            set->setPen(QPen(Qt::NoPen));
            continue;
        }
        // The part below zero has the name of the part above it.
        if (of == nullptr || layers[i].name != to_qt(of->name)) {
            while (next != chart.series.end() && !of_qt(*next)) ++next;
            of = &*next++;
        }
        const QColor ink = qcolor(theme.*of->ink);
        QColor stripe = qcolor(theme.canvas);
        stripe.setAlpha(170);
        // Neighbours in a row stay distinct; a column may be too narrow for it.
        set->setPen(chart.rows ? QPen(qcolor(theme.canvas), 1) : QPen(Qt::NoPen));
        if (of->predicted || of->outlined) {
            QPen pen(ink, 1.2);
            if (of->predicted) pen.setDashPattern({3, 2});
            set->setPen(pen);
            set->setBrush(qcolor(theme.canvas));
        } else if (of->hatched) {
            set->setBrush(hatched_brush(ink, stripe, pixel_ratio));
        } else {
            set->setBrush(ink);
        }
    }
}

} // namespace blockloom::ui
