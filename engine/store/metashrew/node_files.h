// The database folders of an indexer, open for reading only. Only included by this room's sources.
#pragma once

#include "base/result.h"
#include "store/metashrew/node_options.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::store {

/// One or two RocksDB folders: what the first does not have is looked up in the second. A folder
/// that nobody has open is read as it is; one that a process writes to is followed as RocksDB's
/// secondary, whose view changes with `catch_up` only. Reads may be made by several threads, also
/// during `catch_up`.
class NodeFiles {
public:
    [[nodiscard]] static Result<std::unique_ptr<NodeFiles>> open(const NodeOptions& options);
    ~NodeFiles();
    NodeFiles(const NodeFiles&) = delete;
    NodeFiles& operator=(const NodeFiles&) = delete;

    [[nodiscard]] Result<std::optional<std::string>> get(std::string_view key) const;
    /// In the order of `keys`.
    [[nodiscard]] Result<std::vector<std::optional<std::string>>>
    get(std::span<const std::string> keys) const;
    /// The first key at or after `key` in the order of bytes.
    [[nodiscard]] Result<std::optional<std::string>> first_from(std::string_view key) const;

    /// Whether a process writes to the first folder.
    [[nodiscard]] bool running() const noexcept;
    /// Brings a folder that is being written to up to date; otherwise does nothing.
    Status catch_up() const;

private:
    class Folder;
    NodeFiles() = default;

    std::vector<std::unique_ptr<Folder>> folders_;
};

/// Whether a process has the RocksDB database in this folder open for writing. A process on another
/// machine is not seen.
[[nodiscard]] bool is_open_elsewhere(const std::filesystem::path& folder) noexcept;

} // namespace blockloom::store
