#include "range/state_source.h"

#include "base/contain.h"
#include "execute/junction.h"
#include "node/metashrew_node.h"
#include "range/metashrew_state.h"
#include "range/rpc_records.h"
#include "range/rpc_state.h"
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
    state.records = node_records(database);
    state.view = std::make_unique<MetashrewState>(database, *height);
    return state;
}

bool is_node(std::string_view place) noexcept {
    return place.starts_with(of_metashrew) && node::is_url(place.substr(of_metashrew.size()));
}

std::string hash_text(const std::optional<Hash256>& hash) {
    return hash ? to_reversed_hex(*hash) : "none";
}

Result<OpenState> open_rpc(const StateSource& source, const execute::ReplaySource& first,
                           const std::stop_token& stop) {
    const auto height = height_before(source, first);
    if (!height) return height.error();
    auto address = node::node_address(source.place.substr(of_metashrew.size()));
    if (!address) return address.error();
    const std::string url = address->url;
    auto http = node::HttpClient::open(*std::move(address), source.access_of_node);
    if (!http) return http.error();
    const auto indexer = std::make_shared<const node::MetashrewNode>(*std::move(http));
    // Above its last block a node answers with the state after that one, without an error.
    const auto tip = indexer->height(stop);
    if (!tip) return tip.error();
    const auto hash = *tip < *height ? Result<std::optional<Hash256>>(std::optional<Hash256>())
                                     : indexer->block_hash(*height, stop);
    if (!hash) return hash.error();
    if (!*hash)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected the state after block {}, found {} as the last "
                                 "indexed block",
                                 url, *height, *tip)};
    if (!source.declared && **hash != first.block.header.previous)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected {} as block {}, found {}: the node has indexed "
                                 "another branch. {} can only be executed on the state after its "
                                 "parent; --begin declares that this is the state before it",
                                 url, to_reversed_hex(first.block.header.previous), *height,
                                 hash_text(*hash),
                                 execute::block_text(execute::height_of(first), first.block.hash))};
    auto view = std::make_unique<RpcState>(indexer, *height, stop);
    const RpcState* const read = view.get();
    const auto fetched = std::make_shared<FetchedAnswers>(
        FetchedAnswers::default_folder(),
        fmt::format("state\n{}\n{}\n{}", url, *height, to_hex(**hash)));
    view->resume_from(fetched);
    OpenState state;
    state.text = fmt::format("{}{}, after block {}, by JSON-RPC", of_metashrew, url, *height);
    state.notes = [read] {
        const std::string text = unknown_text(read->unknown());
        return text.empty() ? std::vector<std::string>() : std::vector{text};
    };
    state.unknown = [read] { return read->unknown(); };
    state.is_unknown = [read](std::string_view key) { return read->is_unknown(key); };
    state.confirm = [indexer, url, fetched, height = *height,
                     was = *hash](const std::stop_token& end) {
        const auto now = indexer->block_hash(height, end);
        if (!now) return Status(now.error());
        fetched->done(); // all was read, or what was read is of no use
        if (*now == was) return Status();
        return Status(
            Error{ErrorCode::bad_input,
                  fmt::format("{}: block {} was {} when the state was opened and is {} now: the "
                              "node has changed to another branch, so what was read mixes both",
                              url, height, hash_text(was), hash_text(*now))});
    };
    state.records = rpc_records(indexer, stop);
    state.read_ahead = [read](std::span<const execute::ReplaySource> blocks,
                              const execute::ReplayOptions& how, ProgressSink& progress,
                              const std::stop_token& end) {
        const Status certain = read->read_ahead(known_ahead(blocks, end), progress, end);
        return certain ? read->read_by_guess(blocks, how, progress, end) : certain;
    };
    state.view = std::move(view);
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
    auto view = std::make_unique<BundleView>(*std::move(bundle), source.place);
    const BundleView* const read = view.get();
    state.notes = [read] {
        const std::string text = unknown_text(read->unknown());
        return text.empty() ? std::vector<std::string>() : std::vector{text};
    };
    state.unknown = [read] { return read->unknown(); };
    state.is_unknown = [read](std::string_view key) { return read->is_unknown(key); };
    state.view = std::move(view);
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
    if (is_node(place)) {
        // Before anything repeats it: it may have a password in it.
        if (const auto address = node::node_address(place.substr(of_metashrew.size())); !address)
            return Error{address.error().code, "--state: " + address.error().message};
        if (!source.fork.empty() || !source.label.empty())
            return Error{ErrorCode::wrong_usage,
                         "--state-fork and --state-label: expected metashrew:DIR, found a URL, "
                         "whose node knows them"};
        return {};
    }
    if (place.find("://") != std::string_view::npos)
        return Error{ErrorCode::wrong_usage,
                     "--state: expected metashrew: before the URL of a node, metashrew:https://…"};
    if (place.starts_with(of_metashrew) && place.size() > of_metashrew.size()) return {};
    if (is_file(place)) return {};
    return Error{
        ErrorCode::wrong_usage,
        fmt::format("--state: expected metashrew:DIR, metashrew:URL or the file of a state "
                    "bundle, found {}",
                    place)};
}

Status read_ahead(const OpenState& state, std::span<const execute::ReplaySource> blocks,
                  const execute::ReplayOptions& how, ProgressSink& progress,
                  const std::stop_token& stop) {
    return state.read_ahead ? contain("reading the state",
                                      [&] { return state.read_ahead(blocks, how, progress, stop); })
                            : Status();
}

Status confirm(const OpenState& state, const std::stop_token& stop) {
    return state.confirm ? state.confirm(stop) : Status();
}

Result<OpenState> open_state(const StateSource& source, const execute::ReplaySource& first,
                             const std::stop_token& stop) {
    return contain("opening the state", [&]() -> Result<OpenState> {
        if (const Status known = check_state_source(source); !known) return known.error();
        if (is_node(source.place)) return open_rpc(source, first, stop);
        return is_file(source.place) ? open_bundle(source, first) : open_metashrew(source, first);
    });
}

} // namespace blockloom::range
