#include "docks/timeline/span_histogram.h"

#include "report/histogram_chart.h"

#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::size_t most_bins = 40;

} // namespace

SpanHistogram::SpanHistogram(QWidget* parent)
    : ChartView(QStringLiteral("spanHistogram"), tr("Histogram of span lengths"), parent) {
    setLegendVisible(false);
    setLeastHeight(96);
    draw();
}

void SpanHistogram::built() {
    setFocusProxy(canvas());
    canvas()->setDrag(ChartCanvas::Drag::brush);
    canvas()->installEventFilter(this);
    connect(canvas(), &ChartCanvas::brushed, this, &SpanHistogram::brush);
}

void SpanHistogram::setLengths(std::uint16_t kind, const QString& name,
                               const profile::Histogram& lengths) {
    const auto was = marked();
    const bool other = kind != std::exchange(kind_, kind);
    name_ = name;
    lengths_ = lengths;
    bins_ = lengths.bins(most_bins);
    marks_.reset();
    if (!other && was) // the same lengths stay marked where there still are any
        for (std::size_t i = 0; i < bins_.size(); ++i)
            if (bins_[i].high >= was->first && bins_[i].low <= was->second)
                marks_ = {marks_ ? marks_->first : i, i};
    draw();
    if (marked() != was) Q_EMIT brushed();
}

void SpanHistogram::clearMarks() {
    mark(std::nullopt);
}

std::optional<std::pair<Nanoseconds, Nanoseconds>> SpanHistogram::marked() const {
    if (!marks_) return std::nullopt;
    return std::pair{bins_[marks_->first].low, bins_[marks_->second].high};
}

void SpanHistogram::setLogCounts(bool logarithmic) {
    if (logarithmic == std::exchange(log_counts_, logarithmic)) return;
    draw();
    Q_EMIT logCountsChanged(logarithmic);
}

void SpanHistogram::mark(Marks marks) {
    if (marks == marks_) return;
    marks_ = marks;
    draw();
    Q_EMIT brushed();
}

void SpanHistogram::draw() {
    report::HistogramChartOptions options;
    options.name = name_.toStdString();
    options.log_counts = log_counts_;
    options.marked = marked();
    setChart(report::histogram_chart(lengths_, bins_, options));
}

QRectF SpanHistogram::barOf(std::size_t bin) {
    const auto& points = chart().series.at(0).points;
    charts::Point end = points[bin + 1]; // a bin ends where the next one begins
    end.y = chart().y.from;
    return QRectF(canvas()->placeOf(points[bin]), canvas()->placeOf(end)).normalized();
}

std::size_t SpanHistogram::binAt(double nanoseconds) const {
    std::size_t bin = 0;
    while (bin + 1 < bins_.size() && static_cast<double>(bins_[bin].high) + 1 <= nanoseconds) ++bin;
    return bin;
}

void SpanHistogram::brush(double from, double to) {
    if (bins_.empty()) return;
    const Marks here = std::pair{binAt(from), binAt(to)};
    mark(from == to && here == marks_ ? std::nullopt : here);
}

/// The end under the crosshair moves.
void SpanHistogram::extend(int key) {
    const auto on = [this] {
        const auto current = canvas()->current();
        return current ? std::optional(current->second) : std::nullopt;
    };
    const std::size_t from = on().value_or(marks_ ? marks_->second : 0);
    if (!on()) // the crosshair takes its place first
        for (std::size_t i = 0; i <= from; ++i) {
            QKeyEvent step(QEvent::KeyPress, Qt::Key_Right, Qt::NoModifier);
            QCoreApplication::sendEvent(canvas(), &step);
        }
    QKeyEvent plain(QEvent::KeyPress, key, Qt::NoModifier);
    QCoreApplication::sendEvent(canvas(), &plain);
    const std::size_t at = on().value_or(from);
    const Marks now = marks_.value_or(std::pair{from, from});
    const std::size_t fixed = now->first == from ? now->second : now->first;
    mark(std::pair{std::min(fixed, at), std::max(fixed, at)});
}

bool SpanHistogram::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::KeyPress || bins_.empty())
        return ChartView::eventFilter(object, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_L && key->modifiers() == Qt::NoModifier) {
        setLogCounts(!log_counts_);
        return true;
    }
    if (key->key() == Qt::Key_Escape && marks_) {
        clearMarks();
        return true;
    }
    if (key->modifiers().testFlag(Qt::ShiftModifier) &&
        (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right)) {
        extend(key->key());
        return true;
    }
    return ChartView::eventFilter(object, event);
}

} // namespace blockloom::ui
