// Spans of part of a run as rows: the table twin of the timeline.
#pragma once

#include "look/roles.h"
#include "models/run_words.h"
#include "profile/timeline.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::ui {

class SpansModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Lane, Name, Begin, Duration, Block, Task, Detail, ColumnCount };
    static constexpr std::size_t most = 20'000; ///< rows; all() has the total

    using QAbstractTableModel::QAbstractTableModel;

    /// The spans that overlap `range`, lane by lane. Null: none.
    void setRange(std::shared_ptr<const profile::Timeline> timeline, profile::TimeRange range);
    [[nodiscard]] std::size_t all() const { return all_; }
    [[nodiscard]] std::optional<profile::SpanRef> at(int row) const;
    [[nodiscard]] int rowOf(profile::SpanRef span) const; ///< −1: not listed

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant value(const QModelIndex& index) const;

    std::shared_ptr<const profile::Timeline> timeline_;
    std::vector<profile::SpanRef> spans_; ///< in order
    std::size_t all_ = 0;
    TimeUnit unit_;
};

} // namespace blockloom::ui
