// How sweeps are worded and put into units.
#pragma once

#include "models/run_words.h"
#include "runs/tuning_views.h"

namespace blockloom::ui {

/// What a time of a sweep is shown as: of the whole replay, or of one message.
enum class TuningValue { replay, message };

/// One unit for all times of a sweep.
struct TuningScale {
    TimeUnit unit;
    double divisor = 1;                              ///< messages, where each one's share is shown
    [[nodiscard]] QString text(double ns) const;     ///< "0.164"
    [[nodiscard]] QString withUnit(double ns) const; ///< "0.164 µs"
    [[nodiscard]] QString name() const;              ///< "µs per message", "ms per replay"
};
[[nodiscard]] TuningScale scale_of(const runs::ReplayTuning& tuned, TuningValue value);

[[nodiscard]] QString axis_words(runs::TuningAxis axis); ///< "Batch max"
/// "64 Ki", "all", "by device": a value of an axis, short. Devices are for the caller to name.
[[nodiscard]] QString axis_value(runs::TuningAxis axis, std::uint64_t value);
/// "1, 2, 4" and "16, 64, all" as numbers, ascending, each once; nothing: no such list. `zero`: the
/// word for 0, empty: 0 is no value.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> read_list(const QString& text,
                                                                  const QString& zero);
[[nodiscard]] QString list_text(const std::vector<std::uint64_t>& values, const QString& zero);

/// "GPU-0 is faster from about 7,900 messages at once", or that one of them always is.
[[nodiscard]] QString crossing_words(const runs::TuningCurve& curve, const QString& name);
/// "64 Ki to all": the batch sizes of the optimum; empty: it is not told.
[[nodiscard]] QString band_words(const runs::TuningCurve& curve);

} // namespace blockloom::ui
