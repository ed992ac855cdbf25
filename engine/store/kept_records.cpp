// Runs and cached traces of a workspace.
#include "base/contain.h"
#include "store/workspace_inside.h"

namespace blockloom::store {
namespace {

// Keys of the family `runs`: the summary under one prefix, so that listing reads no content.
std::string summary_key(std::string_view id) {
    return std::string("s:") += id;
}
std::string content_key(std::string_view id) {
    return std::string("c:") += id;
}

/// The id's length stands before it: an id may hold any byte.
std::string part_key(std::string_view id, std::string_view name) {
    return "p:" + std::to_string(id.size()) + ":" + std::string(id) += name;
}

std::string trace_key(const Hash256& block, std::string_view settings) {
    return std::string(reinterpret_cast<const char*>(block.data()), block.size()) += settings;
}

} // namespace

Status Workspace::keep_run(std::string_view id, std::string_view summary, std::string_view content,
                           std::span<const RunPart> parts) {
    return contain("writing to the workspace", [&]() -> Status {
        rocksdb::WriteBatch batch;
        rocksdb::ColumnFamilyHandle* family = inside_->database->handle(Family::runs);
        batch.Put(family, slice(summary_key(id)), slice(summary));
        batch.Put(family, slice(content_key(id)), slice(content));
        for (const RunPart& part : parts)
            batch.Put(family, slice(part_key(id, part.name)), slice(part.content));
        return inside_->write(batch, inside_->tip);
    });
}

Result<std::vector<RunEntry>> Workspace::list_runs() const {
    return contain("reading the workspace", [&]() -> Result<std::vector<RunEntry>> {
        std::vector<RunEntry> runs;
        const std::string prefix = summary_key({});
        const Status read = inside_->database->visit(
            Family::runs, prefix, [&](std::string_view key, std::string_view summary) {
                runs.push_back({std::string(key.substr(prefix.size())), std::string(summary)});
                return true;
            });
        if (!read) return read.error();
        return runs;
    });
}

Result<std::optional<std::string>> Workspace::load_run(std::string_view id) const {
    return contain("reading the workspace", [&]() -> Result<std::optional<std::string>> {
        return inside_->database->get(Family::runs, content_key(id));
    });
}

Result<std::optional<std::string>> Workspace::load_run_part(std::string_view id,
                                                            std::string_view name) const {
    return contain("reading the workspace", [&]() -> Result<std::optional<std::string>> {
        return inside_->database->get(Family::runs, part_key(id, name));
    });
}

Result<bool> Workspace::delete_run(std::string_view id) {
    return contain("writing to the workspace", [&]() -> Result<bool> {
        const auto kept = inside_->database->get(Family::runs, summary_key(id));
        if (!kept) return kept.error();
        if (!*kept) return false;
        rocksdb::WriteBatch batch;
        rocksdb::ColumnFamilyHandle* family = inside_->database->handle(Family::runs);
        batch.Delete(family, slice(summary_key(id)));
        batch.Delete(family, slice(content_key(id)));
        const Status listed = inside_->database->visit(Family::runs, part_key(id, {}),
                                                       [&](std::string_view key, std::string_view) {
                                                           batch.Delete(family, slice(key));
                                                           return true;
                                                       });
        if (!listed) return listed.error();
        if (Status written = inside_->write(batch, inside_->tip); !written) return written.error();
        return true;
    });
}

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
