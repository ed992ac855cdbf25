#include "models/contention_model.h"

#include "session/rules.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QCoreApplication>

#include <algorithm>

namespace blockloom::ui {
namespace {

QString effect_words(std::string_view effect) {
    if (effect == "adds") return QCoreApplication::translate("Effects", "add a number to it");
    if (effect == "sets") return QCoreApplication::translate("Effects", "set it to the same value");
    if (effect == "keeps") return QCoreApplication::translate("Effects", "keep it");
    return QCoreApplication::translate("Effects", "change it in other ways");
}

QString kind_of(const QString& key) {
    return key.section(QLatin1Char(':'), 0, 0);
}

} // namespace

QString kind_words(const QString& kind) {
    static const QHash<QString, const char*> words{
        {QStringLiteral("utxo"), QT_TRANSLATE_NOOP("Kinds", "Output")},
        {QStringLiteral("balance"), QT_TRANSLATE_NOOP("Kinds", "Account balance")},
        {QStringLiteral("nonce"), QT_TRANSLATE_NOOP("Kinds", "Account nonce")},
        {QStringLiteral("code"), QT_TRANSLATE_NOOP("Kinds", "Account code")},
        {QStringLiteral("storage"), QT_TRANSLATE_NOOP("Kinds", "Storage slot")},
        {QStringLiteral("account"), QT_TRANSLATE_NOOP("Kinds", "Account")}};
    if (const auto at = words.find(kind); at != words.end())
        return QCoreApplication::translate("Kinds", *at);
    return kind.left(1).toUpper() + kind.mid(1);
}

std::vector<ContentionModel::Row> ContentionModel::rowsOf(const trace::KeyPolicy& policy) {
    std::vector<Row> rows;
    if (!record_) return rows;
    if (seen_of_ != record_->trace) {
        seen_of_ = record_->trace;
        seen_.clear();
    }
    for (const std::string& relaxed : relaxed_keys(policy)) {
        Row row{to_qt(relaxed), true, std::nullopt};
        if (const auto at = seen_.constFind(row.key); at != seen_.constEnd()) row.found = *at;
        rows.push_back(std::move(row));
    }
    const auto relaxed_count = static_cast<std::ptrdiff_t>(rows.size());
    const auto names = record_->analysis.index->trace->keys;
    for (const conflict::KeyContention& hot : record_->analysis.hot_keys) {
        const QString key =
            names ? to_qt(names->printable(hot.key)) : QStringLiteral("key:%1").arg(hot.key);
        const auto end = rows.begin() + relaxed_count;
        // The record may be older than the policy: a key just ticked is then listed once, above.
        const auto ticked =
            std::find_if(rows.begin(), end, [&key](const Row& row) { return row.key == key; });
        if (ticked != end) {
            ticked->found = hot;
            continue;
        }
        seen_.insert(key, hot);
        rows.push_back({key, false, hot});
    }
    const auto rate = [this](const Row& row) {
        const auto at = known_.constFind(row.key);
        return at == known_.constEnd() ? -1.0 : at->hit_rate().value_or(-1);
    };
    std::stable_sort(rows.begin() + relaxed_count, rows.end(), [&](const Row& a, const Row& b) {
        if (a.found->gain_if_relaxed != b.found->gain_if_relaxed)
            return a.found->gain_if_relaxed > b.found->gain_if_relaxed;
        return rate(a) > rate(b); // then by pairs, as they are listed
    });
    return rows;
}

void ContentionModel::setBlock(std::shared_ptr<const range::BlockRecord> record,
                               const trace::KeyPolicy& policy) {
    record_ = std::move(record);
    policy_ = policy;
    place(rowsOf(policy));
}

void ContentionModel::setKnown(const std::vector<runs::WhatIfKey>& keys) {
    known_.clear();
    for (const runs::WhatIfKey& key : keys) known_.insert(to_qt(key.key), key);
    place(rowsOf(policy_));
}

void ContentionModel::place(std::vector<Row> rows) {
    const bool same_keys = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                                      [](const Row& a, const Row& b) { return a.key == b.key; });
    if (!same_keys) beginResetModel();
    rows_ = std::move(rows);
    most_gain_ = 1;
    for (const Row& row : rows_)
        if (row.found) most_gain_ = std::max(most_gain_, row.found->gain_if_relaxed);
    if (!same_keys)
        endResetModel();
    else if (!rows_.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

QString ContentionModel::keyAt(int row) const {
    return row >= 0 && row < rowCount() ? rows_[static_cast<std::size_t>(row)].key : QString();
}

std::optional<quint32> ContentionModel::idAt(int row) const {
    if (row < 0 || row >= rowCount()) return std::nullopt;
    const Row& at = rows_[static_cast<std::size_t>(row)];
    return at.found ? std::optional<quint32>(at.found->key) : std::nullopt;
}

int ContentionModel::rowOf(quint32 key) const {
    const auto at = std::find_if(rows_.begin(), rows_.end(), [key](const Row& row) {
        return row.found && row.found->key == key;
    });
    return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

int ContentionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ContentionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ContentionModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (column > Kind ? Qt::AlignRight : Qt::AlignLeft)));
    if (role == KeyRole && row.found) return row.found->key;
    if (role == Qt::ToolTipRole && column <= Key) return row.key;
    const bool shown = role == Qt::DisplayRole;
    const auto number = [role, shown](std::uint64_t value) -> QVariant {
        if (role == SortRole) return QVariant::fromValue<qulonglong>(value);
        if (role == CopyRole) return QString::number(value);
        return shown ? QVariant(count_text(value)) : QVariant();
    };
    if (column > Kind && column != Predictable && !row.found)
        return shown || role == CopyRole ? QVariant(not_applicable()) : QVariant();
    switch (column) {
    case Relax:
        if (role == Qt::CheckStateRole) return row.relaxed ? Qt::Checked : Qt::Unchecked;
        if (role == SortRole) return row.relaxed ? 0 : 1;
        if (role == CopyRole) return row.relaxed ? tr("relaxed") : QString();
        if (role == Qt::AccessibleTextRole)
            return tr("%1 %2").arg(row.relaxed ? tr("relaxed:") : tr("relax:"), short_key(row.key));
        break;
    case Key:
        if (shown) return kind_words(kind_of(row.key));
        if (role == DetailRole) return short_key(row.key);
        if (role == SortRole || role == CopyRole || role == Qt::AccessibleTextRole) return row.key;
        break;
    case Kind:
        if (shown || role == SortRole || role == CopyRole) return kind_of(row.key);
        break;
    case ReadersWriters:
        if (shown || role == CopyRole)
            return tr("%1 / %2").arg(count_text(row.found->readers),
                                     count_text(row.found->writers));
        if (role == SortRole) return row.found->readers + row.found->writers;
        break;
    case Pairs:
        return number(row.found->conflict_pairs);
    case Predictable: {
        const auto at = known_.constFind(row.key);
        const auto rate = at == known_.constEnd() ? std::nullopt : at->hit_rate();
        if (role == SortRole) return rate.value_or(-1);
        if (!rate) {
            if (role == Qt::ToolTipRole)
                return at == known_.constEnd()
                           ? tr("Known once a run of this range is kept")
                           : tr("No read of it could be given a predicted value");
            return shown || role == CopyRole ? QVariant(not_applicable()) : QVariant();
        }
        if (shown || role == CopyRole) return percent_text(*rate);
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
            return tr("%1 of %2 reads would have been predicted right; most writers: %3")
                .arg(count_text(at->hits), count_text(at->reads),
                     effect_words(runs::main_effect(at->effects)));
        break;
    }
    case Gain:
        if (role == BarRole)
            return QVariant::fromValue(Bar{row.found->gain_if_relaxed, most_gain_, true});
        if (role == SortRole) return row.found->gain_if_relaxed;
        if (shown || role == CopyRole) return ratio_text(row.found->gain_if_relaxed);
        if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
            return row.relaxed ? tr("Predicted %1 before it was relaxed")
                                     .arg(ratio_text(row.found->gain_if_relaxed))
                               : tr("Parallelism without this key: %1, predicted")
                                     .arg(ratio_text(row.found->gain_if_relaxed));
        break;
    default:
        break;
    }
    return {};
}

bool ContentionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != Relax ||
        role != Qt::CheckStateRole)
        return false;
    Q_EMIT relaxRequested(keyAt(index.row()), value.toInt() == Qt::Checked);
    return true;
}

QVariant ContentionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter |
                          (section == ReadersWriters || section == Pairs || section == Predictable
                               ? Qt::AlignRight
                               : Qt::AlignLeft)));
    static const struct {
        const char *name, *tip;
    } heads[ColumnCount] = {
        {QT_TR_NOOP("Relax"), QT_TR_NOOP("Tick to relax the key: its accesses are not counted")},
        {QT_TR_NOOP("Key"), QT_TR_NOOP("A piece of state that tasks access")},
        {QT_TR_NOOP("Kind"), QT_TR_NOOP("Kind of state")},
        {QT_TR_NOOP("Rd / wr"), QT_TR_NOOP("Tasks that read it / write it")},
        {QT_TR_NOOP("Pairs"),
         QT_TR_NOOP("Conflict pairs that it causes, alone or with other keys")},
        {QT_TR_NOOP("Predictable"),
         QT_TR_NOOP(
             "Share of its reads that the strategy predict would have given the right value, "
             "in the run that the Schedule shows")},
        {QT_TR_NOOP("Gain if relaxed, predicted"),
         QT_TR_NOOP("Parallelism without its conflicts / with them; predicted, log scale")}};
    if (role == Qt::DisplayRole) return section == Relax ? QString() : tr(heads[section].name);
    if (role == Qt::AccessibleTextRole && section == Relax) return tr(heads[section].name);
    if (role == Qt::ToolTipRole) return tr(heads[section].tip);
    return {};
}

Qt::ItemFlags ContentionModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == Relax) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace blockloom::ui
