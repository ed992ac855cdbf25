// The folders in which a workspace keeps its runs and tunings.
#pragma once

#include "store/document_folder.h"

namespace blockloom::store {

/// The kept runs of the workspace in `folder`, which need not exist. No lock is taken, with one
/// exception: runs that an older version kept in the database are first moved out, once, which
/// fails while another process has the workspace open. Fails on a newer format and on a folder that
/// is not a workspace.
[[nodiscard]] Result<DocumentFolder> open_runs(const std::filesystem::path& folder);
/// The same for tunings.
[[nodiscard]] Result<DocumentFolder> open_tunings(const std::filesystem::path& folder);

} // namespace blockloom::store
