#include "models/tuning_model.h"

#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {

using runs::TuningAxis;

bool TuningModel::same_points(const SeenTuning& seen) const {
    return seen_.tuning && seen.tuning &&
           std::equal(seen.tuning->settings.begin(), seen.tuning->settings.end(),
                      seen_.tuning->settings.begin(), seen_.tuning->settings.end(),
                      runs::same_setting);
}

void TuningModel::setSeen(const SeenTuning& seen, TuningValue value) {
    const TuningScale scale =
        seen.tuning ? scale_of(*seen.tuning, value) : TuningScale{unit_for(1), 1};
    // During a sweep the rows stay, so that a reader keeps the place.
    if (same_points(seen)) {
        seen_ = seen;
        scale_ = scale;
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        Q_EMIT headerDataChanged(Qt::Horizontal, Median, Predicted);
        return;
    }
    beginResetModel();
    seen_ = seen;
    scale_ = scale;
    endResetModel();
}

int TuningModel::measured() const {
    if (!seen_.tuning) return 0;
    return static_cast<int>(std::count_if(seen_.tuning->tuning.points.begin(),
                                          seen_.tuning->tuning.points.end(),
                                          [](const auto& p) { return !p.samples.empty(); }));
}

int TuningModel::predicted() const {
    int count = 0;
    for (std::size_t i = 0; i < seen_.predicted.of.size(); ++i)
        count += seen_.predicted.of[i] && seen_.tuning->tuning.points[i].samples.empty();
    return count;
}

int TuningModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !seen_.tuning ? 0 : static_cast<int>(seen_.tuning->settings.size());
}

int TuningModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString TuningModel::state(std::size_t row) const {
    const profile::Tuning& tuning = seen_.tuning->tuning;
    const profile::TunedPoint& point = tuning.points[row];
    if (tuning.measuring == row) return tr("measuring");
    if (point.samples.empty()) return seen_.predicted.of[row] ? tr("predicted") : tr("pending");
    if (tuning.best == row) return tuning.measuring ? tr("best so far") : tr("best");
    if (point.in_band) return tr("no significant difference");
    return point.against_best ? tr("slower") : tr("measured");
}

QString TuningModel::shown(std::size_t row, int column) const {
    const runs::TuningSetting& setting = seen_.tuning->settings[row];
    const profile::TunedPoint& point = seen_.tuning->tuning.points[row];
    const bool serial = setting.how.strategy == execute::Strategy::serial;
    const std::optional<double>& predicted = seen_.predicted.of[row];
    switch (column) {
    case Device:
        return name_ ? name_(setting.backend) : to_qt(setting.backend);
    case Strategy:
        return to_qt(name_of(setting.how.strategy));
    case Workers:
        return count_text(serial ? 1 : setting.how.workers);
    case BatchMin:
        return serial ? not_applicable() : axis_value(TuningAxis::batch_min, setting.how.batch_min);
    case BatchMax:
        return serial ? not_applicable() : axis_value(TuningAxis::batch_max, setting.how.batch_max);
    case Window:
        return serial ? not_applicable() : axis_value(TuningAxis::window, setting.how.window);
    case Slice:
        return setting.backend == "cpu" ? not_applicable()
                                        : axis_value(TuningAxis::slice, setting.slice);
    case Placement:
        return setting.backend == "cpu"
                   ? not_applicable()
                   : axis_value(TuningAxis::hybrid, setting.how.hybrid ? 1 : 0);
    case Median:
        return point.samples.empty() ? not_applicable() : scale_.text(point.median);
    case Interval: {
        const auto interval = profile::median_interval(point.samples);
        return interval ? scale_.text(interval->low) + QChar(0x2013) + scale_.text(interval->high)
                        : not_applicable();
    }
    case AgainstBest:
        if (seen_.tuning->tuning.best == row && !point.samples.empty()) return ratio_text(1);
        return point.against_best ? ratio_text(point.against_best->low) + QChar(0x2013) +
                                        ratio_text(point.against_best->high)
                                  : not_applicable();
    case Predicted:
        return predicted ? scale_.text(*predicted) : not_applicable();
    case OffBy:
        return predicted && !point.samples.empty()
                   ? signed_text((*predicted / point.median - 1) * 100) + QStringLiteral(" %")
                   : not_applicable();
    case Samples:
        return count_text(point.samples.size());
    case State:
        return state(row);
    default:
        return {};
    }
}

QVariant TuningModel::sorted(std::size_t row, int column) const {
    const runs::TuningSetting& setting = seen_.tuning->settings[row];
    const profile::TunedPoint& point = seen_.tuning->tuning.points[row];
    constexpr double last = 1e300; // what is not known comes after what is
    switch (column) {
    case Workers:
        return setting.how.workers;
    case BatchMin:
        return quint64(setting.how.batch_min);
    case BatchMax:
        return quint64(setting.how.batch_max) - 1;
    case Window:
        return setting.how.window;
    case Slice:
        return setting.slice;
    case Median:
    case Interval:
        return point.samples.empty() ? last : point.median;
    case AgainstBest:
        return point.against_best ? point.against_best->low : last;
    case Predicted:
        return seen_.predicted.of[row].value_or(last);
    case OffBy:
        return seen_.predicted.of[row] && !point.samples.empty()
                   ? *seen_.predicted.of[row] / point.median
                   : last;
    case Samples:
        return quint64(point.samples.size());
    default:
        return shown(row, column);
    }
}

QVariant TuningModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const int column = index.column();
    const profile::TunedPoint& point = seen_.tuning->tuning.points[row];
    const bool words = column <= Strategy || column == Placement || column == State;
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return shown(row, column);
    case SortRole:
        return sorted(row, column);
    case CopyRole:
        if (column == Median && !point.samples.empty()) return point.median;
        if (column == Predicted && seen_.predicted.of[row]) return *seen_.predicted.of[row];
        if (column == BatchMax && seen_.tuning->settings[row].how.batch_max != 0)
            return quint64(seen_.tuning->settings[row].how.batch_max);
        return shown(row, column);
    case Qt::ToolTipRole: {
        if (column != Samples) return {};
        QStringList samples;
        for (const Nanoseconds sample : point.samples) samples.append(time_text(sample));
        return samples.join(QStringLiteral(", "));
    }
    default:
        return {};
    }
}

QVariant TuningModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section <= Strategy || section == Placement || section == State
                        ? Qt::AlignLeft
                        : Qt::AlignRight) |
                   Qt::AlignVCenter);
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Device:
            return tr("Device");
        case Strategy:
            return tr("Strategy");
        case Workers:
            return axis_words(TuningAxis::workers);
        case BatchMin:
            return axis_words(TuningAxis::batch_min);
        case BatchMax:
            return axis_words(TuningAxis::batch_max);
        case Window:
            return axis_words(TuningAxis::window);
        case Slice:
            return tr("Slice");
        case Placement:
            return axis_words(TuningAxis::hybrid);
        case Median:
            return tr("Measured, %1").arg(scale_.unit.name);
        case Interval:
            return tr("95 % interval");
        case AgainstBest:
            return tr("Ratio to the best");
        case Predicted:
            return tr("Predicted, %1").arg(scale_.unit.name);
        case OffBy:
            return tr("Error");
        case Samples:
            return tr("Samples");
        default:
            return tr("State");
        }
    }
    if (role != Qt::ToolTipRole) return {};
    switch (section) {
    case BatchMax:
        return tr("Transactions that run together; on a device the size of its waves");
    case Window:
        return tr("Blocks that are executed together");
    case Placement:
        return tr("Who runs the rounds of a device: it alone, or shared with the workers, which "
                  "run those that they finish sooner");
    case Median:
        return tr("Median of the samples, excluding the first one (warm-up)");
    case AgainstBest:
        return tr("95 % interval of its median over the best one's; where it contains 1, the "
                  "difference is not significant");
    case Predicted:
        return tr("Predicted by a cost model fitted to the other measured points, never to the "
                  "point itself");
    case OffBy:
        return tr("Predicted relative to measured");
    default:
        return {};
    }
}

} // namespace blockloom::ui
