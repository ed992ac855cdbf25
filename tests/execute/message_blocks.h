// Blocks of transactions with one message each, written one after the other.
#pragma once

#include "alkanes/ids.h"
#include "execute/replay.h"
#include "recipes/block_builder.h"
#include "recipes/coins.h"

#include <span>
#include <vector>

namespace blockloom::tests {

class MessageBlocks {
public:
    MessageBlocks();

    void begin() { builder_.begin(); }
    /// A transaction that spends `input`; its outputs.
    recipes::Coin say(const alkanes::AlkaneId& target, const std::vector<u128>& inputs,
                      recipes::Coin input, std::span<const Bytes> witness = {});
    /// One that no transaction of the blocks has made.
    recipes::Coin coin();
    /// The block of what was said since begin().
    execute::ReplaySource end();

private:
    recipes::Random random_{1};
    Sha256 hasher_;
    recipes::Coins coins_{1, random_, hasher_};
    recipes::BlockBuilder builder_{hasher_};
    recipes::BlockFrame frame_;
    std::uint64_t made_ = 0;
};

} // namespace blockloom::tests
