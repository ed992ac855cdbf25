// One process writes to a workspace, or several read it.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <utility>

namespace blockloom::store {

/// A lock on a folder, held as long as this object lives; the system releases it when the process
/// dies.
class FolderLock {
public:
    /// Creates `folder/lock` if needed (`shared`: it must exist). Never waits: if another process
    /// holds it, the error names the process and says what to do.
    [[nodiscard]] static Result<FolderLock> take(const std::filesystem::path& folder, bool shared);

    FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    ~FolderLock();

private:
    explicit FolderLock(int file) noexcept : file_(file) {}

    int file_;
};

} // namespace blockloom::store
