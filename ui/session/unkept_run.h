// A run that its workspace did not take: saved as a file, so that no measurement is lost.
#pragma once

#include "execute/run_record.h"
#include "profile/span.h"
#include "runs/provenance.h"

namespace blockloom::ui {

/// Writes RUN.blockloom-run.json, which `runs import` reads, into the first folder that takes it:
/// `unkept` beside the user's own workspace, else the folder for temporary files. The path; fails
/// with the last one's reason where none does.
[[nodiscard]] Result<std::filesystem::path> save_unkept(const execute::RunRecord& run,
                                                        const runs::Provenance& made,
                                                        const profile::Trace& spans);

/// What to tell: why it was not kept, and where it is now.
[[nodiscard]] Error not_kept(const Error& why, const execute::RunRecord& run,
                             const runs::Provenance& made, const profile::Trace& spans);

} // namespace blockloom::ui
