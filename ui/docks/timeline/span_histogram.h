// Lengths of the spans of one kind: a histogram over a logarithmic axis, with bins that can be
// brushed.
#pragma once

#include "charts/chart_view.h"
#include "profile/histogram.h"

#include <optional>
#include <utility>
#include <vector>

namespace blockloom::ui {

/// A drag marks bins; a click marks one bin or, if it was marked, clears the marks. Left and Right
/// step through the bins, with Shift they mark; Escape clears the marks; L switches between linear
/// and logarithmic counts.
class SpanHistogram : public ChartView {
    Q_OBJECT

public:
    explicit SpanHistogram(QWidget* parent = nullptr);

    /// Lengths of the spans of a kind called `name`; an empty histogram: none. If the kind is
    /// unchanged, the same lengths stay marked.
    void setLengths(std::uint16_t kind, const QString& name, const profile::Histogram& lengths);
    void clearMarks();
    /// Bar heights by the logarithm of the counts, so that small counts are visible beside large
    /// ones.
    void setLogCounts(bool logarithmic);
    [[nodiscard]] bool logCounts() const { return log_counts_; }
    /// The shortest and longest marked length.
    [[nodiscard]] std::optional<std::pair<Nanoseconds, Nanoseconds>> marked() const;
    [[nodiscard]] const std::vector<profile::Histogram::Bucket>& bins() const { return bins_; }
    [[nodiscard]] QRectF barOf(std::size_t bin); ///< its area in pixels of the canvas

Q_SIGNALS:
    void brushed(); ///< marked() changed
    void logCountsChanged(bool logarithmic);

protected:
    void built() override;
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
