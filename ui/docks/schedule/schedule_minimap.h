// The whole run in a strip: how many workers are busy over time, and which part the canvas shows.
#pragma once

#include "schedule/schedules.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace blockloom::ui {

/// Drag or click moves the visible part; Left and Right move it by a tenth of its width.
class ScheduleMinimap : public QWidget {
    Q_OBJECT

public:
    explicit ScheduleMinimap(QWidget* parent = nullptr);

    void setSchedule(std::shared_ptr<const schedule::Schedule> schedule);
    /// The visible part, 0 … 1 of the makespan.
    void setWindow(double from, double to);
    [[nodiscard]] double from() const { return from_; }
    [[nodiscard]] double to() const { return to_; }
    QSize sizeHint() const override { return {200, 26}; }

Q_SIGNALS:
    void windowAsked(double from, double to); ///< as wide as the one that is shown

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF strip() const;
    void moveTo(double middle);

    std::vector<float> busy_; ///< share of the workers, for equal parts of the makespan
    double from_ = 0, to_ = 1, grip_ = 0;
};

/// Share of worker time that runs tasks, in `parts` equal parts of the makespan; aborted executions
/// count as busy.
[[nodiscard]] std::vector<float> busy_shares(const schedule::Schedule& schedule, std::size_t parts);

} // namespace blockloom::ui
