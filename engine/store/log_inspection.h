// What the files of a database hold, found without changing any of them. Included by this room's
// sources only.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace blockloom::store {

/// Tables and log of a database.
struct LogInspection {
    std::uint64_t in_tables = 0;      ///< writes that the tables hold; 0: none is counted
    std::vector<std::uint64_t> log;   ///< the number of each write in the log, in its order
    std::uint64_t records = 0;        ///< in the log, those of older Blocklooms included
    std::optional<std::uint64_t> tip; ///< height of the last block after all of them

    /// The last write; 0: none is counted, as in a workspace of format 1.
    [[nodiscard]] std::uint64_t writes() const noexcept;
    /// The first write that is missing below a later one; nothing: there is no hole.
    [[nodiscard]] std::optional<std::uint64_t> hole() const noexcept;
};

/// Opens the database in `folder` for reading, its log read and not applied. Writes nothing, so
/// that a damaged one stays as it is: an open for writing deletes what its manifest does not name.
[[nodiscard]] Result<LogInspection> inspect_log(const std::filesystem::path& folder);

} // namespace blockloom::store
