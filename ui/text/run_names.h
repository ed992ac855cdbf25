// How kept runs are named everywhere.
#pragma once

#include "runs/kept_run.h"

#include <QString>
#include <QStringList>

namespace blockloom::ui {

/// "CPU native, serial", "Vulkan, speculative, 16 workers".
[[nodiscard]] QString run_words(const runs::KeptRun& run);
/// The name of a run in lists: what ran it and when, or its name as a baseline. The distinguishing
/// part comes first, because narrow boxes cut the end.
[[nodiscard]] QString run_title(const runs::KeptRun& run);
/// The same for a box that also shows `other` (null: none): the longest first, then only what
/// differs, so that two runs can be told apart in a narrow panel.
[[nodiscard]] QStringList run_forms(const runs::KeptRun& run, const runs::KeptRun* other);
/// What was replayed: the last path components of its sources.
[[nodiscard]] QString source_words(const runs::KeptRun& run);

} // namespace blockloom::ui
