// A ratio with its interval beside the line of no difference.
#pragma once

#include "profile/bootstrap.h"

#include <QWidget>

#include <optional>

namespace blockloom::ui {

/// A small axis: the line at 1×, the interval as a bar, the ratio as a filled point. Its words are
/// its accessible description; the verdict beside it says the same.
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
