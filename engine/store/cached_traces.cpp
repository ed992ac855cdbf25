// Cached traces of a workspace.
#include "base/contain.h"
#include "store/workspace.h"
#include "store/workspace_inside.h"

namespace blockloom::store {
namespace {

std::string trace_key(const Hash256& block, std::string_view settings) {
    return std::string(reinterpret_cast<const char*>(block.data()), block.size()) += settings;
}

} // namespace

Status Workspace::keep_trace(const Hash256& block, std::string_view settings,
                             std::string_view content) {
    return contain("writing to the workspace", [&]() -> Status {
        rocksdb::WriteBatch batch;
        batch.Put(inside_->database->handle(Family::traces), slice(trace_key(block, settings)),
                  slice(content));
        return inside_->write(batch, inside_->tip);
    });
}

Result<std::optional<std::string>> Workspace::load_trace(const Hash256& block,
                                                         std::string_view settings) const {
    return contain("reading the workspace", [&]() -> Result<std::optional<std::string>> {
        return inside_->database->get(Family::traces, trace_key(block, settings));
    });
}

} // namespace blockloom::store
