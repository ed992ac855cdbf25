#include "recipes/random.h"
#include "recipes/recipe.h"

#include <iterator>

namespace blockloom::recipes {

namespace {

/// Where the rules of today hold, and below the next change.
constexpr std::uint64_t alkanes_height = 960'100;

Recipe spends(std::string name, std::string description, BlockShape shape) {
    Recipe made;
    made.name = std::move(name);
    made.description = std::move(description);
    made.shapes = {shape};
    return made;
}

Recipe messages(std::string name, std::string description, BlockShape shape, MessageShape said) {
    shape.messages = said;
    Recipe made = spends(std::move(name), std::move(description), shape);
    made.first_height = alkanes_height;
    return made;
}

/// Shapes between "nothing depends" and "everything waits".
constexpr BlockShape kinds[]{
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

/// What the messages of the demo's blocks do, one for each kind.
constexpr MessageShape said[]{
    {.mix = {.free_mint = 1, .swap = 0.1}, .contracts = 48, .cap = 150, .plain = 1.5},
    {.mix = {.free_mint = 0.3, .swap = 0.2, .transfer = 0.3, .move = 0.2},
     .contracts = 48,
     .cap = 150,
     .plain = 2},
    {.mix = {.free_mint = 0.2,
             .reward_mint = 0.1,
             .swap = 0.2,
             .liquidity = 0.05,
             .transfer = 0.3,
             .move = 0.15,
             .create = 0.02},
     .contracts = 48,
     .cap = 150,
     .plain = 2},
    {.mix = {.swap = 0.6, .liquidity = 0.1, .transfer = 0.3},
     .contracts = 48,
     .cap = 150,
     .plain = 1.5},
    {.mix = {.reward_mint = 0.9, .transfer = 0.1}, .contracts = 48, .cap = 150, .plain = 2},
    {.mix = {.free_mint = 0.3, .transfer = 0.7}, .contracts = 48, .cap = 150, .plain = 1},
    {.mix = {.free_mint = 0.9, .transfer = 0.1, .create = 0.02},
     .contracts = 48,
     .cap = 150,
     .plain = 2},
    {.mix = {.swap = 0.3, .transfer = 0.5, .move = 0.2}, .contracts = 48, .cap = 150, .plain = 1},
    {.mix = {.swap = 0.3, .transfer = 0.7}, .contracts = 48, .cap = 150, .plain = 0},
};

/// The kinds in a mixed order. The same sizes whether a block has messages or not.
std::vector<BlockShape> range_shapes(std::size_t blocks) {
    Random random(27);
    std::vector<BlockShape> shapes;
    for (std::size_t i = 0; i < blocks; ++i) {
        BlockShape shape = kinds[i * 4 % std::size(kinds)];
        shape.tasks = static_cast<std::uint32_t>(random.between(300, 2500));
        shapes.push_back(shape);
    }
    return shapes;
}

Recipe spends_recipe() {
    Recipe made;
    made.name = "spends";
    made.description = "27 blocks from fully parallel to one long chain, without messages";
    made.shapes = range_shapes(27);
    made.blocks = static_cast<std::uint32_t>(made.shapes.size());
    return made;
}

std::vector<Recipe> message_recipes() {
    const BlockShape flat{.tasks = 1000, .chained = 0, .skew = 0, .lanes = 1, .fan_out = 0};
    BlockShape loose = flat, lanes, old = flat, today = flat, hostile;
    loose.skew = 1;
    loose.chained = 0.2;
    loose.lanes = 64;
    old.tasks = 720;
    old.skew = 4;
    today.tasks = 3700;
    today.skew = 1;
    hostile.tasks = 600;
    hostile.chained = 0.3;
    BlockShape pooled = flat;
    pooled.skew = 1;
    return {
        messages("independent", "every message calls its own contract", flat,
                 {.mix = {.free_mint = 1}, .contracts = 0}),
        messages("mixed",
                 "mints, swaps, transfers, accounts and creations over 16 contracts of each kind",
                 loose,
                 {.mix = {.free_mint = 0.3,
                          .reward_mint = 0.1,
                          .swap = 0.25,
                          .liquidity = 0.03,
                          .transfer = 0.15,
                          .move = 0.15,
                          .create = 0.02},
                  .plain = 0.2}),
        messages("amm", "swaps in 16 pools, some much busier than others", pooled,
                 {.mix = {.swap = 0.92, .liquidity = 0.06, .transfer = 0.02}}),
        messages("chained",
                 "messages that spend outputs of earlier messages of their block, in lanes", lanes,
                 {.mix = {.free_mint = 0.4, .swap = 0.2, .transfer = 0.4}}),
        messages(
            "mainnet-2025", "the free-mint era: 720 messages a block, most of them to one contract",
            old,
            {.mix = {.free_mint = 0.955, .reward_mint = 0.02, .transfer = 0.024, .create = 0.004},
             .contracts = 8,
             .cap = 100'000,
             .plain = 1.5}),
        messages(
            "mainnet-2026", "3,700 messages a block, 99.8 % mints of the block's reward", today,
            {.mix = {.free_mint = 0.0006, .reward_mint = 0.998, .swap = 0.0008, .transfer = 0.0006},
             .contracts = 4,
             .plain = 0.3}),
        messages("adversarial",
                 "inputs that break engines: forks, traps, loops, invalid stones, lost tokens",
                 hostile,
                 {.mix = {.free_mint = 0.1, .swap = 0.1, .transfer = 0.1, .misbehave = 0.7},
                  .contracts = 6,
                  .cap = 20,
                  .plain = 0.2}),
    };
}

} // namespace

const std::vector<Recipe>& named_recipes() {
    static const std::vector<Recipe> recipes = [] {
        std::vector<Recipe> all{demo_recipe()};
        for (Recipe& recipe : message_recipes()) all.push_back(std::move(recipe));
        all.push_back(spends("lanes", "chains of spends inside each block, side by side", {}));
        all.push_back(spends("parallel", "no task depends on another",
                             {.tasks = 1000, .chained = 0, .skew = 0, .lanes = 1, .fan_out = 0}));
        all.push_back(spends("serial", "one chain through the whole block",
                             {.tasks = 1000, .chained = 1, .skew = 0, .lanes = 1, .fan_out = 0}));
        all.push_back(
            spends("fan-out", "a few tasks feed many: wide, shallow trees",
                   {.tasks = 1000, .chained = 0.9, .skew = 0.8, .lanes = 8, .fan_out = 1}));
        all.push_back(spends("tangled", "lanes that join: one large group",
                             {.tasks = 1000,
                              .chained = 0.8,
                              .skew = 0.5,
                              .lanes = 50,
                              .fan_out = 0.2,
                              .joins = 0.3}));
        all.push_back(spends_recipe());
        return all;
    }();
    return recipes;
}

Recipe demo_recipe() {
    constexpr std::size_t blocks = 27; // the first one deploys
    Recipe demo;
    demo.name = "demo";
    demo.description = "27 blocks from fully parallel to one long chain, with messages";
    demo.first_height = alkanes_height;
    demo.shapes = range_shapes(blocks - 1);
    for (std::size_t i = 0; i < demo.shapes.size(); ++i) {
        BlockShape& shape = demo.shapes[i];
        shape.messages = said[i * 4 % std::size(kinds)];
        const double transactions = shape.tasks;
        shape.tasks = static_cast<std::uint32_t>(transactions / (1 + shape.messages->plain));
    }
    demo.blocks = static_cast<std::uint32_t>(blocks);
    return demo;
}

} // namespace blockloom::recipes
