#include "store/format_file.h"

#include "base/file.h"
#include "store/document_folder.h"

#include <fmt/format.h>

#include <charconv>

namespace blockloom::store {
namespace {

constexpr std::string_view first_words = "blockloom workspace ";

std::filesystem::path format_path(const std::filesystem::path& folder) {
    return folder / "format";
}

/// A name in `folder` that no workspace has.
Result<std::optional<std::string>> foreign_name(const std::filesystem::path& folder) {
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name != "lock" && name != "db" && name != "repairing" &&
            !name.starts_with(runs_folder) && !name.starts_with(tunings_folder) &&
            !name.starts_with("format") && !name.starts_with("progress") &&
            !name.starts_with("repaired-") && !name.starts_with(unfinished_prefix))
            return std::optional(name);
    }
    if (error)
        return Error{ErrorCode::system, fmt::format("{}: cannot read the folder: {}",
                                                    folder.string(), error.message())};
    return std::optional<std::string>();
}

} // namespace

Result<std::optional<unsigned>> read_format(const std::filesystem::path& folder) {
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) return std::optional<unsigned>();
    if (!std::filesystem::is_directory(folder, error))
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected a folder for the workspace, found a file", folder.string())};
    const std::filesystem::path path = format_path(folder);
    if (!std::filesystem::exists(path, error)) {
        const auto foreign = foreign_name(folder);
        if (!foreign) return foreign.error();
        if (*foreign)
            return Error{
                ErrorCode::bad_input,
                fmt::format("{}: expected a workspace or an empty folder, found \"{}\" and "
                            "no file \"format\"",
                            folder.string(), **foreign)};
        return std::optional<unsigned>();
    }
    const auto file = FileContent::read(path);
    if (!file) return file.error();
    std::string_view text(reinterpret_cast<const char*>(file->bytes().data()),
                          file->bytes().size());
    unsigned version = 0;
    const bool known = text.starts_with(first_words);
    if (known) text.remove_prefix(first_words.size());
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (!known || bad != std::errc() || version == 0 ||
        std::string_view(end, text.data() + text.size()) != "\n")
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected \"{}{}\", found something else: the workspace is "
                                 "damaged, or it is not one of Blockloom's",
                                 path.string(), first_words, format_version)};
    if (version > format_version)
        return Error{
            ErrorCode::bad_input,
            fmt::format(
                "{}: the workspace has format {}, but this version of Blockloom only supports "
                "formats up to {}: use a newer Blockloom, or another folder with --workspace",
                folder.string(), version, format_version)};
    return std::optional(version);
}

Status write_format(const std::filesystem::path& folder) {
    return write_file(format_path(folder),
                      as_bytes(fmt::format("{}{}\n", first_words, format_version)));
}

} // namespace blockloom::store
