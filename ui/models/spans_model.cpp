#include "models/spans_model.h"

#include "models/span_words.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {

void SpansModel::setRange(std::shared_ptr<const profile::Timeline> timeline,
                          profile::TimeRange range) {
    beginResetModel();
    timeline_ = std::move(timeline);
    spans_.clear();
    all_ = 0;
    Nanoseconds longest = 0;
    for (std::size_t row = 0; timeline_ && row < timeline_->row_count(); ++row) {
        const auto [first, last] = timeline_->touching(row, range);
        all_ += last - first;
        for (std::uint32_t i = first; i < last && spans_.size() < most; ++i) {
            spans_.push_back({static_cast<std::uint32_t>(row), i});
            longest = std::max(longest, timeline_->span(spans_.back()).duration());
        }
    }
    unit_ = unit_for(std::min<Nanoseconds>(longest, 999'000'000));
    endResetModel();
}

std::optional<profile::SpanRef> SpansModel::at(int row) const {
    if (row < 0 || row >= rowCount()) return std::nullopt;
    return spans_[static_cast<std::size_t>(row)];
}

int SpansModel::rowOf(profile::SpanRef span) const {
    const auto at = std::lower_bound(spans_.begin(), spans_.end(), span);
    return at == spans_.end() || *at != span ? -1 : static_cast<int>(at - spans_.begin());
}

int SpansModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(spans_.size());
}

int SpansModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

/// What compares; nothing where it does not apply.
QVariant SpansModel::value(const QModelIndex& index) const {
    const profile::SpanRef at = spans_[static_cast<std::size_t>(index.row())];
    const profile::Span& span = timeline_->span(at);
    switch (index.column()) {
    case Lane:
        return at.row;
    case Name:
        return to_qt(timeline_->names()[span.name]);
    case Begin:
        return QVariant::fromValue(qint64{span.begin});
    case Duration:
        return QVariant::fromValue(qint64{span.duration()});
    case Block:
        if (const auto height = timeline_->height_of(span))
            return QVariant::fromValue(quint64{*height});
        return {};
    case Task:
        return span.task == profile::none || span.wave() != 0 ? QVariant() : QVariant(span.task);
    default:
        return span.detail;
    }
}

QVariant SpansModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const profile::SpanRef at = spans_[static_cast<std::size_t>(index.row())];
    const profile::Span& span = timeline_->span(at);
    const bool number = index.column() >= Begin && index.column() <= Task;
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole: {
        const QVariant found = value(index);
        return found.isValid() ? found : QVariant(-1);
    }
    case CopyRole:
        if (index.column() == Begin || index.column() == Duration) return value(index);
        return data(index, Qt::DisplayRole);
    case Qt::ToolTipRole:
        return span_words(*timeline_, at);
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case Lane:
        return to_qt(timeline_->row(at.row).name);
    case Begin:
        return moment_text(span.begin).chopped(3); // the unit is in the header
    case Duration:
        return unit_.text(span.duration());
    case Detail:
        return detail_words(*timeline_, span);
    default: {
        const QVariant found = value(index);
        if (!found.isValid()) return not_applicable();
        return index.column() == Name ? found.toString() : count_text(found.toULongLong());
    }
    }
}

QVariant SpansModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section >= Begin && section <= Task ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Lane:
        return tr("Lane");
    case Name:
        return tr("Span");
    case Begin:
        return tr("Begin, ms");
    case Duration:
        return tr("Duration, %1").arg(unit_.name.isEmpty() ? tr("µs") : unit_.name);
    case Block:
        return tr("Block");
    case Task:
        return tr("Task");
    default:
        return tr("Detail");
    }
}

} // namespace blockloom::ui
