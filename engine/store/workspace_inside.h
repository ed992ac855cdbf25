// The internals of a Workspace. Only included by this room's sources.
#pragma once

#include "state/view.h"
#include "store/database.h"
#include "store/folder_lock.h"
#include "store/open_options.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::store {

/// The state family as a view.
class StoredState final : public state::StateView {
public:
    explicit StoredState(const Database& database) : database_(&database) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        Result<std::optional<std::string>> value = database_->get(Family::state, key.bytes);
        if (!value) return value.error();
        return *value ? state::Value(std::move(**value)) : state::Value();
    }

private:
    const Database* database_;
};

/// Shared by all parts of an open Workspace.
struct WorkspaceInside {
    std::filesystem::path folder;
    OpenOptions options;
    FolderLock lock;
    std::unique_ptr<Database> database;
    StoredState state;
    std::optional<Tip> tip;
    bool bulk = false;
    unsigned since_checkpoint = 0; ///< blocks

    WorkspaceInside(std::filesystem::path where, const OpenOptions& how, FolderLock held,
                    std::unique_ptr<Database> opened)
        : folder(std::move(where)), options(how), lock(std::move(held)),
          database(std::move(opened)), state(*database), bulk(how.bulk && !how.read_only) {}

    /// Refuses to write if the workspace was opened for reading.
    [[nodiscard]] Status write(rocksdb::WriteBatch& batch, const std::optional<Tip>& after);
    [[nodiscard]] Status follows(const BlockCommit& block, const std::optional<Base>& base) const;
    using Restore = std::function<void(std::string_view, std::optional<std::string_view>)>;
    /// Calls `restore(key, value before)` for each change of the blocks from the last one down to
    /// `height`.
    [[nodiscard]] Status take_back(std::uint64_t height, const Restore& restore) const;
    [[nodiscard]] Error damaged(const std::string& what) const;
    [[nodiscard]] Result<std::optional<BlockRecord>> record(std::uint64_t height) const;
    Status read_tip();
    /// Files that a process did not finish writing before it ended.
    void remove_unfinished() const;
    /// Migrates a workspace of an older format, or completes one that is being created.
    Status take_over(unsigned format);
};

} // namespace blockloom::store
