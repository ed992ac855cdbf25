#include "range/state_before.h"

#include "base/contain.h"
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

bool is_generated(const std::optional<Manifest>& manifest) {
    return manifest && manifest->chain == "alkanes";
}

} // namespace

Result<std::string> workspace_for(const std::string& given,
                                  const std::optional<Manifest>& manifest) {
    return contain("looking for the state", [&]() -> Result<std::string> {
        if (!given.empty() || is_generated(manifest)) return given;
        const auto own = store::default_folder();
        std::error_code unreadable;
        if (!own || !std::filesystem::exists(*own / "format", unreadable)) return given;
        const auto holds = holds_state(own->string());
        if (!holds) return holds.error();
        return *holds ? own->string() : given;
    });
}

execute::Beginning beginning_of(const execute::ReplaySource& first,
                                const std::optional<Manifest>& manifest) {
    return {.of_chain = manifest && manifest->begins_with(first.block.hash)};
}

Result<StateBefore> state_before(const std::string& given, const Pending& pending,
                                 const std::optional<Manifest>& manifest) {
    return contain("opening the state", [&]() -> Result<StateBefore> {
        StateBefore before;
        if (is_state_place(given)) {
            StateSource source;
            source.place = given;
            auto open = open_state(source, replay_source(pending));
            if (!open) return open.error();
            before.source = *std::move(open);
            return before;
        }
        const auto workspace = workspace_for(given, manifest);
        if (!workspace) return workspace.error();
        const execute::ReplaySource first = replay_source(pending);
        const execute::Beginning beginning = beginning_of(first, manifest);
        if (workspace->empty()) {
            if (beginning.of_chain) return before;
            return execute::missing_state(first);
        }
        auto opened = store::Workspace::open(*workspace, {.read_only = true});
        if (!opened) return opened.error();
        before.workspace = *std::move(opened);
        const auto above = execute::committed_above(*before.workspace, first, beginning);
        if (!above) return above.error();
        if (!*above) {
            before.on_blocks = before.workspace->tip().has_value();
            return before;
        }
        // Below the first committed block there is a seed or nothing.
        if (const auto below = before.workspace->below(**above); !below)
            return below.error();
        else if (*below) {
            const auto block = before.workspace->block((*below)->height);
            if (!block) return block.error();
            before.on_blocks = block->has_value();
        }
        auto past = before.workspace->state_before(**above);
        if (!past) return past.error();
        before.past = *std::move(past);
        return before;
    });
}

Result<StateBefore> state_before(const RangeOptions& options, const Pending& pending,
                                 const std::optional<Manifest>& manifest,
                                 const std::stop_token& stop) {
    if (!options.state.given()) return state_before(options.workspace, pending, manifest);
    auto open = open_state(options.state, replay_source(pending), stop);
    if (!open) return open.error();
    StateBefore before;
    before.source = *std::move(open);
    return before;
}

Result<bool> holds_state(const std::string& workspace) {
    return contain("opening the state", [&]() -> Result<bool> {
        auto opened = store::Workspace::open(workspace, {.read_only = true});
        if (!opened) return opened.error();
        const auto empty = is_empty(**opened);
        if (!empty) return empty.error();
        return !*empty;
    });
}

} // namespace blockloom::range
