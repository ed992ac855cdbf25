// What a run did and used over time: lanes on one axis of time.
#pragma once

#include "runs/run_progress.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::ui {

/// Lines are measured. Shaded: the run was paused. What is not told is said under the lanes. Draws
/// only when something changes. Left and Right walk the moments and say what was then.
class UsageChart : public QWidget {
    Q_OBJECT

public:
    explicit UsageChart(QWidget* parent = nullptr);

    void setUsage(std::shared_ptr<const profile::UsageSeries> usage,
                  std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses);
    /// All lanes in words: what they are, the last value and the highest one.
    [[nodiscard]] QString text() const;
    [[nodiscard]] int lanes() const { return static_cast<int>(lanes_.size()); }
    [[nodiscard]] const QStringList& untold() const { return untold_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Lane {
        QString name;
        profile::Quantity quantity;
        std::vector<double> values; ///< one a moment; NaN: not told
        double most = 1;            ///< at the top of the lane
        double last = 0, highest = 0;
        bool of_device = false;
        bool rate = false;
    };
    void addLane(const QString& name, const profile::UsageLine& line, bool rate);
    [[nodiscard]] static QString valueText(const Lane& lane, double value);
    [[nodiscard]] QString about(std::size_t moment) const;
    [[nodiscard]] QRectF plot(std::size_t lane) const;
    [[nodiscard]] double xOf(Nanoseconds at) const;
    [[nodiscard]] std::optional<std::size_t> momentAt(double x) const;
    void paintLane(QPainter& painter, std::size_t number) const;
    void paintAxis(QPainter& painter) const;

    std::shared_ptr<const profile::UsageSeries> usage_;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses_;
    std::vector<Lane> lanes_;
    QStringList untold_;
    std::optional<std::size_t> at_; ///< moment that the keyboard is on
};

} // namespace blockloom::ui
