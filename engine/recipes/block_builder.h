// Collects the transactions of one block, with the protostones that they are meant to carry.
#pragma once

#include "recipes/block_writer.h"
#include "recipes/messages.h"

#include <vector>

namespace blockloom::recipes {

/// A protostone as generated: decoding the block must find it there.
struct MeantProtostone {
    std::uint32_t transaction = 0; ///< in the block; the coinbase is 0
    std::uint32_t place = 0;       ///< among the transaction's protostones
    alkanes::Protostone protostone;
};

class BlockBuilder {
public:
    explicit BlockBuilder(Sha256& hasher) : hasher_(hasher) {}

    void begin();

    /// Adds a transaction; the value of its inputs minus its payments is the fee. Returns its
    /// outputs, with the tokens that `stones` leave there; the runestone's output, which is the
    /// last, is not among them.
    std::vector<Coin> add(std::span<const Coin> inputs, std::vector<Payment> payments,
                          const Stones& stones = {}, std::span<const Bytes> first_witness = {});

    [[nodiscard]] const std::vector<WrittenTransaction>& transactions() const noexcept {
        return transactions_;
    }
    [[nodiscard]] const std::vector<MeantProtostone>& meant() const noexcept { return meant_; }
    [[nodiscard]] std::uint32_t tasks() const noexcept { return tasks_; } ///< tag-1 protostones
    [[nodiscard]] std::uint64_t fees() const noexcept { return fees_; }   ///< satoshi

private:
    Sha256& hasher_;
    std::vector<WrittenTransaction> transactions_;
    std::vector<MeantProtostone> meant_;
    std::uint32_t tasks_ = 0;
    std::uint64_t fees_ = 0;
};

} // namespace blockloom::recipes
