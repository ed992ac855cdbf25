#include "workspace.h"

#include "store/location.h"

namespace blockloom::cli {

Result<std::unique_ptr<store::Workspace>> open_workspace(const Context& context,
                                                         const store::OpenOptions& options) {
    store::OpenOptions patient = options;
    patient.patience = store::short_patience; // the window reads it for a moment at a time
    if (!context.workspace.empty()) return store::Workspace::open(context.workspace, patient);
    const Result<std::filesystem::path> folder = store::default_folder();
    if (!folder) return folder.error();
    return store::Workspace::open(*folder, patient);
}

} // namespace blockloom::cli
