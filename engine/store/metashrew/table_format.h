// The format version of RocksDB's tables, from their last bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace blockloom::store {

struct TableFormat {
    std::string file; ///< "000012.sst"
    std::uint32_t version = 0;
};

/// The newest format among the tables (*.sst) of a folder; nothing if none has a footer with a
/// version (RocksDB's block-based tables, format_version 1 and above, have).
[[nodiscard]] std::optional<TableFormat> newest_table_format(const std::filesystem::path& folder);

} // namespace blockloom::store
