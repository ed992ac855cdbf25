#include "models/compare_model.h"

#include "look/roles.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

bool is_compared_number(int column) {
    return column == CompareModel::A || column == CompareModel::Against ||
           column == CompareModel::Ratio || column == CompareModel::Interval;
}

std::optional<execute::Phase> phase_named(const std::string& name) {
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        if (name == name_of(static_cast<execute::Phase>(i))) return static_cast<execute::Phase>(i);
    return std::nullopt;
}

} // namespace

void CompareModel::setComparison(std::shared_ptr<const runs::RunComparison> comparison,
                                 const runs::KeptRun* a, const runs::KeptRun* b) {
    comparison_ = std::move(comparison);
    a_ = a == nullptr ? std::nullopt : std::optional(*a);
    b_ = b == nullptr ? std::nullopt : std::optional(*b);
    remake();
}

void CompareModel::setGap(std::shared_ptr<const runs::GapDifference> gap) {
    if (gap == gap_) return;
    gap_ = std::move(gap);
    if (part_ == Part::gap) remake();
}

/// The causes, and the measured times that they add up to.
void CompareModel::addGap() {
    if (!gap_ || !gap_->missing.empty()) return;
    for (const runs::GapChange& change : gap_->causes) {
        Row row;
        row.name = to_qt(change.name);
        row.about = to_qt(change.about);
        row.predicted = change.predicted;
        if (change.predicted) {
            row.name = tr("%1, predicted").arg(row.name);
            row.about += tr(" (predicted)");
        }
        row.a = static_cast<double>(change.a.value_or(0));
        row.b = static_cast<double>(change.b.value_or(0));
        row.has_a = change.a.has_value();
        row.has_b = change.b.has_value();
        rows_.push_back(std::move(row));
    }
    Row all;
    all.name = tr("measured");
    all.about = tr("All phases of the recorded repetition: the sum of the causes");
    all.a = static_cast<double>(gap_->a);
    all.b = static_cast<double>(gap_->b);
    rows_.push_back(std::move(all));
}

void CompareModel::setPart(Part part) {
    if (part == part_) return;
    part_ = part;
    remake();
}

void CompareModel::setNormalised(bool normalised) {
    if (normalised == normalised_) return;
    normalised_ = normalised;
    remake();
}

void CompareModel::setSquareRoot(bool root) {
    if (root == root_) return;
    root_ = root;
    if (!rows_.empty()) Q_EMIT dataChanged(index(0, A), index(rowCount() - 1, Bars));
}

QString CompareModel::hashAt(int row) const {
    return row >= 0 && row < rowCount() ? rows_[static_cast<std::size_t>(row)].hash : QString();
}

void CompareModel::addTime(const runs::ComparedTime& time) {
    Row row;
    row.name = to_qt(time.name);
    row.a = static_cast<double>(time.a);
    row.b = static_cast<double>(time.b);
    row.a_samples = time.a_samples;
    row.b_samples = time.b_samples;
    row.ratio = time.ratio;
    row.interval = time.interval;
    row.no_difference = time.no_difference();
    row.ranked = comparison_->ranks();
    rows_.push_back(std::move(row));
}

void CompareModel::remake() {
    beginResetModel();
    rows_.clear();
    const bool there = comparison_ && comparison_->refusal.empty() && a_ && b_;
    if (there && part_ == Part::phases) {
        for (const runs::ComparedTime& time : comparison_->phases) {
            addTime(time);
            const auto phase = phase_named(time.name);
            rows_.back().serial_a = phase && !runs::accelerated(*a_, *phase);
            rows_.back().serial_b = phase && !runs::accelerated(*b_, *phase);
        }
    } else if (there && part_ == Part::blocks) {
        for (const runs::ComparedBlock& block : comparison_->blocks) {
            addTime(block.time);
            rows_.back().name = QString::number(block.height);
            rows_.back().hash = to_qt(block.hash);
            rows_.back().digests_equal = block.digests_equal;
        }
    } else if (there && part_ == Part::percentiles) {
        addTime(comparison_->wall);
        rows_.back().name = tr("median");
        for (const runs::ComparedTime& time : comparison_->percentiles)
            if (time.name != runs::name_of_median) addTime(time);
    } else if (there && part_ == Part::gap) {
        addGap();
    } else if (there) {
        for (const runs::ComparedCount& count : comparison_->statuses) {
            Row row;
            row.name = to_qt(count.name);
            row.a = static_cast<double>(count.a);
            row.b = static_cast<double>(count.b);
            rows_.push_back(std::move(row));
        }
    }

    // Shares are of a run's own whole: all rows, its median, or its tasks.
    double a_of = 0, b_of = 0;
    if (part_ == Part::percentiles || part_ == Part::statuses) {
        if (!rows_.empty()) {
            a_of = rows_.front().a;
            b_of = rows_.front().b;
        }
    } else if (part_ == Part::gap) {
        if (!rows_.empty()) {
            a_of = rows_.back().a;
            b_of = rows_.back().b;
        }
    } else {
        for (const Row& row : rows_) {
            a_of += row.a;
            b_of += row.b;
        }
    }
    most_ = 0;
    double largest = 0;
    for (Row& row : rows_) {
        row.a_of = normalised_ ? std::max(a_of, 1.0) : 1;
        row.b_of = normalised_ ? std::max(b_of, 1.0) : 1;
        // Fuel is not a count of tasks: on its scale the other bars would vanish.
        if (part_ == Part::statuses && row.name == QLatin1StringView("fuel")) continue;
        most_ = std::max({most_, row.a / row.a_of, row.b / row.b_of});
        largest = std::max({largest, std::abs(row.a), std::abs(row.b)});
    }
    if (most_ <= 0) most_ = 1;
    constexpr double most_in_ms = 999e6;
    unit_ = unit_for(static_cast<Nanoseconds>(std::min(largest, most_in_ms)));
    endResetModel();
}

int CompareModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString CompareModel::valueText(double value, double of) const {
    if (normalised_)
        return part_ == Part::percentiles ? ratio_text(value / of) : percent_text(value / of);
    if (!isTime()) return count_text(static_cast<std::uint64_t>(value));
    if (part_ == Part::gap && value < 0)
        return QString(QChar(0x2212)) + unit_.text(static_cast<Nanoseconds>(-value));
    return value == 0 && part_ != Part::gap ? not_applicable()
                                            : unit_.text(static_cast<Nanoseconds>(value));
}

QString CompareModel::shown(const Row& row, int column) const {
    switch (column) {
    case A:
        return row.has_a ? valueText(row.a, row.a_of) : not_applicable();
    case Name:
        return row.name;
    case B:
        return row.has_b ? valueText(row.b, row.b_of) : not_applicable();
    case Against: {
        const double by = row.b / row.b_of - row.a / row.a_of;
        if (normalised_ && part_ != Part::percentiles) {
            const QString points = signed_text(100 * by);
            return points == QLatin1StringView("=") ? points : tr("%1 points").arg(points);
        }
        if (normalised_) return signed_text(by);
        if (!isTime() && row.a != row.b) {
            const double apart = std::abs(by);
            return (by < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) +
                   count_text(static_cast<std::uint64_t>(apart));
        }
        return isTime() ? unit_.signedText(static_cast<Nanoseconds>(by)) : signed_text(by);
    }
    case Ratio:
        if (!isTime()) return {};
        return row.ratio && row.a > 0 && row.ranked ? ratio_text(*row.ratio) : not_applicable();
    case Interval:
        if (!isTime() || !row.ranked) return {};
        if (!row.interval) return not_applicable();
        if (row.no_difference) return tr("no significant difference");
        return QStringLiteral("%1–%2").arg(significant_text(row.interval->low),
                                           significant_text(row.interval->high));
    case Digests:
        return !row.digests_equal ? QString() : *row.digests_equal ? tr("equal") : tr("unequal");
    default:
        return {};
    }
}

/// The whole of it, for tooltips and screen readers.
QString CompareModel::in_full(const Row& row, int column) const {
    const auto whole = [this](double value, std::size_t samples) {
        if (!isTime()) return count_text(static_cast<std::uint64_t>(value));
        const QString time = part_ == Part::gap
                                 ? to_qt(runs::step_text(static_cast<Nanoseconds>(value)))
                                 : time_text(static_cast<std::int64_t>(value));
        return samples > 1 ? tr("%1, median of %2").arg(time, count_text(samples)) : time;
    };
    switch (column) {
    case A:
        return whole(row.a, row.a_samples);
    case B:
        return whole(row.b, row.b_samples);
    case Name:
        return part_ == Part::gap ? row.about : row.hash;
    case Bars:
        return tr("%1: A %2, B %3")
            .arg(row.name, whole(row.a, row.a_samples), whole(row.b, row.b_samples));
    case Interval:
        if (!isTime()) return {};
        if (!row.interval)
            return tr("No interval: too few repetitions of each run; set Repeat to 12 and run both "
                      "again");
        return tr("95 % bootstrap interval of the ratio of medians: %1–%2")
            .arg(significant_text(row.interval->low), significant_text(row.interval->high));
    default:
        return {};
    }
}

QVariant CompareModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((column == Name               ? Qt::AlignHCenter
                    : is_compared_number(column) ? Qt::AlignRight
                                                 : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    case Qt::DisplayRole:
        return shown(row, column);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        const QString text = in_full(row, column);
        if (!text.isEmpty()) return text;
        return role == Qt::AccessibleTextRole ? QVariant(shown(row, column)) : QVariant();
    }
    case StatusRole:
        if (column != Digests || !row.digests_equal) return {};
        return QVariant::fromValue(*row.digests_equal ? Mark::ok : Mark::error);
    case PairRole: {
        // Its numbers are longer than what bars leave free, and it is on no scale of theirs.
        if (part_ == Part::statuses && row.name == QLatin1StringView("fuel"))
            return QVariant::fromValue(PairBar{});
        const auto scaled = [this](double share) {
            const double of = std::clamp(share / most_, 0.0, 1.0);
            return root_ ? std::sqrt(of) : of;
        };
        const double a = row.a / row.a_of, b = row.b / row.b_of;
        return QVariant::fromValue(PairBar{scaled(a), scaled(b),
                                           (b < a ? -1 : 1) * scaled(std::abs(b - a)), row.serial_a,
                                           row.serial_b, isTime(), row.predicted});
    }
    case CopyRole:
        if (column == A && !normalised_) return static_cast<qint64>(row.a);
        if (column == B && !normalised_) return static_cast<qint64>(row.b);
        if (column == Interval && row.interval)
            return QStringLiteral("%1–%2").arg(significant_text(row.interval->low),
                                               significant_text(row.interval->high));
        return shown(row, column);
    case SortRole:
        if (column == A) return row.a / row.a_of;
        if (column == B) return row.b / row.b_of;
        if (column == Against || column == Bars) return row.b / row.b_of - row.a / row.a_of;
        if (column == Ratio) return row.ratio.value_or(0);
        if (column == Interval) return row.interval ? row.interval->low : 0.0;
        if (column == Digests) return row.digests_equal ? int(*row.digests_equal) : 2;
        return index.row();
    default:
        return {};
    }
}

QString CompareModel::unitName() const {
    if (normalised_) return part_ == Part::percentiles ? tr("of its median") : tr("share");
    return isTime() ? unit_.name : QString();
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name               ? Qt::AlignHCenter
                    : is_compared_number(section) ? Qt::AlignRight
                                                  : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    const QString unit = unitName();
    const auto with_unit = [&unit](const QString& name) {
        return unit.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, unit);
    };
    if (role == Qt::DisplayRole) {
        switch (section) {
        case A:
            return with_unit(tr("A"));
        case Name:
            return part_ == Part::phases        ? tr("Phase")
                   : part_ == Part::blocks      ? tr("Block")
                   : part_ == Part::percentiles ? tr("Wall time")
                   : part_ == Part::gap         ? tr("Cause")
                                                : tr("Count");
        case B:
            return with_unit(tr("B"));
        case Bars:
            return tr("A and B");
        case Against:
            return normalised_ ? tr("B − A") : with_unit(tr("B − A"));
        case Ratio:
            return tr("A / B");
        case Interval:
            return tr("95 % interval");
        default:
            return tr("Digests");
        }
    }
    if (role == Qt::ToolTipRole) {
        if (section == Ratio)
            return tr("Median of A / median of B: above 1, B is faster. Measured");
        if (section == Interval)
            return tr("Bootstrap interval of the ratio of medians; where it contains 1, the "
                      "difference is not significant");
        if (section == Against) return tr("Below 0, B takes less time");
    }
    return {};
}

} // namespace blockloom::ui
