// Makes the blocks of a recipe one after the other.
#pragma once

#include "recipes/block_builder.h"
#include "recipes/coins.h"
#include "recipes/recipe.h"

#include <optional>
#include <vector>

namespace blockloom::recipes {

/// A generator: every call returns the next block, linked to the previous one, which spends what
/// earlier blocks left unspent. The recipe has been checked.
class ChainedBlocks {
public:
    explicit ChainedBlocks(const Recipe& recipe);
    ChainedBlocks(const ChainedBlocks&) = delete; // its members refer to each other
    ChainedBlocks& operator=(const ChainedBlocks&) = delete;

    [[nodiscard]] WrittenBlock next();

    /// Of the block that `next` will make.
    [[nodiscard]] std::uint64_t height() const noexcept { return frame_.height; }

    /// Of the block that `next` made: tasks as BlockShape counts them, deploying ones included.
    [[nodiscard]] std::uint32_t tasks() const noexcept;
    [[nodiscard]] std::uint32_t transactions() const noexcept; ///< the coinbase included
    [[nodiscard]] const std::vector<MeantProtostone>& meant() const noexcept {
        return builder_.meant();
    }

private:
    struct Draft {
        std::vector<Coin> inputs;
        Lane* lane = nullptr; ///< receives the outputs; null: only later blocks spend them
        bool widen = false;
    };

    void add_tasks(const BlockShape& shape);
    void add_spend(const BlockShape& shape, const Zipf& lanes);
    void add_message(const BlockShape& shape, const Zipf& lanes, std::uint32_t most_stones);
    void add_plain(const BlockShape& shape, const Zipf& lanes);
    [[nodiscard]] Draft chained_draft(const BlockShape& shape, const Zipf& lanes);
    [[nodiscard]] Coin plain_coin(Lane& lane, bool any);
    [[nodiscard]] std::vector<Payment> pay(const Draft& draft);
    std::vector<Payment> split(std::uint64_t value, bool widen);
    void put(const Draft& draft, std::vector<Payment> payments, const Stones& stones);

    Recipe recipe_;
    Random random_;
    Sha256 hasher_;
    Coins coins_;
    BlockBuilder builder_;
    ContractCounts counts_;
    std::optional<Messages> messages_;
    BlockFrame frame_;
    std::size_t made_ = 0;
};

} // namespace blockloom::recipes
