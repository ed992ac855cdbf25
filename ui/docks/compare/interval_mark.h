// A ratio with its interval, relative to the line of no difference.
#pragma once

#include "profile/bootstrap.h"

#include <QWidget>

#include <optional>

namespace blockloom::ui {

/// A small axis: the line at 1×, the interval as a bar, the ratio as a filled point. The accessible
/// description has the same in words, as does the verdict beside it.
class IntervalMark : public QWidget {
    Q_OBJECT

public:
    explicit IntervalMark(QWidget* parent = nullptr);
    void setRatio(std::optional<double> ratio, std::optional<profile::Interval> interval);

    QSize sizeHint() const override { return {190, 38}; }
    QSize minimumSizeHint() const override { return {96, 38}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<double> ratio_;
    std::optional<profile::Interval> interval_;
};

} // namespace blockloom::ui
