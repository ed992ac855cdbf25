#include "range/state_before.h"

#include <fmt/format.h>

namespace blockloom::range {
namespace {

Result<bool> is_empty(const store::Workspace& workspace) {
    bool any = false;
    const Status visited = workspace.visit({}, [&](std::string_view, std::string_view) {
        any = true;
        return false;
    });
    if (!visited) return visited.error();
    return !any;
}

Error no_state(const std::string& place) {
    return {ErrorCode::bad_input,
            fmt::format("{}: expected the state before the block, found none. Give the workspace "
                        "that holds it: --workspace DIR, filled by replaying the blocks before, "
                        "or by state seed and state put-… for single contracts. --chain bitcoin "
                        "analyses the same blocks by their outpoints",
                        place)};
}

} // namespace

Result<StateBefore> state_before(const std::string& workspace, const Pending& first,
                                 const std::optional<Manifest>& manifest) {
    StateBefore before;
    const bool generated = manifest && manifest->chain == "alkanes";
    if (workspace.empty()) {
        if (generated) return before;
        return no_state(first.source);
    }
    auto opened = store::Workspace::open(workspace, {.read_only = true});
    if (!opened) return opened.error();
    before.workspace = *std::move(opened);
    const auto tip = before.workspace->tip();
    if (!tip) {
        const auto empty = is_empty(*before.workspace);
        if (!empty) return empty.error();
        if (*empty && !generated) return no_state(first.source);
        return before;
    }
    if (first.block->header.previous == tip->hash) return before;
    const std::uint64_t height = first.height.value_or(0);
    if (height <= tip->height) {
        auto past = before.workspace->state_before(height);
        if (!past) return past.error();
        before.past = *std::move(past);
        return before;
    }
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: expected block {} on the state of the block before it, found a "
                             "workspace ({}) at block {} ({})",
                             first.source, height, workspace, tip->height,
                             to_reversed_hex(tip->hash))};
}

Result<bool> holds_state(const std::string& workspace) {
    auto opened = store::Workspace::open(workspace, {.read_only = true});
    if (!opened) return opened.error();
    const auto empty = is_empty(**opened);
    if (!empty) return empty.error();
    return !*empty;
}

} // namespace blockloom::range
