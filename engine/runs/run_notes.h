// What is added to a kept run later: its user's note and its name as a baseline, and how it was
// verified. Part of its document, so that exporting carries it.
#pragma once

#include "runs/kept_run.h"

namespace blockloom::store {
class DocumentFolder;
}

namespace blockloom::runs {

/// Number of distinguishable colours for baselines.
inline constexpr unsigned baseline_colours = 5;

/// A run's document with its notes replaced; nothing else changes. `place` names it in errors.
[[nodiscard]] Result<std::string> with_notes(std::string_view document, const RunNotes& notes,
                                             std::string_view place);

/// A run's document that says how it was verified, instead of what it said of that before.
[[nodiscard]] Result<std::string> with_verification(std::string_view document,
                                                    const Verification& by, std::string_view place);

/// Writes into the document of a kept run how it was verified. Fails where there is no such run.
Status set_verification(const store::DocumentFolder& runs, std::string_view id,
                        const Verification& by);

/// A run's document with a check, instead of the one that it had.
[[nodiscard]] Result<std::string> with_check(std::string_view document,
                                             const range::NodeCheck& check, std::string_view place);

/// Writes a check into the document of a kept run. Fails where there is no such run, and where the
/// check is not of its results.
Status set_check(const store::DocumentFolder& runs, std::string_view id,
                 const range::NodeCheck& check);

/// Whether a check compared the results of this run: those of the same blocks, with the same
/// digests.
[[nodiscard]] bool is_of_run(const range::NodeCheck& check, const KeptRun& run);

/// Replaces the notes of a kept run. Fails where there is no such run.
Status set_notes(const store::DocumentFolder& runs, std::string_view id, const RunNotes& notes);

/// A deleted run, complete: enough to restore it.
struct RemovedRun {
    std::string id, summary, document;
    std::optional<std::string> spans;
};
[[nodiscard]] Result<RemovedRun> remove_run(const store::DocumentFolder& runs, std::string_view id);
Status restore_run(const store::DocumentFolder& runs, const RemovedRun& run);

} // namespace blockloom::runs
