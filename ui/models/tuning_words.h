// Texts and units for sweeps.
#pragma once

#include "models/run_words.h"
#include "runs/tuning_views.h"

namespace blockloom::ui {

/// How a time of a sweep is shown: per replay, or per message.
enum class TuningValue { replay, message };

/// One unit for all times of a sweep.
struct TuningScale {
    TimeUnit unit;
    double divisor = 1; ///< the number of messages where times are per message
    [[nodiscard]] QString text(double ns) const;     ///< "0.164"
    [[nodiscard]] QString withUnit(double ns) const; ///< "0.164 µs"
    [[nodiscard]] QString name() const;              ///< "µs per message", "ms per replay"
};
[[nodiscard]] TuningScale scale_of(const runs::ReplayTuning& tuned, TuningValue value);

[[nodiscard]] QString axis_words(runs::TuningAxis axis); ///< "Batch max"
/// "64 Ki", "all", "set by device": a short form of an axis value. The caller names devices.
[[nodiscard]] QString axis_value(runs::TuningAxis axis, std::uint64_t value);
/// Parses "1, 2, 4" or "16, 64, all" into ascending unique numbers; none: not a valid list. `zero`:
/// the word for 0; empty: 0 is not allowed.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> read_list(const QString& text,
                                                                  const QString& zero);
[[nodiscard]] QString list_text(const std::vector<std::uint64_t>& values, const QString& zero);

/// "GPU-0 beats the CPU from a batch size of about 7,900", or which of them is always faster.
[[nodiscard]] QString crossing_words(const runs::TuningCurve& curve, const QString& name);
/// "64 Ki to all": the batch sizes of the optimum band; empty: unknown.
[[nodiscard]] QString band_words(const runs::TuningCurve& curve);

} // namespace blockloom::ui
