// Inspects the files of a database without changing any of them. Only included by this room's
// sources.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace blockloom::store {

/// Tables and log of a database.
struct LogInspection {
    std::uint64_t in_tables = 0;    ///< writes contained in the tables; 0: not counted
    std::vector<std::uint64_t> log; ///< the number of each write in the log, in its order
    std::uint64_t records = 0;      ///< in the log, including those of older versions of Blockloom
    std::optional<std::uint64_t> tip; ///< height of the last block after all writes

    /// The last write; 0: not counted, as in a workspace of format 1.
    [[nodiscard]] std::uint64_t writes() const noexcept;
    /// The first missing write that has a later one; nothing: there is no gap.
    [[nodiscard]] std::optional<std::uint64_t> hole() const noexcept;
};

/// Opens the database in `folder` for reading; its log is read but not applied. Writes nothing, so
/// a damaged database stays as it is: opening for writing would delete files that the manifest does
/// not name.
[[nodiscard]] Result<LogInspection> inspect_log(const std::filesystem::path& folder);

} // namespace blockloom::store
