// The workspace: a folder that keeps the state of a chain, the undo of its blocks, and cached
// traces; beside them, without the lock, runs and tunings (kept_folders.h). docs/state.md describes
// the layout and what a crash leaves behind.
#pragma once

#include "base/bytes.h"
#include "base/progress.h"
#include "base/result.h"
#include "state/view.h"
#include "state/write_set.h"
#include "store/block_record.h"
#include "store/open_options.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::store {

struct CheckReport;
struct WorkspaceInside;

/// An open workspace. One process writes at a time; the folder is locked while it is open. The
/// const calls may be made by several threads at once, the others by one thread at a time; the
/// state may also be read during a commit, by keys that the block does not change. Errors name the
/// folder. After a kill at any moment it opens at a committed block: the last one, or in bulk mode
/// the last checkpoint or a later block.
class Workspace {
public:
    [[nodiscard]] static Result<std::unique_ptr<Workspace>>
    open(const std::filesystem::path& folder, const OpenOptions& options = {});
    /// Ends bulk mode with a checkpoint.
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept;

    // State: after the last committed block and what was seeded since.
    [[nodiscard]] const state::StateView& state() const noexcept;
    /// Calls `visit(key, value)` for every key that starts with `prefix`, in the order of key
    /// bytes, until it returns false.
    Status visit(std::string_view prefix,
                 const std::function<bool(std::string_view, std::string_view)>& visit) const;
    /// SHA-256 over all keys (docs/state.md#digests). Reads everything.
    [[nodiscard]] Result<Hash256> state_digest(const std::stop_token& stop = {}) const;
    /// Seeds: writes without a block. Undoing blocks does not undo these. `after`: declares, in the
    /// same atomic write, the block whose resulting state this is; refused once a block is
    /// committed.
    Status put(const state::WriteSet& writes, const std::optional<Base>& after = {});

    // Blocks
    [[nodiscard]] std::optional<Tip> tip() const noexcept;
    /// The block that precedes the first committed one, or the declared one whose resulting state
    /// this is; nothing if none was declared, or below block 0.
    [[nodiscard]] Result<std::optional<Base>> base() const;
    /// Declares it. Refused once a block is committed.
    Status set_base(const Base& base);
    /// The block directly below a height: a committed one, or the base; nothing if there is none.
    [[nodiscard]] Result<std::optional<Tip>> below(std::uint64_t height) const;
    /// One atomic write: state, undo, record, tip. Refused unless the block follows the tip, or the
    /// base, by hash and height; the first block of a workspace without a base sets it.
    [[nodiscard]] Result<BlockRecord> commit(const BlockCommit& block);
    /// Undoes the block at `height` and all above it, last first, each in one atomic write. Returns
    /// the number of blocks undone; fails before the first if one of them has no undo
    /// (`keep_undo`).
    [[nodiscard]] Result<std::uint64_t> undo(std::uint64_t height);
    /// The state before the block at `height`, as `undo` would leave it, but in memory and without
    /// changing the workspace. Valid until the workspace changes.
    [[nodiscard]] Result<std::unique_ptr<state::StateView>>
    state_before(std::uint64_t height) const;
    /// Whether that state is empty.
    [[nodiscard]] Result<bool> is_empty_before(std::uint64_t height) const;
    /// The record of a committed block; nothing if there is none at this height.
    [[nodiscard]] Result<std::optional<BlockRecord>> block(std::uint64_t height) const;

    // Bulk mode: blocks are collected in memory and saved in the background, so a block only
    // survives a kill from the next checkpoint on.
    [[nodiscard]] bool bulk() const noexcept;
    /// Makes everything so far survive a kill.
    Status checkpoint();

    // Labels: short texts about the workspace, such as chain and network.
    [[nodiscard]] Result<std::optional<std::string>> label(std::string_view name) const;
    Status set_label(std::string_view name, std::string_view text);

    // Cached traces: opaque bytes. `settings` names everything that the trace depends on except the
    // block itself, including the state before the block.
    Status keep_trace(const Hash256& block, std::string_view settings, std::string_view content);
    [[nodiscard]] Result<std::optional<std::string>> load_trace(const Hash256& block,
                                                                std::string_view settings) const;

    /// Reads everything and records in the report what there is and what is wrong (check.h).
    Status check(CheckReport& report, ProgressSink& progress, const std::stop_token& stop) const;

private:
    using Inside = WorkspaceInside;
    class Check;
    explicit Workspace(std::unique_ptr<Inside> inside);

    std::unique_ptr<Inside> inside_;
};

} // namespace blockloom::store
