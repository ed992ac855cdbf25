// What its user says of a kept run: a note, and a name as a baseline. Part of its document, so that
// exporting carries it.
#pragma once

#include "runs/kept_run.h"

namespace blockloom::store {
class DocumentFolder;
}

namespace blockloom::runs {

/// Colours of baselines: as many as the look tells apart.
inline constexpr unsigned baseline_colours = 5;

/// A run's document with these notes instead of its own; nothing else changes. `place` names it in
/// errors.
[[nodiscard]] Result<std::string> with_notes(std::string_view document, const RunNotes& notes,
                                             std::string_view place);

/// Replaces the notes of a kept run. Fails where there is no such run.
Status set_notes(const store::DocumentFolder& runs, std::string_view id, const RunNotes& notes);

/// A run taken out of its workspace, whole: what brings it back.
struct RemovedRun {
    std::string id, summary, document;
    std::optional<std::string> spans;
};
[[nodiscard]] Result<RemovedRun> remove_run(const store::DocumentFolder& runs, std::string_view id);
Status restore_run(const store::DocumentFolder& runs, const RemovedRun& run);

} // namespace blockloom::runs
