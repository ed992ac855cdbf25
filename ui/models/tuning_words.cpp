#include "models/tuning_words.h"

#include "text/numbers.h"
#include "text/words.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
QString TuningScale::text(double ns) const {
    return significant_text(ns / divisor / unit.ns);
}

QString TuningScale::withUnit(double ns) const {
    return QStringLiteral("%1 %2").arg(text(ns), unit.name);
}

QString TuningScale::name() const {
    return (divisor == 1 ? words("%1 per replay") : words("%1 per message")).arg(unit.name);
}

TuningScale scale_of(const runs::ReplayTuning& tuned, TuningValue value) {
    TuningScale scale;
    if (value == TuningValue::message)
        scale.divisor = static_cast<double>(std::max<std::uint64_t>(tuned.tasks, 1));
    // The best one matters most: it sets the unit.
    const double best = tuned.tuning.points.empty()
                            ? 0
                            : tuned.tuning.points[tuned.tuning.best].median / scale.divisor;
    scale.unit = unit_for(std::max<Nanoseconds>(static_cast<Nanoseconds>(best), 1000));
    return scale;
}

QString axis_words(runs::TuningAxis axis) {
    switch (axis) {
    case runs::TuningAxis::workers:
        return words("Workers");
    case runs::TuningAxis::batch_min:
        return words("Batch min");
    case runs::TuningAxis::batch_max:
        return words("Batch max");
    case runs::TuningAxis::window:
        return words("Block window");
    case runs::TuningAxis::slice:
        return words("Slices");
    case runs::TuningAxis::hybrid:
        return words("Placement");
    case runs::TuningAxis::device:
        break;
    }
    return words("Device");
}

QString axis_value(runs::TuningAxis axis, std::uint64_t value) {
    if (value == 0 && axis == runs::TuningAxis::batch_max) return words("all");
    if (value == 0 && axis == runs::TuningAxis::slice) return words("set by the device");
    if (axis == runs::TuningAxis::hybrid) return value == 0 ? words("device") : words("shared");
    if (value >= 1024 && value % 1024 == 0) return words("%1 Ki").arg(count_text(value / 1024));
    return count_text(value);
}

std::optional<std::vector<std::uint64_t>> read_list(const QString& text, const QString& zero) {
    std::vector<std::uint64_t> values;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString word = part.simplified();
        if (word.isEmpty()) continue;
        bool good = false;
        std::uint64_t value = word.toULongLong(&good);
        if (!zero.isEmpty() && word.compare(zero, Qt::CaseInsensitive) == 0) {
            value = 0;
            good = true;
        }
        if (!good || value > 1'000'000'000 || (value == 0 && zero.isEmpty())) return std::nullopt;
        values.push_back(value);
    }
    if (values.empty() || values.size() > 32) return std::nullopt;
    // 0 means more than any number.
    std::sort(values.begin(), values.end(),
              [](std::uint64_t a, std::uint64_t b) { return a - 1 < b - 1; });
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

QString list_text(const std::vector<std::uint64_t>& values, const QString& zero) {
    QStringList parts;
    for (const std::uint64_t value : values)
        parts.append(value == 0 ? zero : QString::number(value));
    return parts.join(QStringLiteral(", "));
}

QString crossing_words(const runs::TuningCurve& curve, const QString& name) {
    using Crossing = runs::TuningCurve::Crossing;
    const QString other =
        curve.cpu.there && (!curve.serial.there || curve.cpu.time < curve.serial.time)
            ? words("the CPU")
            : words("the serial CPU");
    switch (curve.crossing) {
    case Crossing::never:
        return words("%1: no batch size beats %2").arg(name, other);
    case Crossing::always:
        return words("%1 beats %2 at every batch size").arg(name, other);
    case Crossing::at:
    case Crossing::until:
        return (curve.crossing == Crossing::at
                    ? words("%1 beats %2 from a batch size of about %3%4")
                    : words("%1 beats %2 up to a batch size of about %3%4"))
            .arg(name, other, count_text(static_cast<std::uint64_t>(std::lround(curve.crossover))),
                 curve.crossover_predicted ? words(" (predicted)") : QString());
    case Crossing::unknown:
        break;
    }
    return {};
}

QString band_words(const runs::TuningCurve& curve) {
    std::optional<std::uint64_t> first, last;
    for (const auto& point : curve.points) {
        if (!point.in_band) continue;
        if (!first) first = point.batch_max;
        last = point.batch_max;
    }
    if (!first) return {};
    const QString low = axis_value(runs::TuningAxis::batch_max, *first);
    if (*first == *last) return low;
    return words("%1 to %2").arg(low, axis_value(runs::TuningAxis::batch_max, *last));
}

} // namespace blockloom::ui
