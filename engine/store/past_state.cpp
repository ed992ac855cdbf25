// The state as it was before a committed block, without undoing anything.
#include "base/contain.h"
#include "store/block_bytes.h"
#include "store/workspace.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

#include <map>

namespace blockloom::store {
namespace {

/// The current state, overlaid with the values stored in the undo.
class PastState final : public state::StateView {
public:
    explicit PastState(const state::StateView& today) : today_(&today) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        const auto found = before_.find(key.bytes);
        return found != before_.end() ? Result<state::Value>(found->second) : today_->get(key);
    }

    /// Whether nothing lies below: no current key, and none that an undo restores.
    [[nodiscard]] Result<bool> is_empty(const Database& database) const {
        for (const auto& [key, value] : before_)
            if (value) return false;
        bool empty = true;
        const Status visited =
            database.visit(Family::state, {}, [&](std::string_view key, std::string_view) {
                return empty = before_.contains(key);
            });
        if (!visited) return visited.error();
        return empty;
    }

    /// Blocks are undone from the last one: the earliest value remains.
    void take_back(std::string_view key, std::optional<std::string_view> before) {
        before_.insert_or_assign(state::Key(key), before ? state::Value(*before) : state::Value());
    }

private:
    const state::StateView* today_;
    std::map<state::Key, state::Value, std::less<>> before_;
};

} // namespace

Status WorkspaceInside::take_back(std::uint64_t height, const Restore& restore) const {
    std::optional<std::uint64_t> next = tip ? std::optional(tip->height) : std::nullopt;
    while (next && *next >= height) {
        const auto taken = record(*next);
        if (!taken) return taken.error();
        if (!*taken) return damaged(fmt::format("block {} is missing", *next));
        const auto undo = database->get(Family::undo, height_key(*next));
        if (!undo) return undo.error();
        if (!*undo)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: the state before block {} is unavailable: the undo of "
                                     "block {} is no longer kept",
                                     folder.string(), height, *next)};
        if (!read_undo(**undo, restore))
            return damaged(fmt::format("the undo of block {} cannot be read", *next));
        next = (*taken)->tip_before;
    }
    return {};
}

Result<std::unique_ptr<state::StateView>> Workspace::state_before(std::uint64_t height) const {
    return contain("reading the workspace", [&]() -> Result<std::unique_ptr<state::StateView>> {
        auto past = std::make_unique<PastState>(inside_->state);
        const Status taken = inside_->take_back(
            height, [&](std::string_view key, std::optional<std::string_view> before) {
                past->take_back(key, before);
            });
        if (!taken) return taken.error();
        return std::unique_ptr<state::StateView>(std::move(past));
    });
}

Result<bool> Workspace::is_empty_before(std::uint64_t height) const {
    return contain("reading the workspace", [&]() -> Result<bool> {
        PastState past(inside_->state);
        const Status taken = inside_->take_back(
            height, [&](std::string_view key, std::optional<std::string_view> before) {
                past.take_back(key, before);
            });
        if (!taken) return taken.error();
        return past.is_empty(*inside_->database);
    });
}

} // namespace blockloom::store
