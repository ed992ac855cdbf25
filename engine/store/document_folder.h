// Documents kept beside the database, one file each: runs and tunings. They can be kept and read
// while another process writes the state, because the workspace's lock does not cover them.
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
    std::string damage; ///< why it cannot be read; empty: it is intact
};

/// Bytes that belong to a document and are only read on request.
struct DocumentPart {
    std::string_view name, content;
};

/// The documents of one kind. Every file is written whole or not at all, so processes need no lock:
/// a reader sees either the old or the new document, and of two writers of the same id the last one
/// wins. A damaged file only affects its own document. Nothing is created before the first document
/// is kept. As thread-safe as the file system.
class DocumentFolder {
public:
    /// `folder` need not exist.
    explicit DocumentFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

    /// Replaces the document with this id, its parts included.
    Status keep(std::string_view id, std::string_view summary, std::string_view content,
                std::span<const DocumentPart> parts = {}) const;
    /// False: a document with this id exists and is left unchanged.
    Result<bool> keep_new(std::string_view id, std::string_view summary, std::string_view content,
                          std::span<const DocumentPart> parts = {}) const;
    /// Sorted by id. Reads the index, and the headings of files that changed since; a missing,
    /// damaged or old index only costs time.
    [[nodiscard]] Result<std::vector<DocumentEntry>> list() const;
    [[nodiscard]] Result<std::optional<std::string>> load(std::string_view id) const;
    /// Nothing if there is no such document or it has no part of that name.
    [[nodiscard]] Result<std::optional<std::string>> load_part(std::string_view id,
                                                               std::string_view name) const;
    /// Reads all of it and compares the checksums. Fails if there is no such document.
    Status check(std::string_view id) const;
    /// Removes the document and its parts; returns whether it existed.
    [[nodiscard]] Result<bool> remove(std::string_view id) const;

private:
    [[nodiscard]] std::filesystem::path path_of(std::string_view id) const;

    std::filesystem::path folder_;
};

/// Names of the folders inside a workspace.
inline constexpr const char* runs_folder = "runs";
inline constexpr const char* tunings_folder = "tunings";

} // namespace blockloom::store
