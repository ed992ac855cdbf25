#include "store/workspace.h"

#include "base/contain.h"
#include "base/file.h"
#include "state/digest.h"
#include "store/damage.h"
#include "store/format_file.h"
#include "store/log_inspection.h"
#include "store/meta_keys.h"
#include "store/older_documents.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

namespace blockloom::store {
namespace {

/// The version inside the database guards against a lost or edited format file.
Result<unsigned> read_version(const Database& database, const std::filesystem::path& folder) {
    const Result<std::optional<std::string>> text = database.get(Family::meta, version_key);
    if (!text) return text.error();
    unsigned version = 0;
    if (*text) std::from_chars((*text)->data(), (*text)->data() + (*text)->size(), version);
    if (version >= 1 && version <= format_version) return version;
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the database has format {}, expected 1 to {}", folder.string(),
                             *text ? **text : "none", format_version)};
}

std::string block_text(const std::optional<Tip>& tip) {
    return tip ? fmt::format("block {} ({})", tip->height, to_reversed_hex(tip->hash))
               : std::string("no block");
}

/// Whether the database holds every write that the workspace has made. To the database, a log that
/// lost records looks like a shorter log.
Status compare(const std::filesystem::path& folder, const LogInspection& found,
               const std::optional<Reached>& reached) {
    if (const auto hole = found.hole())
        return damaged_error(
            folder, fmt::format("write {} of {} is missing in its log", *hole, found.writes()));
    if (!reached || found.writes() >= reached->writes) return {};
    return damaged_error(folder,
                         fmt::format("its log is damaged or out of date: expected {} writes and {} "
                                     "as the last block, found {} writes and {}",
                                     reached->writes, block_text(reached->tip), found.writes(),
                                     found.tip ? std::to_string(*found.tip) : "none"));
}

/// Looks at the files before anything is opened that could change them.
Status inspect(const std::filesystem::path& folder, const std::optional<unsigned>& format) {
    auto reached = ProgressFile::read(folder);
    // The format is written last: a kill while the workspace was made, or taken over from format
    // 1, may have left half a record.
    const bool counted = format.value_or(0) >= 2;
    if (!reached && !counted) reached = std::optional<Reached>();
    if (!reached) return reached.error();
    if (counted && !*reached) return damaged_error(folder, "the file \"progress\" is missing");
    if (!format && !*reached) return {}; // none, or one whose creation was killed
    std::error_code error;
    if (!std::filesystem::exists(folder / "db" / "CURRENT", error))
        return damaged_error(folder, "the database is missing: there is no db/CURRENT");
    const auto found = inspect_log(folder);
    if (!found) return found.error();
    return compare(folder, *found, *reached);
}

} // namespace

Result<std::unique_ptr<Workspace>> Workspace::open(const std::filesystem::path& folder,
                                                   const OpenOptions& options) {
    return contain("opening the workspace", [&]() -> Result<std::unique_ptr<Workspace>> {
        Result<std::optional<unsigned>> format = read_format(folder);
        if (!format) return format.error();
        if (!*format && (options.read_only || !options.create))
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected a workspace, found {}", folder.string(),
                                     std::filesystem::exists(folder) ? "a folder without a state"
                                                                     : "no such folder")};
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (error)
            return Error{ErrorCode::system, fmt::format("{}: cannot create the folder: {}",
                                                        folder.string(), error.message())};
        Result<FolderLock> lock = FolderLock::take(folder, options.read_only);
        if (!lock) return lock.error();
        // Another process may have created it while we waited for the lock.
        format = read_format(folder);
        if (!format) return format.error();
        if (Status whole = inspect(folder, *format); !whole) return whole.error();

        Result<std::unique_ptr<Database>> database =
            Database::open(folder, {.create = !format->has_value(),
                                    .read_only = options.read_only,
                                    .bulk_bytes = options.bulk_bytes});
        if (!database) return database.error();
        auto inside =
            std::make_unique<Inside>(folder, options, std::move(*lock), std::move(*database));
        if (!options.read_only) {
            inside->remove_unfinished();
            if (Status taken = inside->take_over(format->value_or(0)); !taken) return taken.error();
        }
        if (const auto version = read_version(*inside->database, folder); !version)
            return version.error();
        if (Status read = inside->read_tip(); !read) return read.error();
        return std::unique_ptr<Workspace>(new Workspace(std::move(inside)));
    });
}

void WorkspaceInside::remove_unfinished() const {
    std::error_code error;
    std::vector<std::filesystem::path> unfinished;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error))
        if (it->path().filename().string().starts_with(unfinished_prefix))
            unfinished.push_back(it->path());
    for (const auto& path : unfinished) std::filesystem::remove(path, error);
}

Status WorkspaceInside::take_over(unsigned format) {
    // A workspace of another version is refused before anything is written.
    const auto version = database->get(Family::meta, version_key);
    if (!version) return version.error();
    const bool made = version->has_value();
    if (made)
        if (const auto known = read_version(*database, folder); !known) return known.error();
    if (Status read = made ? read_tip() : Status(); !read) return read;
    if (Status guarded = database->guard(); !guarded) return guarded;
    if (made)
        if (Status moved = move_documents_to_files(*database, folder, tip); !moved) return moved;
    const std::string current = std::to_string(format_version);
    rocksdb::WriteBatch batch;
    batch.Put(database->handle(Family::meta), slice(version_key), slice(current));
    if (!made || **version != current || format != format_version)
        if (Status written = database->write(batch, true, tip); !written) return written;
    return format == format_version ? Status() : write_format(folder);
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

Status WorkspaceInside::write(rocksdb::WriteBatch& batch, const std::optional<Tip>& after) {
    if (options.read_only)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: the workspace was opened for reading", folder.string())};
    return database->write(batch, !bulk, after);
}

Error WorkspaceInside::damaged(const std::string& what) const {
    return damaged_error(folder, what);
}

Status
Workspace::visit(std::string_view prefix,
                 const std::function<bool(std::string_view, std::string_view)>& visit) const {
    return contain("reading the workspace", [&]() -> Status {
        return inside_->database->visit(Family::state, prefix, visit);
    });
}

Result<Hash256> Workspace::state_digest(const std::stop_token& stop) const {
    return contain("reading the workspace", [&]() -> Result<Hash256> {
        state::DigestStream stream;
        const Status visited = visit({}, [&](std::string_view key, std::string_view value) {
            stream.add_present(key, value);
            return !stop.stop_requested();
        });
        if (!visited) return visited.error();
        if (stop.stop_requested()) return cancelled_error();
        return stream.finish();
    });
}

bool Workspace::bulk() const noexcept {
    return inside_->bulk;
}

Status Workspace::checkpoint() {
    return contain("writing to the workspace", [&]() -> Status {
        if (inside_->options.read_only) return {};
        inside_->since_checkpoint = 0;
        return inside_->database->flush();
    });
}

Result<std::optional<std::string>> Workspace::label(std::string_view name) const {
    return contain("reading the workspace", [&]() -> Result<std::optional<std::string>> {
        return inside_->database->get(Family::meta, std::string(label_prefix) += name);
    });
}

Status Workspace::set_label(std::string_view name, std::string_view text) {
    return contain("writing to the workspace", [&]() -> Status {
        rocksdb::WriteBatch batch;
        batch.Put(inside_->database->handle(Family::meta), slice(std::string(label_prefix) += name),
                  slice(text));
        return inside_->write(batch, inside_->tip);
    });
}

} // namespace blockloom::store
