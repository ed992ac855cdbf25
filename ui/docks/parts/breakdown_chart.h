// Where the time of one or two runs went: a stacked bar each, and under it what an infinitely fast
// device would leave.
#pragma once

#include "models/run_words.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace blockloom::ui {

/// Filled: measured. Hollow and dashed: predicted. Hatched: serial, by where it ran. Draws only
/// when something changes. The phase table beside it is its twin.
class BreakdownChart : public QWidget {
    Q_OBJECT

public:
    /// A run and what was found about it.
    struct Entry {
        runs::KeptRun run;
        runs::Breakdown breakdown;
    };

    explicit BreakdownChart(QWidget* parent = nullptr);

    void setEntries(std::optional<Entry> a, std::optional<Entry> b);
    /// One run that is held against none: without a letter.
    void setOnly(Entry entry);
    /// What is drawn, in words: a line a run.
    [[nodiscard]] QString text() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Segment {
        runs::PhasePart part;
        double left, width; ///< pixels
    };
    struct Row {
        const Entry* entry;
        QChar letter;
        double top;
    };
    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] double scale() const; ///< pixels a nanosecond
    [[nodiscard]] std::vector<Segment> segments(const Entry& entry) const;
    [[nodiscard]] QString about(const Entry& entry, const Segment& segment) const;
    void paintRow(QPainter& painter, const Row& row, bool striped) const;
    void paintAxis(QPainter& painter) const;

    std::optional<Entry> a_, b_;
    bool lettered_ = true;
    std::optional<std::pair<int, int>> at_; ///< row and segment that the keyboard is on
};

} // namespace blockloom::ui
