// Recipes for generated blocks, by name or from a JSON file. The same recipe gives the same bytes
// everywhere.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::recipes {

/// What the messages of a block do, as weights: only their proportions matter.
struct MessageMix {
    double free_mint = 0;   ///< one portion of a free mint
    double reward_mint = 0; ///< a share of the block's reward, from [2, 0]
    double swap = 0;        ///< one token of a pool against the other
    double liquidity = 0;   ///< fills a pool, or empties it with the shares of an earlier fill
    double transfer = 0;    ///< moves tokens from output to output by edicts, without a contract
    double move = 0;        ///< moves tokens between two accounts in a token's storage
    double create = 0;      ///< a new free mint, cloned
    double misbehave = 0;   ///< anything that an engine has to survive

    friend bool operator==(const MessageMix&, const MessageMix&) = default;
};

/// The Alkanes side of a block.
struct MessageShape {
    MessageMix mix{.free_mint = 1};
    /// Contracts of each kind that the mix calls; 0: as many as tasks. Half as many pools if there
    /// are free mints too, so that not all of these are traded.
    std::uint32_t contracts = 16;
    std::uint64_t cap =
        0; ///< number of mints that a free mint allows, 0: unlimited; tokens of pools have no cap
    double prefixed = 0; ///< share of the messages with the (8, 8) prefix
    double plain = 0;    ///< transactions without a message, for each with one

    friend bool operator==(const MessageShape&, const MessageShape&) = default;
};

/// How the transactions of a block depend on each other, and the Alkanes messages they carry.
struct BlockShape {
    /// Without messages: transactions, the coinbase included. With messages: protostones of tag 1;
    /// the coinbase, plain transactions and those that deploy the contracts are additional.
    std::uint32_t tasks = 1000;
    /// Share of the tasks that spend an output of an earlier task of their block; the others spend
    /// outputs of earlier blocks.
    double chained = 0.5;
    /// Zipf exponent of the distribution of chained tasks over the lanes, and of messages over
    /// contracts and accounts; 0: evenly, contracts in turn.
    double skew = 0.8;
    std::uint32_t lanes = 64; ///< trees of spends that grow in parallel: the groups
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
    /// The shapes of the blocks in turn (except of one that only deploys), starting again after the
    /// last; never empty. Either all of them have messages or none.
    std::vector<BlockShape> shapes{BlockShape{}};

    [[nodiscard]] bool has_messages() const noexcept { return shapes.front().messages.has_value(); }

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// A user's changes to a recipe, applied to every shape.
struct RecipeChanges {
    std::optional<std::uint32_t> blocks{}, tasks{};
    std::optional<std::uint64_t> seed{};
    std::optional<double> skew{}, chained{};
    std::optional<std::uint32_t> contracts{}; ///< these two only apply to recipes with messages
    std::optional<double> prefixed{};
};
[[nodiscard]] Recipe with_changes(Recipe recipe, const RecipeChanges& changes);

/// The recipes that have a name: first those with messages, then plain Bitcoin ones.
[[nodiscard]] const std::vector<Recipe>& named_recipes();

/// The demo of the start page: 27 blocks from fully parallel to one long chain; the first deploys
/// the contracts that the messages of the others call.
[[nodiscard]] Recipe demo_recipe();

/// A recipe by its name, or else read from the JSON file of that path. If it is neither, the error
/// lists the known names.
[[nodiscard]] Result<Recipe> find_recipe(const std::string& name_or_file);

/// A recipe from JSON text: an object with any of `recipe` (a name to start from), `blocks`,
/// `seed`, `first_height`, `tasks`, `chained`, `skew`, `lanes`, `fan_out`, `joins`, `messages`, and
/// `shapes`, a list of objects with the last seven (`blocks` then defaults to their number, plus
/// one with messages). `messages` is an object with `contracts`, `cap`, `prefixed`, `plain` and the
/// weights of the mix. Unknown fields are errors. `place` names it in errors.
[[nodiscard]] Result<Recipe> parse_recipe(ByteView json, const std::string& place);

/// The inverse of `parse_recipe`.
[[nodiscard]] std::string to_json(const Recipe& recipe);

/// Checks a recipe's numbers; fails with the first that is out of range.
[[nodiscard]] Status check(const Recipe& recipe);

} // namespace blockloom::recipes
