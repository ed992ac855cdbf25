// The state as it was before a committed block, without taking anything back.
#include "store/block_bytes.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

#include <map>

namespace blockloom::store {
namespace {

/// The state of today under the values that undos tell.
class PastState final : public state::StateView {
public:
    explicit PastState(const state::StateView& today) : today_(&today) {}

    [[nodiscard]] Result<state::Value> get(std::string_view key) const override {
        const auto found = before_.find(key);
        return found != before_.end() ? Result<state::Value>(found->second) : today_->get(key);
    }

    /// Blocks are taken back last first: the earliest value stays.
    void take_back(std::string_view key, std::optional<std::string_view> before) {
        before_.insert_or_assign(state::Key(key), before ? state::Value(*before) : state::Value());
    }

private:
    const state::StateView* today_;
    std::map<state::Key, state::Value, std::less<>> before_;
};

} // namespace

Result<std::unique_ptr<state::StateView>> Workspace::state_before(std::uint64_t height) const {
    auto past = std::make_unique<PastState>(inside_->state);
    std::optional<std::uint64_t> next =
        inside_->tip ? std::optional(inside_->tip->height) : std::nullopt;
    while (next && *next >= height) {
        const auto record = inside_->record(*next);
        if (!record) return record.error();
        if (!*record) return inside_->damaged(fmt::format("block {} is missing", *next));
        const auto undo = inside_->database->get(Family::undo, height_key(*next));
        if (!undo) return undo.error();
        if (!*undo)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: the state before block {} is not there: the undo of "
                                     "block {} is no longer kept",
                                     inside_->folder.string(), height, *next)};
        if (!read_undo(**undo, [&](std::string_view key, std::optional<std::string_view> before) {
                past->take_back(key, before);
            }))
            return inside_->damaged(fmt::format("the undo of block {} cannot be read", *next));
        next = (*record)->tip_before;
    }
    return std::unique_ptr<state::StateView>(std::move(past));
}

} // namespace blockloom::store
