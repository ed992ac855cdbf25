// How long spans of one kind take: a histogram over a logarithmic axis, whose bins can be brushed.
#pragma once

#include "profile/histogram.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace blockloom::ui {

/// Drag marks bins, a click one of them, or none where it was marked. Left and Right walk the bins,
/// with Shift they mark; Escape marks none; L changes between linear and logarithmic counts. The
/// table of kinds beside it is its twin.
class SpanHistogram : public QWidget {
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
    [[nodiscard]] QRectF barOf(std::size_t bin) const; ///< where it stands

    QSize sizeHint() const override { return {280, 170}; }
    QSize minimumSizeHint() const override { return {180, 110}; }

Q_SIGNALS:
    void brushed(); ///< marked() is another
    void logCountsChanged(bool logarithmic);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    using Marks = std::optional<std::pair<std::size_t, std::size_t>>; ///< first and last bin
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double x(double ns) const;
    [[nodiscard]] double heightOf(std::uint64_t count) const; ///< pixels
    [[nodiscard]] std::size_t binAt(double x) const;
    [[nodiscard]] QString binWords(std::size_t bin) const;
    void mark(Marks marks);
    void describe();
    void paintAxes(QPainter& painter) const;
    void paintPercentiles(QPainter& painter) const;

    std::uint16_t kind_ = 0;
    QString name_;
    profile::Histogram lengths_;
    std::vector<profile::Histogram::Bucket> bins_;
    std::uint64_t most_ = 0;
    Marks marks_, before_;
    std::size_t pressed_ = 0, at_ = 0;
    bool dragging_ = false, log_counts_ = false;
};

} // namespace blockloom::ui
