// Compiled kernels, and notes of how to compile, on disk by device and driver.
#pragma once

#include "base/bytes.h"
#include "compute/description.h"

#include <filesystem>
#include <string>

namespace blockloom::compute::cuda {

/// A folder of this user alone with one file a kernel or note, each preceded by a SHA-256 of its
/// content. A file that is missing, damaged, a link or another user's is ignored; nothing here is
/// ever an error, only slower.
class CodeFiles {
public:
    /// With an empty `cache` nothing is kept.
    CodeFiles(const std::string& cache, const std::string& identity);

    /// Empty: it is not kept.
    [[nodiscard]] Bytes load(const std::string& name) const;
    /// Replaces the file atomically, and removes those that were used longest ago beyond `limit`.
    void save(const std::string& name, ByteView content) const;
    void remove(const std::string& name) const;
    /// What is there now. Files that `load` would ignore are not counted, damaged ones are.
    [[nodiscard]] KeptKernels kept() const;

    static constexpr std::uintmax_t limit = std::uintmax_t{256} << 20; ///< bytes of all files

private:
    [[nodiscard]] bool is_own_folder() const;
    [[nodiscard]] std::string seal_name(const std::string& name) const;
    std::filesystem::path folder_;
};

} // namespace blockloom::compute::cuda
