// Migrates what formats 1 and 2 kept in the database and format 3 keeps as files: runs and tunings.
// Only included by this room's sources.
#pragma once

#include "store/database.h"

#include <filesystem>
#include <optional>

namespace blockloom::store {

/// Moves every run and tuning from the database to its own file; an existing file is left
/// unchanged. They are removed from the database once all files are written, so a crash loses none.
Status move_documents_to_files(Database& database, const std::filesystem::path& workspace,
                               const std::optional<Tip>& tip);

} // namespace blockloom::store
