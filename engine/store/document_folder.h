// Documents that are kept beside the database, a file each: runs and tunings. They can be kept and
// read while another process writes the state, because the workspace's lock does not cover them.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::store {

/// A kept document without its content.
struct DocumentEntry {
    std::string id, summary;
    std::string damage; ///< why it cannot be read; empty: it can
};

/// Bytes that belong to a document and are read only when they are asked for.
struct DocumentPart {
    std::string_view name, content;
};

/// The documents of one kind. Every file is written whole or not at all, so processes need no lock:
/// a reader sees a document as it was or as it is, and of two writers of the same id the last one
/// stays. A damaged file is an error of its document alone. Nothing is made before the first
/// document is kept. Thread-safe as the file system is.
class DocumentFolder {
public:
    /// `folder` need not be there.
    explicit DocumentFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

    /// Replaces the document with this id, its parts included.
    Status keep(std::string_view id, std::string_view summary, std::string_view content,
                std::span<const DocumentPart> parts = {}) const;
    /// False: there is one with this id, which is left as it is.
    Result<bool> keep_new(std::string_view id, std::string_view summary, std::string_view content,
                          std::span<const DocumentPart> parts = {}) const;
    /// In the order of ids. Reads the index, and the headings of files that it does not know as
    /// they are now; an index that is missing, damaged or old costs time, nothing else.
    [[nodiscard]] Result<std::vector<DocumentEntry>> list() const;
    [[nodiscard]] Result<std::optional<std::string>> load(std::string_view id) const;
    /// Nothing where there is no such document, or it has no part of that name.
    [[nodiscard]] Result<std::optional<std::string>> load_part(std::string_view id,
                                                               std::string_view name) const;
    /// Reads all of it and compares the checksums. Fails where there is no such document.
    Status check(std::string_view id) const;
    /// With its parts. Whether there was one.
    [[nodiscard]] Result<bool> remove(std::string_view id) const;

private:
    [[nodiscard]] std::filesystem::path path_of(std::string_view id) const;

    std::filesystem::path folder_;
};

/// Folders below a workspace's.
inline constexpr const char* runs_folder = "runs";
inline constexpr const char* tunings_folder = "tunings";

} // namespace blockloom::store
