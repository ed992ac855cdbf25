// How a kept run is called wherever one is named.
#pragma once

#include "runs/kept_run.h"

#include <QString>

namespace blockloom::ui {

/// "CPU native, serial", "Vulkan, speculative, 16 workers".
[[nodiscard]] QString run_words(const runs::KeptRun& run);
/// How lists name a run: what ran it and when, or its name as a baseline. What tells runs apart is
/// at the front: narrow boxes cut the end.
[[nodiscard]] QString run_title(const runs::KeptRun& run);
/// What was replayed: its sources' last parts.
[[nodiscard]] QString source_words(const runs::KeptRun& run);

} // namespace blockloom::ui
