#include "recipes/recipe.h"

#include "base/file.h"
#include "recipes/chained_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace blockloom::recipes {

namespace {

constexpr std::uint32_t most_blocks = 100'000, most_tasks = 200'000, most_lanes = 200'000;
constexpr std::uint64_t most_in_memory = 20'000'000; // tasks that make_blocks gives at once

Recipe recipe(std::string name, std::string description, BlockShape shape) {
    Recipe made;
    made.name = std::move(name);
    made.description = std::move(description);
    made.shapes = {shape};
    return made;
}

/// Shapes between "nothing depends" and "everything waits", in a mixed order.
std::vector<BlockShape> demo_shapes() {
    const BlockShape kinds[]{
        {.tasks = 0, .chained = 0.0, .skew = 0.0, .lanes = 1, .fan_out = 0.0, .joins = 0.0},
        {.tasks = 0, .chained = 0.15, .skew = 0.5, .lanes = 150, .fan_out = 0.2, .joins = 0.0},
        {.tasks = 0, .chained = 0.45, .skew = 0.8, .lanes = 300, .fan_out = 0.3, .joins = 0.01},
        {.tasks = 0, .chained = 0.7, .skew = 0.6, .lanes = 90, .fan_out = 0.4, .joins = 0.0},
        {.tasks = 0, .chained = 0.6, .skew = 1.3, .lanes = 40, .fan_out = 0.2, .joins = 0.05},
        {.tasks = 0, .chained = 0.85, .skew = 0.9, .lanes = 6, .fan_out = 0.97, .joins = 0.0},
        {.tasks = 0, .chained = 0.3, .skew = 2.0, .lanes = 20, .fan_out = 0.0, .joins = 0.0},
        {.tasks = 0, .chained = 0.9, .skew = 0.3, .lanes = 25, .fan_out = 0.1, .joins = 0.3},
        {.tasks = 0, .chained = 1.0, .skew = 0.0, .lanes = 1, .fan_out = 0.0, .joins = 0.0},
    };
    constexpr std::size_t blocks = 27;
    Random random(27);
    std::vector<BlockShape> shapes;
    for (std::size_t i = 0; i < blocks; ++i) {
        BlockShape shape = kinds[i * 4 % std::size(kinds)];
        shape.tasks = static_cast<std::uint32_t>(random.between(300, 2500));
        shapes.push_back(shape);
    }
    return shapes;
}

std::string unit_range_error(const char* name, double value) {
    return fmt::format("{}: expected a number from 0 to 1, found {}", name, value);
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
    return {};
}

} // namespace

Recipe with_changes(Recipe recipe, const RecipeChanges& changes) {
    recipe.blocks = changes.blocks.value_or(recipe.blocks);
    recipe.seed = changes.seed.value_or(recipe.seed);
    for (BlockShape& shape : recipe.shapes) {
        shape.tasks = changes.tasks.value_or(shape.tasks);
        shape.skew = changes.skew.value_or(shape.skew);
        shape.chained = changes.chained.value_or(shape.chained);
    }
    return recipe;
}

const std::vector<Recipe>& named_recipes() {
    static const std::vector<Recipe> recipes{
        recipe("chained", "chains of spends inside each block, side by side in lanes", {}),
        recipe("parallel", "no task depends on another",
               {.tasks = 1000, .chained = 0, .skew = 0, .lanes = 1, .fan_out = 0, .joins = 0}),
        recipe("serial", "one chain through the whole block",
               {.tasks = 1000, .chained = 1, .skew = 0, .lanes = 1, .fan_out = 0, .joins = 0}),
        recipe("fan-out", "a few tasks feed many: wide, shallow trees",
               {.tasks = 1000, .chained = 0.9, .skew = 0.8, .lanes = 8, .fan_out = 1, .joins = 0}),
        recipe("tangled", "lanes that join: one large group",
               {.tasks = 1000,
                .chained = 0.8,
                .skew = 0.5,
                .lanes = 50,
                .fan_out = 0.2,
                .joins = 0.3}),
        demo_recipe()};
    return recipes;
}

Recipe demo_recipe() {
    Recipe demo;
    demo.name = "demo";
    demo.description = "27 blocks from fully parallel to one long chain";
    demo.shapes = demo_shapes();
    demo.blocks = static_cast<std::uint32_t>(demo.shapes.size());
    return demo;
}

Result<Recipe> find_recipe(const std::string& name_or_file) {
    const auto& known = named_recipes();
    const auto named = std::find_if(known.begin(), known.end(), [&](const Recipe& candidate) {
        return candidate.name == name_or_file;
    });
    if (named != known.end()) return *named;
    std::error_code failed;
    if (std::filesystem::is_regular_file(name_or_file, failed)) {
        const auto file = MappedFile::open(name_or_file);
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
    for (const BlockShape& shape : recipe.shapes)
        if (const std::string what = what_is_wrong(shape); !what.empty()) return wrong(what);
    return {};
}

Result<std::vector<Bytes>> make_blocks(const Recipe& recipe, const std::stop_token& stop) {
    if (const Status status = check(recipe); !status) return status.error();
    std::uint64_t tasks = 0;
    for (std::uint32_t i = 0; i < recipe.blocks; ++i)
        tasks += recipe.shapes[i % recipe.shapes.size()].tasks;
    if (tasks > most_in_memory)
        return Error{ErrorCode::bad_input,
                     fmt::format("recipe {}: expected at most {} tasks in all, found {}: write the "
                                 "blocks to a folder instead",
                                 recipe.name, most_in_memory, tasks)};
    ChainedBlocks generator(recipe);
    std::vector<Bytes> blocks;
    for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
        if (stop.stop_requested()) return cancelled_error();
        blocks.push_back(generator.next().bytes);
    }
    return blocks;
}

} // namespace blockloom::recipes
