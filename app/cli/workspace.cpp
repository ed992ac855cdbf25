#include "workspace.h"

#include "store/location.h"

namespace blockloom::cli {

Result<std::filesystem::path> workspace_folder(const Context& context) {
    if (!context.workspace.empty()) return std::filesystem::path(context.workspace);
    return store::default_folder();
}

Result<std::unique_ptr<store::Workspace>> open_workspace(const Context& context,
                                                         const store::OpenOptions& options) {
    const auto folder = workspace_folder(context);
    if (!folder) return folder.error();
    return store::Workspace::open(*folder, options);
}

Result<store::DocumentFolder> open_runs(const Context& context) {
    const auto folder = workspace_folder(context);
    if (!folder) return folder.error();
    return store::open_runs(*folder);
}

Result<store::DocumentFolder> open_tunings(const Context& context) {
    const auto folder = workspace_folder(context);
    if (!folder) return folder.error();
    return store::open_tunings(*folder);
}

} // namespace blockloom::cli
