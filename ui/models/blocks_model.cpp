#include "models/blocks_model.h"

#include "models/block_words.h"
#include "range/left_out.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QFileInfo>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int most_bars = 48;

bool is_number(int column) {
    return column != BlocksModel::Status && column != BlocksModel::Block &&
           column != BlocksModel::LevelSizes;
}

QVariant alignment(int column) {
    return QVariant::fromValue(
        Qt::Alignment(Qt::AlignVCenter | (is_number(column) ? Qt::AlignRight : Qt::AlignLeft)));
}

} // namespace

void BlocksModel::setRange(std::shared_ptr<const range::Range> range) {
    const auto same_trace = [](const auto& a, const auto& b) { return a->trace == b->trace; };
    const bool same_blocks = range != nullptr && range_ != nullptr &&
                             range->left_out.size() == range_->left_out.size() &&
                             std::equal(range->blocks.begin(), range->blocks.end(),
                                        records_.begin(), records_.end(), same_trace);
    if (same_blocks) { // the same blocks under other rules: views keep selection and scroll
        range_ = std::move(range);
        records_ = range_->blocks;
        rescale();
        if (!records_.empty())
            Q_EMIT dataChanged(index(0, 0), index(blockCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    range_ = std::move(range);
    records_.clear();
    if (range_) records_ = range_->blocks;
    rescale();
    endResetModel();
}

void BlocksModel::setRecord(int row, std::shared_ptr<const range::BlockRecord> record) {
    if (!isBlock(row) || record == nullptr) return;
    auto& held = records_[static_cast<std::size_t>(row)];
    if (held == record || held->trace != record->trace) return;
    held = std::move(record);
    rescale();
    Q_EMIT dataChanged(index(0, 0), index(blockCount() - 1, ColumnCount - 1));
}

void BlocksModel::rescale() {
    most_parallel_ = 1;
    for (const auto& record : records_)
        most_parallel_ = std::max(most_parallel_, record->analysis.index->parallelism());
}

int BlocksModel::blockCount() const {
    return static_cast<int>(records_.size());
}

int BlocksModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !range_) return 0;
    return blockCount() + static_cast<int>(range_->left_out.size());
}

int BlocksModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BlocksModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (role == Qt::TextAlignmentRole)
        return alignment(isBlock(index.row()) ? index.column() : int(Block));
    if (isBlock(index.row()))
        return blockData(*records_[static_cast<std::size_t>(index.row())], index.column(), role);
    return leftOutData(range_->left_out[static_cast<std::size_t>(index.row() - blockCount())],
                       index.column(), role);
}

QVariant BlocksModel::executedData(const range::BlockRecord& record, int column, int role) {
    if (!record.replayed) {
        if (role == SortRole) return QVariant::fromValue<qulonglong>(0);
        return role == Qt::DisplayRole ? QVariant(not_applicable()) : QVariant();
    }
    const alkanes::BlockExecution& execution = *record.replayed->execution;
    const std::uint64_t value = column == Messages   ? execution.messages
                                : column == Reverted ? execution.messages - execution.succeeded
                                                     : execution.fuel;
    switch (role) {
    case SortRole:
        return QVariant::fromValue<qulonglong>(value);
    case CopyRole:
        return QString::number(value);
    case Qt::DisplayRole:
        return column == Fuel ? fuel_text(value) : count_text(value);
    case Qt::ToolTipRole:
        if (column == Fuel) return tr("%1 of fuel").arg(count_text(value));
        return tr("%1 succeeded, %2 failed")
            .arg(count_text(execution.succeeded),
                 count_text(execution.messages - execution.succeeded));
    default:
        return {};
    }
}

QVariant BlocksModel::blockData(const range::BlockRecord& record, int column, int role) const {
    const conflict::ConflictIndex& found = *record.analysis.index;
    const auto number = [role](std::uint64_t value) -> QVariant {
        if (role == SortRole) return QVariant::fromValue<qulonglong>(value);
        if (role == CopyRole) return QString::number(value);
        return role == Qt::DisplayRole ? QVariant(count_text(value)) : QVariant();
    };
    switch (column) {
    case Status:
        if (role == StatusRole) return QVariant::fromValue(check_mark(record.checks));
        if (role == SortRole) return static_cast<int>(check_mark(record.checks));
        // A valid check needs no text in every row; a failed one is spelled out.
        if (role == Qt::DisplayRole)
            return check_mark(record.checks) == Mark::error ? tr("invalid") : QString();
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole || role == CopyRole)
            return check_words(record.checks);
        break;
    case Block:
        if (role == CopyRole && !record.trace->block.label.empty())
            return to_qt(record.trace->block.label);
        if (role == Qt::DisplayRole || role == CopyRole) return block_label(record);
        if (role == SortRole && record.trace->block.height)
            return QVariant::fromValue<qulonglong>(*record.trace->block.height);
        if (role == SortRole) return block_label(record);
        if (role == Qt::ToolTipRole)
            return tr("%1\n%2").arg(to_qt(record.trace->block.hash), to_qt(record.source));
        break;
    case Tasks:
        return number(found.tasks());
    case Messages:
    case Reverted:
    case Fuel:
        return executedData(record, column, role);
    case Pairs:
        return number(found.pairs.any);
    case Levels:
        return number(found.level_sizes.size());
    case LevelSizes:
        if (role == SparklineRole)
            return QVariant::fromValue(merged_sizes(found.level_sizes, most_bars));
        if (role == SortRole) return found.level_sizes.empty() ? 0U : found.level_sizes.front();
        if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole || role == CopyRole) {
            QStringList sizes;
            for (const quint32 size : merged_sizes(found.level_sizes, most_bars))
                sizes.append(role == CopyRole ? QString::number(size) : count_text(size));
            return sizes.join(QStringLiteral(" · "));
        }
        break;
    case Parallelism:
        if (role == BarRole)
            return QVariant::fromValue(Bar{found.parallelism(), most_parallel_, true});
        if (role == SortRole) return found.parallelism();
        if (role == Qt::DisplayRole || role == CopyRole)
            return significant_text(found.parallelism());
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
            return tr("%1: work / span, predicted, cost in %2")
                .arg(significant_text(found.parallelism()),
                     record.analysis.options.use_cost ? tr("the trace's units") : tr("tasks"));
        break;
    default:
        break;
    }
    return {};
}

QVariant BlocksModel::leftOutData(const range::LeftOut& out, int column, int role) {
    switch (column) {
    case Status:
        if (role == StatusRole) return QVariant::fromValue(out.stale ? Mark::warning : Mark::error);
        if (role == SortRole) return static_cast<int>(out.stale ? Mark::warning : Mark::error);
        if (role == Qt::DisplayRole) return out.stale ? tr("stale") : tr("left out");
        break;
    case Block:
        if (role == Qt::DisplayRole || role == SortRole)
            return QFileInfo(to_qt(out.source)).fileName();
        break;
    case Tasks: // the reason has the room of all figures: the view spans it
        if (role == Qt::DisplayRole || role == DetailRole || role == CopyRole)
            return to_qt(range::reason_alone(out));
        break;
    default:
        if (role == Qt::DisplayRole) return not_applicable();
    }
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return tr("%1: %2").arg(to_qt(out.source), to_qt(range::reason_alone(out)));
    if (role == CopyRole) return column == Block ? to_qt(out.source) : QString();
    return {};
}

QVariant BlocksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    // The bar is at the left of its column, with the header above it.
    if (role == Qt::TextAlignmentRole)
        return alignment(section == Parallelism ? LevelSizes : section);
    static const struct {
        const char *name, *tip;
    } heads[ColumnCount] = {
        {QT_TR_NOOP(""), QT_TR_NOOP("Whether the block's own commitments are valid")},
        {QT_TR_NOOP("Block"), QT_TR_NOOP("Height, or the name given by the source")},
        {QT_TR_NOOP("Tasks"),
         QT_TR_NOOP("Units that can be scheduled: transactions, or protostones for Alkanes")},
        {QT_TR_NOOP("Messages"), QT_TR_NOOP("Tasks that called a contract")},
        {QT_TR_NOOP("Reverted"),
         QT_TR_NOOP("Messages that did not succeed: reverted, trapped, ran out of fuel or failed")},
        {QT_TR_NOOP("Fuel, M"), QT_TR_NOOP("Fuel that the messages used, in millions")},
        {QT_TR_NOOP("Pairs"),
         QT_TR_NOOP("Conflict pairs: two tasks that access the same key, at least one writing it")},
        {QT_TR_NOOP("Levels"), QT_TR_NOOP("Number of tasks on the longest chain of dependencies")},
        {QT_TR_NOOP("Sizes"), QT_TR_NOOP("Tasks in each level, first to last, log scale")},
        {QT_TR_NOOP("Parallelism"),
         QT_TR_NOOP("Work / span: the highest speed-up of any schedule that preserves the block's "
                    "order; predicted, log scale")}};
    if (section < 0 || section >= ColumnCount) return {};
    if (role == Qt::DisplayRole) return section == Status ? QString() : tr(heads[section].name);
    if (role == Qt::AccessibleTextRole && section == Status) return tr("Checks");
    if (role == Qt::ToolTipRole) return tr(heads[section].tip);
    return {};
}

Qt::ItemFlags BlocksModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

void BlockTotalsModel::setRange(std::shared_ptr<const range::Range> range) {
    beginResetModel();
    range_ = std::move(range);
    endResetModel();
}

int BlockTotalsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !range_ ? 0 : 1;
}

int BlockTotalsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : BlocksModel::ColumnCount;
}

QVariant BlockTotalsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (role == Qt::TextAlignmentRole) return alignment(index.column());
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case BlocksModel::Block:
        return counted(range_->totals.blocks, tr("block"), tr("blocks"));
    case BlocksModel::Tasks:
        return count_text(range_->totals.tasks);
    case BlocksModel::Messages:
        return count_text(range_->totals.messages);
    case BlocksModel::Reverted:
        return count_text(range_->totals.reverted);
    case BlocksModel::Fuel:
        return fuel_text(range_->totals.fuel);
    case BlocksModel::Pairs:
        return count_text(range_->totals.conflict_pairs);
    case BlocksModel::Levels:
        return not_applicable(); // levels of different blocks do not add up
    case BlocksModel::LevelSizes:
        return tr("log");
    case BlocksModel::Parallelism:
        return tr("predicted");
    default:
        return {};
    }
}

} // namespace blockloom::ui
