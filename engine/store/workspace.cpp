#include "store/workspace.h"

#include "state/digest.h"
#include "store/format_file.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

#include <charconv>

namespace blockloom::store {
namespace {

// Keys of the family `meta`. Records of blocks: block_key(height).
constexpr std::string_view version_key = "version";
constexpr std::string_view label_prefix = "label:";

/// The version inside the database guards against a lost or edited format file.
Status check_version(const Database& database, const std::filesystem::path& folder) {
    const Result<std::optional<std::string>> text = database.get(Family::meta, version_key);
    if (!text) return text.error();
    unsigned version = 0;
    if (*text) std::from_chars((*text)->data(), (*text)->data() + (*text)->size(), version);
    if (version >= 1 && version <= format_version) return {};
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the database has format {}, expected 1 to {}", folder.string(),
                             *text ? **text : "none", format_version)};
}

Status write_version(Database& database) {
    rocksdb::WriteBatch batch;
    batch.Put(database.handle(Family::meta), slice(version_key),
              slice(std::to_string(format_version)));
    return database.write(batch, true);
}

} // namespace

Result<std::unique_ptr<Workspace>> Workspace::open(const std::filesystem::path& folder,
                                                   const OpenOptions& options) {
    Result<std::optional<unsigned>> format = read_format(folder);
    if (!format) return format.error();
    if (!*format && (options.read_only || !options.create))
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected a workspace, found {}", folder.string(),
                        std::filesystem::exists(folder) ? "an empty folder" : "no such folder")};
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return Error{ErrorCode::system, fmt::format("{}: cannot make the folder: {}",
                                                    folder.string(), error.message())};
    Result<FolderLock> lock = FolderLock::take(folder, options.read_only, options.patience);
    if (!lock) return lock.error();
    // Another process may have made it while we waited for nothing but the lock.
    format = read_format(folder);
    if (!format) return format.error();
    const bool fresh = !format->has_value();

    Result<std::unique_ptr<Database>> database = Database::open(folder, fresh, options);
    if (!database) return database.error();
    if (fresh) {
        if (Status written = write_version(**database); !written) return written.error();
        if (Status written = write_format(folder); !written) return written.error();
    }
    if (Status checked = check_version(**database, folder); !checked) return checked.error();

    auto inside = std::make_unique<Inside>(folder, options, std::move(*lock), std::move(*database));
    if (Status read = inside->read_tip(); !read) return read.error();
    return std::unique_ptr<Workspace>(new Workspace(std::move(inside)));
}

Workspace::Workspace(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Workspace::~Workspace() {
    if (inside_ && inside_->bulk) (void)checkpoint();
}

const std::filesystem::path& Workspace::folder() const noexcept {
    return inside_->folder;
}

const state::StateView& Workspace::state() const noexcept {
    return inside_->state;
}

std::optional<Tip> Workspace::tip() const noexcept {
    return inside_->tip;
}

Status Workspace::Inside::write(rocksdb::WriteBatch& batch) {
    if (options.read_only)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: the workspace was opened for reading", folder.string())};
    return database->write(batch, !bulk);
}

Error Workspace::Inside::damaged(const std::string& what) const {
    return {ErrorCode::bad_input,
            fmt::format("{}: the workspace is damaged: {}; replay its blocks into a new one "
                        "(--workspace)",
                        folder.string(), what)};
}

Status
Workspace::visit(std::string_view prefix,
                 const std::function<bool(std::string_view, std::string_view)>& visit) const {
    return inside_->database->visit(Family::state, prefix, visit);
}

Result<Hash256> Workspace::state_digest(const std::stop_token& stop) const {
    state::DigestStream stream;
    const Status visited = visit({}, [&](std::string_view key, std::string_view value) {
        stream.add_present(key, value);
        return !stop.stop_requested();
    });
    if (!visited) return visited.error();
    if (stop.stop_requested()) return cancelled_error();
    return stream.finish();
}

Status Workspace::put(const state::WriteSet& writes) {
    rocksdb::WriteBatch batch;
    rocksdb::ColumnFamilyHandle* family = inside_->database->handle(Family::state);
    for (const auto& [key, value] : writes) {
        if (value.canonical())
            batch.Put(family, slice(key), slice(value.bytes()));
        else
            batch.Delete(family, slice(key));
    }
    return inside_->write(batch);
}

bool Workspace::bulk() const noexcept {
    return inside_->bulk;
}

Status Workspace::set_bulk(bool bulk) {
    // Logged writes after unlogged ones would survive a kill that the earlier ones do not.
    if (inside_->bulk && !bulk)
        if (Status flushed = checkpoint(); !flushed) return flushed;
    inside_->bulk = bulk && !inside_->options.read_only;
    return {};
}

Status Workspace::checkpoint() {
    if (inside_->options.read_only) return {};
    inside_->since_checkpoint = 0;
    return inside_->database->flush();
}

Result<std::optional<std::string>> Workspace::label(std::string_view name) const {
    return inside_->database->get(Family::meta, std::string(label_prefix) += name);
}

Status Workspace::set_label(std::string_view name, std::string_view text) {
    rocksdb::WriteBatch batch;
    batch.Put(inside_->database->handle(Family::meta), slice(std::string(label_prefix) += name),
              slice(text));
    return inside_->write(batch);
}

} // namespace blockloom::store
