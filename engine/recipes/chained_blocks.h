// Makes the blocks of a recipe one after the other.
#pragma once

#include "recipes/block_writer.h"
#include "recipes/random.h"
#include "recipes/recipe.h"

#include <vector>

namespace blockloom::recipes {

/// A generator: every call gives the next block, linked to the one before, spending what earlier
/// blocks left unspent. The recipe has been checked.
class ChainedBlocks {
public:
    explicit ChainedBlocks(const Recipe& recipe);

    [[nodiscard]] WrittenBlock next();

    /// Of the block that `next` will make.
    [[nodiscard]] std::uint64_t height() const noexcept { return frame_.height; }
    [[nodiscard]] const BlockShape& shape() const noexcept {
        return recipe_.shapes[made_ % recipe_.shapes.size()];
    }

private:
    /// What the tasks of a lane left unspent, oldest first from `spent` on.
    struct Lane {
        std::vector<Coin> open;
        std::size_t spent = 0;
        [[nodiscard]] bool empty() const noexcept { return spent == open.size(); }
    };

    void add_task(const BlockShape& shape, const Zipf& lanes);
    static Coin take(Lane& lane, bool oldest);
    Coin older_coin();
    std::vector<Payment> split(std::uint64_t value, bool widen);
    Lock some_lock();

    Recipe recipe_;
    Random random_;
    Sha256 hasher_;
    BlockFrame frame_;
    std::size_t made_ = 0;
    std::uint64_t made_up_ = 0; ///< coins of blocks before the first
    std::uint64_t fees_ = 0;
    std::vector<Coin> older_, fresh_; ///< unspent outputs of earlier blocks, and of this one
    std::vector<Lane> lanes_;
    std::vector<WrittenTransaction> transactions_;
};

} // namespace blockloom::recipes
