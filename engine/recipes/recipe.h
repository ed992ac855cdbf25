// Recipes for generated blocks: what they look like, by name or from a JSON file. Same recipe, same
// bytes, everywhere.
#pragma once

#include "base/bytes.h"
#include "base/progress.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::recipes {

/// How the transactions of a block depend on each other.
struct BlockShape {
    std::uint32_t tasks = 1000; ///< transactions, the coinbase included
    /// Share of the tasks that spend an output of an earlier task of their block; the others spend
    /// outputs of earlier blocks.
    double chained = 0.5;
    double skew = 0.8;        ///< Zipf exponent of how these spread over the lanes; 0: evenly
    std::uint32_t lanes = 64; ///< trees of spends that grow side by side: the groups
    /// Share of the chained tasks that spend the oldest unspent output of their lane, which widens
    /// it, instead of the newest, which lengthens it.
    double fan_out = 0.2;
    double joins = 0; ///< share of the chained tasks that also spend from a second lane

    friend bool operator==(const BlockShape&, const BlockShape&) = default;
};

/// A range of blocks. Up to about 5,000 tasks a block keep Bitcoin's weight limit; more are for
/// measuring.
struct Recipe {
    std::string name = "chained", description;
    std::uint32_t blocks = 8;
    std::uint64_t seed = 1;
    std::uint64_t first_height = 840'000;
    /// Block i has shape i, and again from the first after the last; never empty.
    std::vector<BlockShape> shapes{BlockShape{}};

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// What a user changes in a recipe: every shape gets it.
struct RecipeChanges {
    std::optional<std::uint32_t> blocks, tasks;
    std::optional<std::uint64_t> seed;
    std::optional<double> skew, chained;
};
[[nodiscard]] Recipe with_changes(Recipe recipe, const RecipeChanges& changes);

/// The recipes that have a name, `chained` first.
[[nodiscard]] const std::vector<Recipe>& named_recipes();

/// What the first-start screen opens: 27 blocks from fully parallel to one long chain.
[[nodiscard]] Recipe demo_recipe();

/// A recipe by its name, or else read from the JSON file of that path. Fails with the known names
/// where it is neither.
[[nodiscard]] Result<Recipe> find_recipe(const std::string& name_or_file);

/// A recipe from JSON text: an object with any of `recipe` (a name to start from), `blocks`,
/// `seed`, `first_height`, `tasks`, `chained`, `skew`, `lanes`, `fan_out`, `joins`, and `shapes`, a
/// list of objects with the last six (`blocks` is then their number unless told). Unknown fields
/// are errors. `place` names it in errors.
[[nodiscard]] Result<Recipe> parse_recipe(ByteView json, const std::string& place);

/// The inverse of `parse_recipe`.
[[nodiscard]] std::string to_json(const Recipe& recipe);

/// What is wrong with a recipe's numbers, if anything.
[[nodiscard]] Status check(const Recipe& recipe);

/// The blocks in order: valid Bitcoin serializations, linked, with regtest's easy target, merkle
/// root, witness commitment and BIP34 height right; scripts are anyone-can-spend. Outputs of blocks
/// before the first are made up. Fails on a recipe that `check` refuses.
[[nodiscard]] Result<std::vector<Bytes>> make_blocks(const Recipe& recipe,
                                                     const std::stop_token& stop = {});

/// Writes `HEIGHT.bin` for each block into a folder (made if absent), and `synth.json`: recipe,
/// chain, and the height, hash and tasks of each file. Holds one block in memory at a time.
Status write_blocks(const std::filesystem::path& folder, const Recipe& recipe,
                    ProgressSink& progress, const std::stop_token& stop = {});

} // namespace blockloom::recipes
