// Takes over what formats 1 and 2 kept in the database and format 3 keeps as files: runs, tunings.
// Included by this room's sources only.
#pragma once

#include "store/database.h"

#include <filesystem>
#include <optional>

namespace blockloom::store {

/// Moves every run and tuning from the database to a file of its own; a file that is there already
/// stays as it is. They leave the database once all files are written, so that a crash loses none.
Status move_documents_to_files(Database& database, const std::filesystem::path& workspace,
                               const std::optional<Tip>& tip);

} // namespace blockloom::store
