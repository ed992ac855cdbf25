#include "models/breakdown_model.h"

#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int phases = static_cast<int>(execute::phase_count);

QString place(const runs::KeptRun& run, int row) {
    const auto phase = static_cast<execute::Phase>(row);
    QString where;
    switch (runs::ran_on(run, phase)) {
    case runs::RanOn::one_thread:
        return BreakdownModel::tr("serial");
    case runs::RanOn::workers:
        where = BreakdownModel::tr("parallel");
        break;
    case runs::RanOn::device:
        where = BreakdownModel::tr("device");
        break;
    case runs::RanOn::device_and_workers:
        where = BreakdownModel::tr("device and workers");
        break;
    }
    const Nanoseconds serial = run.phases.execute_serial;
    if (phase != execute::Phase::execute || serial <= 0) return where;
    return BreakdownModel::tr("%1, %2 in block order").arg(where, time_text(serial));
}

} // namespace

void BreakdownModel::setRuns(std::optional<runs::KeptRun> a, std::optional<runs::KeptRun> b) {
    beginResetModel();
    a_ = std::move(a);
    b_ = std::move(b);
    // In seconds the small phases would be all zeros.
    constexpr Nanoseconds most_in_ms = 999'000'000;
    unit_ = unit_for(std::min(std::max(time(a_, phases), time(b_, phases)), most_in_ms));
    endResetModel();
}

Nanoseconds BreakdownModel::time(const std::optional<runs::KeptRun>& run, int row) {
    if (!run) return 0;
    return row == phases ? run->phases.sum() : run->phases[static_cast<execute::Phase>(row)];
}

int BreakdownModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !a_ ? 0 : phases + 1;
}

int BreakdownModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString BreakdownModel::where(int row) const {
    if (row == phases) return {};
    const QString a = place(*a_, row);
    const QString b = b_ ? place(*b_, row) : a;
    return a == b ? a : tr("%1 / %2").arg(a, b);
}

QString BreakdownModel::shown(int row, int column) const {
    const auto of = [&](const std::optional<runs::KeptRun>& run) {
        if (!run || time(run, row) == 0) return not_applicable();
        return unit_.text(time(run, row));
    };
    const auto share = [&](const std::optional<runs::KeptRun>& run) {
        const Nanoseconds all = time(run, phases);
        if (all == 0 || time(run, row) == 0) return not_applicable();
        return percent_text(static_cast<double>(time(run, row)) / static_cast<double>(all));
    };
    switch (column) {
    case Phase:
        return row == phases ? tr("all phases") : to_qt(name_of(static_cast<execute::Phase>(row)));
    case Where:
        return where(row);
    case A:
        return of(a_);
    case ShareA:
        return share(a_);
    case B:
        return of(b_);
    case ShareB:
        return share(b_);
    case Against: {
        if (!b_) return not_applicable();
        const Nanoseconds a = time(a_, row), b = time(b_, row);
        if (a == 0 && b == 0) return not_applicable();
        const QString by = unit_.signedText(b - a);
        if (a == 0 || b == 0 || by == QLatin1StringView("=")) return by;
        return tr("%1 · %2").arg(by, ratio_text(static_cast<double>(a) / static_cast<double>(b)));
    }
    default:
        return {};
    }
}

QVariant BreakdownModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int row = index.row(), column = index.column();
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((column >= A ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return shown(row, column);
    case CopyRole:
        if (column == A) return QVariant::fromValue(qint64(time(a_, row)));
        if (column == B)
            return b_ ? QVariant::fromValue(qint64(time(b_, row))) : QVariant(QString());
        return shown(row, column);
    case SortRole:
        if (column == A || column == ShareA) return qint64(time(a_, row));
        if (column == B || column == ShareB) return qint64(time(b_, row));
        if (column == Against) return qint64(time(b_, row) - time(a_, row));
        return row;
    case Qt::ToolTipRole:
        if (column == Where) return where(row);
        if (column == A) return time_text(time(a_, row));
        if (column == B && b_) return time_text(time(b_, row));
        return {};
    default:
        return {};
    }
}

QVariant BreakdownModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section >= A ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const QString unit = unit_.name.isEmpty() ? tr("ms") : unit_.name;
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Phase:
            return tr("Phase");
        case Where:
            return tr("Where");
        case A:
            return tr("A, %1").arg(unit);
        case ShareA:
            return tr("Share of A");
        case B:
            return tr("B, %1").arg(unit);
        case ShareB:
            return tr("Share of B");
        default:
            return tr("B − A, %1").arg(unit);
        }
    }
    if (role == Qt::ToolTipRole) {
        if (section == Where)
            return tr("Where the phase ran: serially on the host, in parallel on several workers, "
                      "or on the device");
        if (section == Against) return tr("B − A, and how many times as fast B is");
        if (section >= A) return tr("Wall time, measured: each instant belongs to one phase");
    }
    return {};
}

} // namespace blockloom::ui
