// The points of a sweep: the table twin of its map and curve.
#pragma once

#include "look/roles.h"
#include "models/tuning_words.h"
#include "session/tuning_job.h"

#include <QAbstractTableModel>

#include <functional>

namespace blockloom::ui {

/// One row per point, in the order of the sweep. All figures come from the engine.
class TuningModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Device,
        Strategy,
        Workers,
        BatchMin,
        BatchMax,
        Window,
        Slice,
        Placement,
        Median,
        Interval,
        AgainstBest,
        Predicted,
        OffBy,
        Samples,
        State,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// `name` returns a backend's name.
    void setNames(std::function<QString(const std::string&)> name) { name_ = std::move(name); }
    void setSeen(const SeenTuning& seen, TuningValue value);
    [[nodiscard]] int measured() const;  ///< rows
    [[nodiscard]] int predicted() const; ///< rows that have a prediction but no measurement

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString shown(std::size_t row, int column) const;
    [[nodiscard]] QString state(std::size_t row) const;
    [[nodiscard]] QVariant sorted(std::size_t row, int column) const;
    [[nodiscard]] bool same_points(const SeenTuning& seen) const;

    SeenTuning seen_;
    TuningScale scale_;
    std::function<QString(const std::string&)> name_;
};

} // namespace blockloom::ui
