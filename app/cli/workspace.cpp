#include "workspace.h"

#include "store/location.h"

namespace blockloom::cli {

Result<std::unique_ptr<store::Workspace>> open_workspace(const Context& context,
                                                         const store::OpenOptions& options) {
    if (!context.workspace.empty()) return store::Workspace::open(context.workspace, options);
    const Result<std::filesystem::path> folder = store::default_folder();
    if (!folder) return folder.error();
    return store::Workspace::open(*folder, options);
}

} // namespace blockloom::cli
