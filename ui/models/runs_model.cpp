#include "models/runs_model.h"

#include "models/run_words.h"
#include "runs/run_verification.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

bool is_run_number(int column) {
    return column == RunsModel::Blocks || column == RunsModel::Tasks || column == RunsModel::Time ||
           column == RunsModel::Speedup;
}

} // namespace

void RunsModel::setRuns(std::vector<runs::KeptRun> runs) {
    beginResetModel();
    runs_ = std::move(runs);
    speedups_.clear();
    Nanoseconds largest = 0;
    for (const runs::KeptRun& run : runs_) {
        largest = std::max(largest, run.wall);
        const runs::KeptRun* baseline = runs::baseline_of(run, runs_);
        speedups_.push_back(baseline == nullptr
                                ? std::nullopt
                                : runs::breakdown_of(run, baseline).measured_speedup);
    }
    const TimeUnit unit = unit_for(largest);
    unit_ = unit.name;
    unit_ns_ = unit.ns;
    endResetModel();
}

void RunsModel::setCompared(const QString& a, const QString& b) {
    if (a == a_ && b == b_) return;
    a_ = a;
    b_ = b;
    if (!runs_.empty()) Q_EMIT dataChanged(index(0, Compared), index(rowCount() - 1, Compared));
}

QString RunsModel::idAt(int row) const {
    return row >= 0 && row < rowCount() ? to_qt(runs_[static_cast<std::size_t>(row)].id)
                                        : QString();
}

int RunsModel::rowOf(const QString& id) const {
    for (int row = 0; row < rowCount(); ++row)
        if (idAt(row) == id) return row;
    return -1;
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunsModel::shown(const runs::KeptRun& run, int column) const {
    switch (column) {
    case Compared: {
        QStringList letters;
        if (to_qt(run.id) == a_) letters.append(QStringLiteral("A"));
        if (to_qt(run.id) == b_) letters.append(QStringLiteral("B"));
        return letters.join(QLatin1Char(' '));
    }
    case Run:
        return to_qt(run.date).chopped(run.date.ends_with(" UTC") ? 4 : 0);
    case Source:
        return source_words(run);
    case How:
        return run_words(run);
    case Blocks:
        return count_text(run.blocks.size());
    case Tasks:
        return count_text(run.tasks);
    case Time:
        return significant_text(static_cast<double>(run.wall) / unit_ns_);
    case Digest:
        return run.state_digest.empty() ? not_applicable()
                                        : shortened(to_qt(run.state_digest), 8, 4);
    case Baseline:
        return to_qt(run.notes.baseline);
    case Note:
        return to_qt(run.notes.note);
    default:
        return {};
    }
}

QString RunsModel::whole(const runs::KeptRun& run, int column) const {
    switch (column) {
    case Verified:
        return run.check ? tr("%1. Compared with %2: %3")
                               .arg(to_qt(runs::verification_words(run)), to_qt(run.check->place),
                                    to_qt(range::check_words(*run.check)))
                         : to_qt(runs::verification_words(run));
    case Run:
        return to_qt(run.id);
    case How: { // runs with the same label may differ in these
        if (run.strategy == "serial") return run_words(run);
        QString text = tr("%1, batches %2 to %3, windows of %4")
                           .arg(run_words(run), count_text(quint64(run.batch_min)),
                                run.batch_max == 0 ? tr("all") : count_text(quint64(run.batch_max)),
                                counted(quint64(run.window), tr("block"), tr("blocks")));
        if (run.backend != "cpu")
            text += run.hybrid ? tr(", shared with the workers") : tr(", device alone");
        return text;
    }
    case Source: {
        QStringList sources;
        for (const std::string& source : run.sources) sources.append(to_qt(source));
        return sources.join(QLatin1Char(' '));
    }
    case Time: {
        QString text = time_text(run.wall);
        if (run.interval)
            text += tr(", 95 % interval %1 to %2")
                        .arg(time_text(run.interval->first), time_text(run.interval->second));
        return tr("%1, %2").arg(text,
                                counted(run.repetitions, tr("repetition"), tr("repetitions")));
    }
    case Digest:
        return run.state_digest.empty() ? tr("no digest of the whole state; each block has its own")
                                        : to_qt(run.state_digest);
    case Note:
        return to_qt(run.notes.note);
    default:
        return {};
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const runs::KeptRun& run = runs_[row];
    const int column = index.column();
    const auto speedup = speedups_[row];
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((is_run_number(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        if (column == Verified)
            return !run.verified   ? tr("not verified")
                   : *run.verified ? tr("verified")
                                   : tr("mismatch");
        if (column == Speedup) return speedup ? ratio_text(*speedup) : not_applicable();
        return shown(run, column);
    case Qt::EditRole:
        return column == Note || column == Baseline ? QVariant(shown(run, column)) : QVariant();
    case ColourRole:
        if (column != Baseline || run.notes.baseline.empty()) return {};
        return run.notes.colour;
    case StatusRole:
        if (column != Verified) return {};
        return QVariant::fromValue(!run.verified   ? Mark::unknown
                                   : *run.verified ? Mark::ok
                                                   : Mark::error);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        const QString text = whole(run, column);
        if (!text.isEmpty()) return text;
        return role == Qt::AccessibleTextRole ? data(index, Qt::DisplayRole) : QVariant();
    }
    case CopyRole: {
        if (column == Blocks) return QVariant::fromValue(quint64(run.blocks.size()));
        if (column == Tasks) return QVariant::fromValue(quint64(run.tasks));
        if (column == Time) return QVariant::fromValue(qint64(run.wall));
        if (column == Run || column == Source || column == Digest) return whole(run, column);
        return data(index, Qt::DisplayRole);
    }
    case SortRole:
        if (column == Blocks) return quint64(run.blocks.size());
        if (column == Tasks) return quint64(run.tasks);
        if (column == Time) return qint64(run.wall);
        if (column == Speedup) return speedup.value_or(0.0);
        if (column == Run) return to_qt(run.id);
        if (column == Verified) return !run.verified ? 1 : *run.verified ? 0 : 2;
        return shown(run, column);
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return int((is_run_number(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    static const struct {
        const char *name, *tip;
    } heads[ColumnCount] = {
        {"", QT_TR_NOOP("Whether the run was compared with the serial reference and matched it")},
        {QT_TR_NOOP("A B"), QT_TR_NOOP("Which two runs are compared")},
        {QT_TR_NOOP("Run, UTC"), QT_TR_NOOP("When the run was made")},
        {QT_TR_NOOP("Source"), QT_TR_NOOP("What was replayed")},
        {QT_TR_NOOP("Where and how"), QT_TR_NOOP("Backend, engine, strategy, workers")},
        {QT_TR_NOOP("Blocks"), QT_TR_NOOP("Blocks replayed")},
        {QT_TR_NOOP("Tasks"), QT_TR_NOOP("Tasks in all blocks")},
        {QT_TR_NOOP("Time"), QT_TR_NOOP("Wall time, the median of the repetitions; measured")},
        {QT_TR_NOOP("Speed-up"), QT_TR_NOOP("Relative to the fastest kept serial run of the same "
                                            "blocks on one worker of this processor; measured")},
        {QT_TR_NOOP("State digest"), QT_TR_NOOP("Digest of the state after the last block")},
        {QT_TR_NOOP("Baseline"),
         QT_TR_NOOP("Name of a run that others are measured against; edit with F2")},
        {QT_TR_NOOP("Note"), QT_TR_NOOP("Your note on the run; edit with F2")}};
    if (role == Qt::DisplayRole) {
        if (section == Verified) return QString();
        if (section == Time) return tr("Time, %1").arg(unit_.isEmpty() ? tr("ms") : unit_);
        return tr(heads[section].name);
    }
    if (role == Qt::AccessibleTextRole && section == Verified) return tr("Verified");
    if (role == Qt::ToolTipRole) return tr(heads[section].tip);
    return {};
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Note || index.column() == Baseline) flags |= Qt::ItemIsEditable;
    return flags;
}

/// Only requests the change: the row changes once the workspace has it.
bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
    if (index.column() == Note)
        Q_EMIT noteEdited(idAt(index.row()), value.toString());
    else if (index.column() == Baseline)
        Q_EMIT baselineEdited(idAt(index.row()), value.toString());
    return index.column() == Note || index.column() == Baseline;
}

} // namespace blockloom::ui
