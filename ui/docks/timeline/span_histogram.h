// How long spans of one kind take: a histogram over a logarithmic axis, whose bins can be brushed.
#pragma once

#include "charts/chart_view.h"
#include "profile/histogram.h"

#include <optional>
#include <utility>
#include <vector>

namespace blockloom::ui {

/// Drag marks bins, a click one of them, or none where it was marked. Left and Right walk the bins,
/// with Shift they mark; Escape marks none; L changes between linear and logarithmic counts.
class SpanHistogram : public ChartView {
    Q_OBJECT

public:
    explicit SpanHistogram(QWidget* parent = nullptr);

    /// Lengths of the spans of a kind, which is called `name`; an empty histogram: nothing. Of the
    /// same kind as before, the same lengths stay marked.
    void setLengths(std::uint16_t kind, const QString& name, const profile::Histogram& lengths);
    void clearMarks();
    /// Heights by the logarithm of the counts: a few spans beside very many are seen.
    void setLogCounts(bool logarithmic);
    [[nodiscard]] bool logCounts() const { return log_counts_; }
    /// Shortest and longest that are marked.
    [[nodiscard]] std::optional<std::pair<Nanoseconds, Nanoseconds>> marked() const;
    [[nodiscard]] const std::vector<profile::Histogram::Bucket>& bins() const { return bins_; }
    [[nodiscard]] QRectF barOf(std::size_t bin) const; ///< where it stands, pixels of the canvas

Q_SIGNALS:
    void brushed(); ///< marked() is another
    void logCountsChanged(bool logarithmic);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    using Marks = std::optional<std::pair<std::size_t, std::size_t>>; ///< first and last bin
    [[nodiscard]] std::size_t binAt(double nanoseconds) const;
    void brush(double from, double to);
    void extend(int key);
    void mark(Marks marks);
    void draw();

    std::uint16_t kind_ = 0;
    QString name_;
    profile::Histogram lengths_;
    std::vector<profile::Histogram::Bucket> bins_;
    Marks marks_;
    bool log_counts_ = false;
};

} // namespace blockloom::ui
