// One process writes to a workspace, or several read it.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <utility>

namespace blockloom::store {

/// A lock on a folder, held as long as this lives; the system takes it back from a dead process.
class FolderLock {
public:
    /// Makes `folder/lock` if needed (`shared`: it must be there). Never waits: where another
    /// process holds it, the error names the process and says what to do.
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
