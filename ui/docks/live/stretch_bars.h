// The wall time of each finished block of a run, in order: bars.
#pragma once

#include "execute/live_run.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace blockloom::ui {

/// Measured, so filled. Of many blocks a bar is several neighbours: their mean. Left and Right walk
/// the bars and say what they are.
class StretchBars : public QWidget {
    Q_OBJECT

public:
    explicit StretchBars(QWidget* parent = nullptr);

    /// `all`: blocks that will come to be; room is left for them.
    void setStretches(std::vector<execute::LiveStretch> stretches, std::uint64_t all);
    [[nodiscard]] QString text() const;

    QSize sizeHint() const override { return {360, 86}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] static Nanoseconds mean(const execute::LiveStretch& stretch);
    [[nodiscard]] QString about(std::size_t at) const;
    [[nodiscard]] QRectF box(std::size_t at) const;

    std::vector<execute::LiveStretch> stretches_;
    std::uint64_t all_ = 0;
    Nanoseconds longest_ = 1;
    std::optional<std::size_t> at_; ///< bar that the keyboard is on
};

} // namespace blockloom::ui
