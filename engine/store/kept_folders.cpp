#include "store/kept_folders.h"

#include "store/format_file.h"
#include "store/workspace.h"

namespace blockloom::store {
namespace {

/// The first format whose runs and tunings are files.
constexpr unsigned first_with_files = 3;

Result<DocumentFolder> open_kept(const std::filesystem::path& workspace, const char* name) {
    const auto format = read_format(workspace);
    if (!format) return format.error();
    if (*format && **format < first_with_files)
        if (const auto writer = Workspace::open(workspace, {.create = false}); !writer)
            return writer.error();
    return DocumentFolder(workspace / name);
}

} // namespace

Result<DocumentFolder> open_runs(const std::filesystem::path& folder) {
    return open_kept(folder, runs_folder);
}

Result<DocumentFolder> open_tunings(const std::filesystem::path& folder) {
    return open_kept(folder, tunings_folder);
}

} // namespace blockloom::store
