// Texts about kept runs and comparisons in tables, cards and lists.
#pragma once

#include "look/roles.h"
#include "range/task_details.h"
#include "runs/placement.h"
#include "runs/run_comparison.h"
#include "scene/colour.h"
#include "scene/theme.h"
#include "text/run_names.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace blockloom::ui {

/// "A", "device · NVIDIA H200": where a run executed a task and, if not on its device, why.
[[nodiscard]] range::DetailRow placement_row(const char* letter, const runs::KeptRun& run,
                                             const runs::Placement& placement);
/// When that was, and on which lane: below that row.
[[nodiscard]] range::DetailRow span_row(const char* letter, const runs::TaskSpan& span);
/// What was compiled of a module (hexadecimal) for the run's device, and how the calls of it ended
/// that were given to the device: no rows if none were.
[[nodiscard]] std::vector<range::DetailRow> code_rows(const char* letter, const runs::KeptRun& run,
                                                      const std::string& module);
/// The colour of the backend that ran it.
[[nodiscard]] scene::Colour colour_of(const runs::KeptRun& run, const scene::Theme& theme);

/// One unit for all times of a column or an axis, in which the largest is 1 to 999.
struct TimeUnit {
    QString name; ///< "ns", "µs", "ms", "s"
    double ns = 1;
    [[nodiscard]] double of(Nanoseconds time) const { return static_cast<double>(time) / ns; }
    /// The number alone; with a unit of its own ("1.20 µs") where it would begin with zeros.
    [[nodiscard]] QString text(Nanoseconds time) const;
    [[nodiscard]] QString signedText(Nanoseconds time) const; ///< "+1.20", "−3.00 µs", "="
};
[[nodiscard]] TimeUnit unit_for(Nanoseconds largest);

/// "B is 1.92× faster, end to end", "No significant difference", "B is 1.10× slower", or why there
/// is no verdict.
[[nodiscard]] QString verdict_words(const runs::RunComparison& comparison);
/// The interval behind a verdict, or why there is none.
[[nodiscard]] QString interval_words(const runs::RunComparison& comparison);
/// The same text and shorter forms of it, longest first.
[[nodiscard]] QStringList interval_forms(const runs::RunComparison& comparison);
[[nodiscard]] Mark mark_of(runs::Equality equality);
/// "Equal digests", "Unequal digests", …
[[nodiscard]] QString digests_words(runs::Equality equality);

} // namespace blockloom::ui
