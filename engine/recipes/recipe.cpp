#include "recipes/recipe.h"

#include "base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace blockloom::recipes {

namespace {

constexpr std::uint32_t most_blocks = 100'000, most_tasks = 200'000, most_lanes = 200'000;

std::string unit_range_error(const char* name, double value) {
    return fmt::format("{}: expected a number from 0 to 1, found {}", name, value);
}

std::string what_is_wrong(const MessageShape& messages) {
    const MessageMix& mix = messages.mix;
    double sum = 0;
    for (const double weight : {mix.free_mint, mix.reward_mint, mix.swap, mix.liquidity,
                                mix.transfer, mix.move, mix.create, mix.misbehave}) {
        if (!(weight >= 0 && weight <= 1'000'000))
            return fmt::format("messages: weights: expected numbers from 0 to 1000000, found {}",
                               weight);
        sum += weight;
    }
    if (!(sum > 0)) return "messages: weights: expected at least one above 0, found none";
    if (messages.contracts > most_lanes)
        return fmt::format("messages: contracts: expected 0 to {}, found {}", most_lanes,
                           messages.contracts);
    if (!(messages.prefixed >= 0 && messages.prefixed <= 1))
        return "messages: " + unit_range_error("prefixed", messages.prefixed);
    if (!(messages.plain >= 0 && messages.plain <= 100))
        return fmt::format("messages: plain: expected a number from 0 to 100, found {}",
                           messages.plain);
    return {};
}

std::string what_is_wrong(const BlockShape& shape) {
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    if (shape.tasks < 1 || shape.tasks > most_tasks)
        return fmt::format("tasks: expected 1 to {}, found {}", most_tasks, shape.tasks);
    if (shape.lanes < 1 || shape.lanes > most_lanes)
        return fmt::format("lanes: expected 1 to {}, found {}", most_lanes, shape.lanes);
    if (!(shape.skew >= 0 && shape.skew <= 10))
        return fmt::format("skew: expected a number from 0 to 10, found {}", shape.skew);
    if (!is_share(shape.chained)) return unit_range_error("chained", shape.chained);
    if (!is_share(shape.fan_out)) return unit_range_error("fan_out", shape.fan_out);
    if (!is_share(shape.joins)) return unit_range_error("joins", shape.joins);
    return shape.messages ? what_is_wrong(*shape.messages) : std::string();
}

} // namespace

Recipe with_changes(Recipe recipe, const RecipeChanges& changes) {
    recipe.blocks = changes.blocks.value_or(recipe.blocks);
    recipe.seed = changes.seed.value_or(recipe.seed);
    for (BlockShape& shape : recipe.shapes) {
        shape.tasks = changes.tasks.value_or(shape.tasks);
        shape.skew = changes.skew.value_or(shape.skew);
        shape.chained = changes.chained.value_or(shape.chained);
        if (!shape.messages) continue;
        shape.messages->contracts = changes.contracts.value_or(shape.messages->contracts);
        shape.messages->prefixed = changes.prefixed.value_or(shape.messages->prefixed);
    }
    return recipe;
}

Result<Recipe> find_recipe(const std::string& name_or_file) {
    const auto& known = named_recipes();
    const auto named = std::find_if(known.begin(), known.end(), [&](const Recipe& candidate) {
        return candidate.name == name_or_file;
    });
    if (named != known.end()) return *named;
    std::error_code failed;
    if (std::filesystem::is_regular_file(name_or_file, failed)) {
        const auto file = FileContent::read(name_or_file);
        if (!file) return file.error();
        return parse_recipe(file->bytes(), name_or_file);
    }
    std::string names;
    for (const Recipe& candidate : known) names += (names.empty() ? "" : ", ") + candidate.name;
    return Error{
        ErrorCode::bad_input,
        fmt::format("expected a recipe ({}) or a JSON file, found \"{}\"", names, name_or_file)};
}

Status check(const Recipe& recipe) {
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorCode::bad_input, fmt::format("recipe {}: {}", recipe.name, what)};
    };
    if (recipe.blocks < 1 || recipe.blocks > most_blocks)
        return wrong(fmt::format("blocks: expected 1 to {}, found {}", most_blocks, recipe.blocks));
    if (recipe.first_height < 1 || recipe.first_height > 90'000'000)
        return wrong(
            fmt::format("first_height: expected 1 to 90000000, found {}", recipe.first_height));
    if (recipe.shapes.empty()) return wrong("shapes: expected at least one, found none");
    for (const BlockShape& shape : recipe.shapes) {
        if (const std::string what = what_is_wrong(shape); !what.empty()) return wrong(what);
        if (shape.messages.has_value() != recipe.has_messages())
            return wrong("messages: expected in all shapes or in none, found in some");
    }
    return {};
}

} // namespace blockloom::recipes
