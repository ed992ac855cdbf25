// A private folder for the files that a reader makes for itself.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <utility>

namespace blockloom::store {

/// An empty folder that only this user can enter; removed, with its contents, at the end.
class ScratchFolder {
public:
    /// Makes one in `under` (empty: the system's folder for temporary files), which must not be
    /// `outside` or lie inside it.
    [[nodiscard]] static Result<ScratchFolder> create(const std::filesystem::path& under,
                                                      const std::filesystem::path& outside);

    ScratchFolder() = default;
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    ScratchFolder& operator=(ScratchFolder&& other) noexcept {
        std::swap(path_, other.path_);
        return *this;
    }
    ~ScratchFolder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_; ///< empty: none
};

} // namespace blockloom::store
