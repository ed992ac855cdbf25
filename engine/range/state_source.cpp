#include "range/state_source.h"

#include "base/contain.h"
#include "execute/junction.h"
#include "range/metashrew_state.h"
#include "range/state_bundle.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace blockloom::range {
namespace {

constexpr std::string_view of_metashrew = "metashrew:";

/// Of the block whose resulting state is read.
Result<std::uint64_t> height_before(const StateSource& source, const execute::ReplaySource& first) {
    if (source.height) return *source.height;
    const auto height = execute::height_of(first);
    if (!height)
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected its height, to find the state before it in {}; found "
                        "none: say which block it follows (--state-height)",
                        execute::block_text(height, first.block.hash), source.place)};
    if (*height == 0)
        return Error{ErrorCode::bad_input, "block 0: expected a block before it, found none"};
    return *height - 1;
}

std::vector<std::string> notes_of(const store::NodeDatabase& database) {
    const std::vector<std::string> keys = database.disordered();
    if (keys.empty()) return {};
    std::string text = fmt::format(
        "{}: the indexer has kept entries of blocks that were replaced by another branch; the last "
        "one written up to the block was read. Keys (in hexadecimal):",
        database.options().folder.string());
    for (const std::string& key : keys) text += ' ' + key;
    return {text};
}

Result<OpenState> open_metashrew(const StateSource& source, const execute::ReplaySource& first) {
    const auto height = height_before(source, first);
    if (!height) return height.error();
    store::NodeOptions options;
    options.folder = source.place.substr(of_metashrew.size());
    options.fork = source.fork;
    options.label = source.label;
    options.access = source.access;
    auto opened = store::NodeDatabase::open(options);
    if (!opened) return opened.error();
    const std::shared_ptr<store::NodeDatabase> database = *std::move(opened);
    const auto tip = database->tip();
    if (!tip) return tip.error();
    const std::string place = options.folder.string();
    if (*tip < *height)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected the state after block {}, found {} as the last "
                                 "indexed block",
                                 place, *height, *tip)};
    const auto parent = source.declared ? std::nullopt : std::optional(first.block.header.previous);
    if (const Status stays = database->stay_at(*height, parent); !stays)
        return Error{stays.error().code,
                     fmt::format("{}. {} can only be executed on the state after its parent; "
                                 "--begin declares that this is the state before it",
                                 stays.error().message,
                                 execute::block_text(execute::height_of(first), first.block.hash))};
    OpenState state;
    state.text =
        fmt::format("{}, after block {}, {}{}", source.place, *height, text_of(database->layout()),
                    database->running() ? ", of a running node" : "");
    state.notes = [database] { return notes_of(*database); };
    state.view = std::make_unique<MetashrewState>(database, *height);
    return state;
}

bool is_file(std::string_view place) noexcept {
    std::error_code unknown;
    return std::filesystem::is_regular_file(std::filesystem::path(place), unknown);
}

Result<OpenState> open_bundle(const StateSource& source, const execute::ReplaySource& first) {
    if (source.height || !source.fork.empty() || !source.label.empty())
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--state-height, --state-fork and --state-label: expected "
                                 "metashrew:DIR, found {}",
                                 source.place)};
    auto bundle = read_bundle(source.place);
    if (!bundle) return bundle.error();
    if (!source.declared && bundle->parent != first.block.header.previous)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected the state after {}, the parent of {}, found that "
                                 "after {}. A block can only be executed on the state after its "
                                 "parent; --begin declares that this is the state before it",
                                 source.place, to_reversed_hex(first.block.header.previous),
                                 execute::block_text(execute::height_of(first), first.block.hash),
                                 to_reversed_hex(bundle->parent))};
    OpenState state;
    state.text =
        fmt::format("{}, {} keys from {}", source.place, bundle->entries.size(), bundle->from);
    state.view = std::make_unique<BundleView>(*std::move(bundle), source.place);
    return state;
}

} // namespace

bool is_state_place(std::string_view place) noexcept {
    return place.starts_with(of_metashrew) || is_file(place);
}

Status check_state_source(const StateSource& source) {
    const std::string_view place = source.place;
    if (!source.given()) {
        if (source.height || !source.fork.empty() || !source.label.empty())
            return Error{ErrorCode::wrong_usage,
                         "--state-height, --state-fork and --state-label: expected --state, too"};
        return {};
    }
    if (place.starts_with(of_metashrew) && place.size() > of_metashrew.size()) return {};
    if (place.starts_with("http://") || place.starts_with("https://"))
        return Error{ErrorCode::unavailable,
                     "--state: a node's URL is not part of this version; give the folder of its "
                     "database (metashrew:DIR)"};
    if (is_file(place)) return {};
    return Error{
        ErrorCode::wrong_usage,
        fmt::format("--state: expected metashrew:DIR or the file of a state bundle, found {}",
                    place)};
}

Result<OpenState> open_state(const StateSource& source, const execute::ReplaySource& first) {
    return contain("opening the state", [&]() -> Result<OpenState> {
        if (const Status known = check_state_source(source); !known) return known.error();
        return is_file(source.place) ? open_bundle(source, first) : open_metashrew(source, first);
    });
}

} // namespace blockloom::range
