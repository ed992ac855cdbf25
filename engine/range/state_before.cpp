#include "range/state_before.h"

#include "store/location.h"

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

} // namespace

Error missing_state(const std::string& place) {
    return {ErrorCode::bad_input,
            fmt::format("{}: expected the state before the block, found none. Fill a workspace "
                        "by replaying the blocks before, or by state seed and state put-… for "
                        "single contracts, and name it with --workspace DIR (without it the "
                        "user's own is taken). --chain bitcoin analyses the same blocks by their "
                        "outpoints",
                        place)};
}

namespace {

bool is_generated(const std::optional<Manifest>& manifest) {
    return manifest && manifest->chain == "alkanes";
}

} // namespace

Result<std::string> workspace_for(const std::string& given,
                                  const std::optional<Manifest>& manifest) {
    if (!given.empty() || is_generated(manifest)) return given;
    const auto own = store::default_folder();
    std::error_code unreadable;
    if (!own || !std::filesystem::exists(*own / "format", unreadable)) return given;
    const auto holds = holds_state(own->string());
    if (!holds) return holds.error();
    return *holds ? own->string() : given;
}

Result<StateBefore> state_before(const std::string& given, const Pending& first,
                                 const std::optional<Manifest>& manifest) {
    StateBefore before;
    const bool generated = is_generated(manifest);
    const auto chosen = workspace_for(given, manifest);
    if (!chosen) return chosen.error();
    const std::string& workspace = *chosen;
    if (workspace.empty()) {
        if (generated) return before;
        return missing_state(first.source);
    }
    auto opened = store::Workspace::open(workspace, {.read_only = true});
    if (!opened) return opened.error();
    before.workspace = *std::move(opened);
    const auto tip = before.workspace->tip();
    if (!tip) {
        const auto empty = is_empty(*before.workspace);
        if (!empty) return empty.error();
        if (*empty && !generated) return missing_state(first.source);
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
