#include "recipes/recipe.h"

#include "base/file.h"
#include "base/json.h"
#include "recipes/chained_blocks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace blockloom::recipes {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t text_bytes = 4096;

/// Ranges that depend on one another are check()'s; here a number is only a number.
void read_real(JsonValue value, double& into) {
    if (const auto number = value.real()) into = *number;
}

void read_messages(JsonValue json, MessageShape& messages) {
    json["contracts"].read(messages.contracts);
    json["cap"].read(messages.cap);
    MessageMix& mix = messages.mix;
    for (const auto& [name, into] : {std::pair{"prefixed", &messages.prefixed},
                                     {"plain", &messages.plain},
                                     {"free_mint", &mix.free_mint},
                                     {"reward_mint", &mix.reward_mint},
                                     {"swap", &mix.swap},
                                     {"liquidity", &mix.liquidity},
                                     {"transfer", &mix.transfer},
                                     {"move", &mix.move},
                                     {"create", &mix.create},
                                     {"misbehave", &mix.misbehave}})
        read_real(json[name], *into);
    json.only({"contracts", "cap", "prefixed", "plain", "free_mint", "reward_mint", "swap",
               "liquidity", "transfer", "move", "create", "misbehave"});
}

Json messages_json(const MessageShape& messages) {
    const MessageMix& mix = messages.mix;
    return {{"contracts", messages.contracts},
            {"cap", messages.cap},
            {"prefixed", messages.prefixed},
            {"plain", messages.plain},
            {"free_mint", mix.free_mint},
            {"reward_mint", mix.reward_mint},
            {"swap", mix.swap},
            {"liquidity", mix.liquidity},
            {"transfer", mix.transfer},
            {"move", mix.move},
            {"create", mix.create},
            {"misbehave", mix.misbehave}};
}

void read_shape(JsonValue json, BlockShape& shape) {
    json["tasks"].read(shape.tasks);
    json["lanes"].read(shape.lanes);
    for (const auto& [name, into] : {std::pair{"chained", &shape.chained},
                                     {"skew", &shape.skew},
                                     {"fan_out", &shape.fan_out},
                                     {"joins", &shape.joins}})
        read_real(json[name], *into);
    const JsonValue messages = json["messages"];
    if (messages.is_absent()) return;
    MessageShape changed = shape.messages.value_or(MessageShape{});
    read_messages(messages, changed);
    shape.messages = changed;
}

Json shape_json(const BlockShape& shape) {
    Json json{{"tasks", shape.tasks}, {"chained", shape.chained}, {"skew", shape.skew},
              {"lanes", shape.lanes}, {"fan_out", shape.fan_out}, {"joins", shape.joins}};
    if (shape.messages) json["messages"] = messages_json(*shape.messages);
    return json;
}

Json recipe_json(const Recipe& recipe) {
    Json json{{"name", recipe.name},
              {"description", recipe.description},
              {"blocks", recipe.blocks},
              {"seed", recipe.seed},
              {"first_height", recipe.first_height}};
    for (const BlockShape& shape : recipe.shapes) json["shapes"].push_back(shape_json(shape));
    return json;
}

/// Only the network `blockloom` knows the (8, 8) prefix.
const char* needed_network(const Recipe& recipe) {
    const bool prefixed =
        std::any_of(recipe.shapes.begin(), recipe.shapes.end(), [](const BlockShape& shape) {
            return shape.messages && shape.messages->prefixed > 0;
        });
    return prefixed ? "blockloom" : "mainnet";
}

void read_shapes(JsonValue list, const BlockShape& start, std::vector<BlockShape>& shapes) {
    constexpr std::size_t most_shapes = 100'000;
    shapes.clear();
    for (const JsonValue item : list.items(most_shapes)) {
        BlockShape shape = start;
        read_shape(item.required(), shape);
        item.only({"tasks", "chained", "skew", "lanes", "fan_out", "joins", "messages"});
        shapes.push_back(shape);
    }
    if (list.is_array() && shapes.empty()) list.refuse("a list with at least one object");
}

} // namespace

Result<Recipe> parse_recipe(ByteView json, const std::string& place) {
    constexpr JsonLimits limits{
        .bytes = std::size_t{64} << 20, .values = std::size_t{4} << 20, .depth = 8};
    const auto document = JsonDocument::parse(
        {reinterpret_cast<const char*>(json.data()), json.size()}, place, limits);
    if (!document) return document.error();
    const JsonValue root = document->root();
    Recipe recipe;
    if (const auto base = root["recipe"].text(text_bytes); base && !base->empty()) {
        const auto& known = named_recipes();
        const auto named = std::find_if(known.begin(), known.end(),
                                        [&](const Recipe& each) { return each.name == *base; });
        if (named == known.end())
            root["recipe"].refuse("the name of a recipe");
        else
            recipe = *named;
    }
    root["name"].read(recipe.name, text_bytes);
    root["description"].read(recipe.description, text_bytes);
    root["blocks"].read(recipe.blocks);
    root["seed"].read(recipe.seed);
    root["first_height"].read(recipe.first_height);
    for (BlockShape& shape : recipe.shapes) read_shape(root, shape);
    root.only({"recipe", "name", "description", "blocks", "seed", "first_height", "tasks",
               "chained", "skew", "lanes", "fan_out", "joins", "messages", "shapes"});
    if (const JsonValue shapes = root["shapes"]; !shapes.is_absent()) {
        const BlockShape start = recipe.shapes.front();
        read_shapes(shapes, start, recipe.shapes);
        if (root["blocks"].is_absent())
            recipe.blocks =
                static_cast<std::uint32_t>(recipe.shapes.size()) + (recipe.has_messages() ? 1 : 0);
    }
    if (const Status status = document->status(); !status) return status.error();
    if (const Status status = check(recipe); !status)
        return Error{status.error().code, place + ": " + status.error().message};
    return recipe;
}

std::string to_json(const Recipe& recipe) {
    return recipe_json(recipe).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status write_blocks(const std::filesystem::path& folder, const Recipe& recipe,
                    ProgressSink& progress, const std::stop_token& stop) {
    if (Status status = check(recipe); !status) return status;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return Error{ErrorCode::system, fmt::format("{}: cannot make the folder: {}",
                                                    folder.string(), failed.message())};
    const bool alkanes = recipe.has_messages();
    Json manifest{{"schema", "blockloom.synth/1"}, {"chain", alkanes ? "alkanes" : "bitcoin"}};
    if (alkanes) manifest["network"] = needed_network(recipe);
    manifest["recipe"] = recipe_json(recipe);
    manifest["blocks"] = Json::array();
    ChainedBlocks generator(recipe);
    for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
        progress.report({"making blocks", i, recipe.blocks});
        if (stop.stop_requested()) return cancelled_error();
        const std::uint64_t height = generator.height();
        const WrittenBlock block = generator.next();
        const std::string name = fmt::format("{}.bin", height);
        // The manifest that names them comes last, and all of it can be made again.
        if (Status status = write_file(folder / name, block.bytes, Durability::at_leisure); !status)
            return status;
        manifest["blocks"].push_back({{"height", height},
                                      {"file", name},
                                      {"hash", to_reversed_hex(block.hash)},
                                      {"transactions", generator.transactions()},
                                      {"tasks", generator.tasks()}});
    }
    progress.report({"making blocks", recipe.blocks, recipe.blocks});
    const std::string text = manifest.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    return write_file(folder / "synth.json", as_bytes(text));
}

} // namespace blockloom::recipes
