// Recipes for generated blocks: what they look like, by name or from a JSON file. Same recipe, same
// bytes, everywhere.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::recipes {

/// What the messages of a block do, as weights: only their proportions count.
struct MessageMix {
    double free_mint = 0;   ///< one portion of a free mint
    double reward_mint = 0; ///< a share of the block's reward, from [2, 0]
    double swap = 0;        ///< one token of a pool against the other
    double liquidity = 0;   ///< fills a pool, or empties it by the shares of an earlier fill
    double transfer = 0;    ///< tokens from output to output by edicts, no contract
    double move = 0;        ///< between two accounts inside a token's storage
    double create = 0;      ///< a new free mint, cloned
    double misbehave = 0;   ///< anything that an engine has to survive

    friend bool operator==(const MessageMix&, const MessageMix&) = default;
};

/// The Alkanes side of a block.
struct MessageShape {
    MessageMix mix{.free_mint = 1};
    /// Of each kind that the mix calls; 0: as many as tasks. Half as many pools where there are
    /// free mints too, so that not all of these are traded.
    std::uint32_t contracts = 16;
    std::uint64_t cap = 0; ///< mints that a free mint allows, 0: any; pools' tokens have none
    double prefixed = 0;   ///< share of the messages with the (8, 8) prefix
    double plain = 0;      ///< transactions without a message, for each with one

    friend bool operator==(const MessageShape&, const MessageShape&) = default;
};

/// How the transactions of a block depend on each other, and what they say to Alkanes.
struct BlockShape {
    /// Without messages: transactions, the coinbase included. With messages: protostones of tag 1;
    /// the coinbase, plain transactions and what deploys the contracts come on top.
    std::uint32_t tasks = 1000;
    /// Share of the tasks that spend an output of an earlier task of their block; the others spend
    /// outputs of earlier blocks.
    double chained = 0.5;
    /// Zipf exponent of how these spread over the lanes, and messages over contracts and accounts;
    /// 0: evenly, contracts in turn.
    double skew = 0.8;
    std::uint32_t lanes = 64; ///< trees of spends that grow side by side: the groups
    /// Share of the chained tasks that spend the oldest unspent output of their lane, which widens
    /// it, instead of the newest, which lengthens it.
    double fan_out = 0.2;
    double joins = 0; ///< share of the chained tasks that also spend from a second lane
    std::optional<MessageShape> messages{};

    friend bool operator==(const BlockShape&, const BlockShape&) = default;
};

/// A range of blocks. Up to about 5,000 transactions a block keep Bitcoin's weight limit; more are
/// for measuring. With messages its replay starts from an empty state: the first block deploys what
/// the others call, and does nothing else unless it is the only one.
struct Recipe {
    std::string name = "lanes", description;
    std::uint32_t blocks = 8;
    std::uint64_t seed = 1;
    std::uint64_t first_height = 840'000;
    /// Of the blocks in turn (not of one that only deploys), from the first again after the last;
    /// never empty. All of them have messages, or none.
    std::vector<BlockShape> shapes{BlockShape{}};

    [[nodiscard]] bool has_messages() const noexcept { return shapes.front().messages.has_value(); }

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// What a user changes in a recipe: every shape gets it.
struct RecipeChanges {
    std::optional<std::uint32_t> blocks{}, tasks{};
    std::optional<std::uint64_t> seed{};
    std::optional<double> skew{}, chained{};
    std::optional<std::uint32_t> contracts{}; ///< these two: where there are messages
    std::optional<double> prefixed{};
};
[[nodiscard]] Recipe with_changes(Recipe recipe, const RecipeChanges& changes);

/// The recipes that have a name: first those with messages, then plain Bitcoin ones.
[[nodiscard]] const std::vector<Recipe>& named_recipes();

/// What the first-start screen opens: 27 blocks from fully parallel to one long chain, the first of
/// which deploys the contracts that the messages of the others call.
[[nodiscard]] Recipe demo_recipe();

/// A recipe by its name, or else read from the JSON file of that path. Fails with the known names
/// where it is neither.
[[nodiscard]] Result<Recipe> find_recipe(const std::string& name_or_file);

/// A recipe from JSON text: an object with any of `recipe` (a name to start from), `blocks`,
/// `seed`, `first_height`, `tasks`, `chained`, `skew`, `lanes`, `fan_out`, `joins`, `messages`, and
/// `shapes`, a list of objects with the last seven (`blocks` is then their number unless told, one
/// more with messages). `messages` is an object with `contracts`, `cap`, `prefixed`, `plain` and
/// the weights of the mix. Unknown fields are errors. `place` names it in errors.
[[nodiscard]] Result<Recipe> parse_recipe(ByteView json, const std::string& place);

/// The inverse of `parse_recipe`.
[[nodiscard]] std::string to_json(const Recipe& recipe);

/// What is wrong with a recipe's numbers, if anything.
[[nodiscard]] Status check(const Recipe& recipe);

} // namespace blockloom::recipes
