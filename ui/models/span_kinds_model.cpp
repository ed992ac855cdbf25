#include "models/span_kinds_model.h"

#include "look/theme_style.h"
#include "report/timeline_picture.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {

void SpanKindsModel::setStatistics(std::shared_ptr<const profile::Timeline> timeline,
                                   std::shared_ptr<const profile::RangeStatistics> statistics) {
    beginResetModel();
    timeline_ = std::move(timeline);
    statistics_ = std::move(statistics);
    Nanoseconds busy = 0, median = 0;
    for (int row = 0; row < rowCount(); ++row) {
        busy = std::max(busy, at(row)->busy);
        median = std::max(median, at(row)->lengths.percentile(50));
    }
    busy_unit_ = unit_for(std::min<Nanoseconds>(busy, 999'000'000)); // seconds would cut the least
    // Medians lie far apart: milliseconds at the most, or the small ones are all zeros.
    median_unit_ = unit_for(std::min<Nanoseconds>(median, 999'000'000));
    endResetModel();
}

const profile::KindStatistics* SpanKindsModel::at(int row) const {
    if (!statistics_ || row < 0 || row >= rowCount()) return nullptr;
    return &statistics_->kinds[static_cast<std::size_t>(row)];
}

int SpanKindsModel::rowOf(std::uint16_t name) const {
    for (int row = 0; row < rowCount(); ++row)
        if (at(row)->name == name) return row;
    return -1;
}

int SpanKindsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !statistics_ || !timeline_
               ? 0
               : static_cast<int>(statistics_->kinds.size());
}

int SpanKindsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SpanKindsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const profile::KindStatistics& kind = *at(index.row());
    const Nanoseconds median = kind.lengths.percentile(50);
    const QString name = to_qt(timeline_->names()[kind.name]);
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case ColourRole:
        if (index.column() != Name) return {};
        return qcolor(report::span_colour(kind.name, current_theme()));
    case Qt::DisplayRole:
        switch (index.column()) {
        case Name:
            return name;
        case Count:
            return count_text(kind.count);
        case Busy:
            return busy_unit_.text(kind.busy);
        default:
            return median_unit_.text(median);
        }
    case SortRole:
        switch (index.column()) {
        case Name:
            return name;
        case Count:
            return QVariant::fromValue(quint64{kind.count});
        case Busy:
            return QVariant::fromValue(qint64{kind.busy});
        default:
            return QVariant::fromValue(qint64{median});
        }
    case CopyRole:
        if (index.column() == Busy) return QVariant::fromValue(qint64{kind.busy});
        if (index.column() == Median) return QVariant::fromValue(qint64{median});
        return data(index, index.column() == Count ? int(SortRole) : int(Qt::DisplayRole));
    case Qt::ToolTipRole:
        return tr("%1: %2, time %3; median %4, p95 %5, p99 %6")
            .arg(name, counted(kind.count, tr("span"), tr("spans")), time_text(kind.busy),
                 time_text(median), time_text(kind.lengths.percentile(95)),
                 time_text(kind.lengths.percentile(99)));
    default:
        return {};
    }
}

QVariant SpanKindsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        if (section == Busy)
            return tr("Time inside the range, summed over all lanes, so it can exceed the length "
                      "of the range. Nested spans are counted, too");
        if (section == Median)
            return tr("Of whole spans, including their parts outside the range; at most 1/64 above "
                      "the exact value");
        return {};
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name:
        return tr("Span");
    case Count:
        return tr("Count");
    case Busy:
        return tr("Time, %1").arg(busy_unit_.name.isEmpty() ? tr("ms") : busy_unit_.name);
    default:
        return tr("Median, %1").arg(median_unit_.name.isEmpty() ? tr("µs") : median_unit_.name);
    }
}

} // namespace blockloom::ui
