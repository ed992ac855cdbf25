// The progress of a workspace, kept outside the database: this detects a truncated log, which would
// otherwise look like a shorter one.
#pragma once

#include "base/result.h"
#include "store/block_record.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace blockloom::store {

/// The number of atomic writes so far, and the last block after them.
struct Reached {
    std::uint64_t writes = 0;
    std::optional<Tip> tip;

    bool operator==(const Reached&) const = default;
};

/// `progress` in a workspace's folder: two slots of 128 bytes, written in turn after each write of
/// the database, each with its own checksum. A kill may leave one of them half written; the other
/// is then one write behind. The database may be ahead of the file, never behind it.
class ProgressFile {
public:
    /// Nothing if there is no such file; fails if no slot is intact.
    [[nodiscard]] static Result<std::optional<Reached>> read(const std::filesystem::path& folder);
    /// Opens the file for writing and creates it if absent. A link is not followed.
    [[nodiscard]] static Result<ProgressFile> open(const std::filesystem::path& folder);

    ProgressFile(ProgressFile&& other) noexcept
        : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
    ProgressFile& operator=(ProgressFile&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(file_, other.file_);
        return *this;
    }
    ~ProgressFile();

    Status note(const Reached& reached);

private:
    ProgressFile(std::filesystem::path path, int file) noexcept
        : path_(std::move(path)), file_(file) {}

    std::filesystem::path path_;
    int file_;
};

} // namespace blockloom::store
