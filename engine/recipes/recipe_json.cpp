#include "recipes/recipe.h"

#include "base/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace blockloom::recipes {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t text_bytes = 4096;

/// Ranges that depend on one another are checked by check(); here only single numbers are.
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

} // namespace blockloom::recipes
