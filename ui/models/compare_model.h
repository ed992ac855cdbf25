// Two kept runs as one table: one row per phase, block, percentile or count.
#pragma once

#include "models/run_words.h"
#include "runs/gap_waterfall.h"
#include "runs/run_comparison.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace blockloom::ui {

/// Both values of a row on one scale, 0 … 1; `delta` is B − A on the same scale. Hatched: it ran
/// serially.
struct PairBar {
    double a = 0, b = 0, delta = 0;
    bool hatch_a = false, hatch_b = false;
    bool is_time = true; ///< less is better; for counts neither is
    bool predicted = false;
};

/// Every figure comes from runs::RunComparison; here it is only converted to one unit and
/// formatted.
class CompareModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Part { phases, blocks, percentiles, statuses, gap };
    enum Column { A, Name, B, Bars, Against, Ratio, Interval, Digests, ColumnCount };
    enum Role { PairRole = Qt::UserRole + 200 };
    Q_ENUM(Part)

    using QAbstractTableModel::QAbstractTableModel;

    /// `comparison` null: nothing to show.
    void setComparison(std::shared_ptr<const runs::RunComparison> comparison,
                       const runs::KeptRun* a, const runs::KeptRun* b);
    /// The difference of their gaps, for the part `gap`; null: not known yet.
    void setGap(std::shared_ptr<const runs::GapDifference> gap);
    void setPart(Part part);
    [[nodiscard]] Part part() const { return part_; }
    /// Shows each run's values as shares of its own total (percentiles: of its own median).
    void setNormalised(bool normalised);
    /// Bar lengths by square root, so that small ones can be seen; the numbers do not change.
    void setSquareRoot(bool root);
    /// Hash of the block in a row of `blocks`; empty elsewhere.
    [[nodiscard]] QString hashAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString name, hash;
        double a = 0, b = 0;       ///< ns, or a count
        double a_of = 1, b_of = 1; ///< the totals for normalised values
        bool serial_a = false, serial_b = false, predicted = false, ranked = true;
        std::size_t a_samples = 1, b_samples = 1;
        std::optional<double> ratio;
        std::optional<profile::Interval> interval;
        bool no_difference = false;
        std::optional<bool> digests_equal;
        QString about;                   ///< of a step of the gap
        bool has_a = true, has_b = true; ///< whether the run's gap has the step
    };
    void remake();
    void addTime(const runs::ComparedTime& time);
    void addGap();
    [[nodiscard]] bool isTime() const { return part_ != Part::statuses; }
    [[nodiscard]] QString valueText(double value, double of) const;
    [[nodiscard]] QString shown(const Row& row, int column) const;
    [[nodiscard]] QString in_full(const Row& row, int column) const;
    [[nodiscard]] QString unitName() const;

    std::shared_ptr<const runs::RunComparison> comparison_;
    std::shared_ptr<const runs::GapDifference> gap_;
    std::optional<runs::KeptRun> a_, b_;
    Part part_ = Part::phases;
    bool normalised_ = false, root_ = false;
    std::vector<Row> rows_;
    TimeUnit unit_;
    double most_ = 1; ///< the longest bar
};

} // namespace blockloom::ui

Q_DECLARE_METATYPE(blockloom::ui::PairBar)
