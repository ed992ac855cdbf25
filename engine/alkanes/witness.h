// The witness stacks of a decoded transaction, and the sizes that depend on them.
#pragma once

#include "base/bytes.h"
#include "chain/block.h"

#include <cstdint>
#include <vector>

namespace blockloom::alkanes {

/// The witness stacks of a transaction, one per input, in order.
class WitnessStacks {
public:
    WitnessStacks(const chain::Block& block, const chain::Transaction& tx) noexcept
        : left_(block.bytes.subspan(tx.witness, tx.witness_size)) {}

    /// The items of the next input's stack, valid until the next call. A transaction without a
    /// witness has empty stacks.
    [[nodiscard]] const std::vector<ByteView>& next();

    /// Bytes of the witness after the stacks read so far.
    [[nodiscard]] std::size_t remaining() const noexcept { return left_.size(); }

private:
    ByteView left_;
    std::vector<ByteView> items_;
};

/// The script of a taproot script spend: the second-to-last item, not counting an annex (BIP341).
/// Empty if there is none. The control block is not checked.
[[nodiscard]] ByteView tapscript(const std::vector<ByteView>& stack) noexcept;

/// Virtual size: a quarter of the weight, rounded up (BIP141).
[[nodiscard]] std::uint64_t virtual_size(const chain::Transaction& tx) noexcept;

/// The virtual size that the transaction would have with an empty witness stack at its first input
/// (docs/alkanes-protocol.md#the-fuel-tank: what creates contracts does not pay for their code).
[[nodiscard]] std::uint64_t virtual_size_without_first_witness(const chain::Block& block,
                                                               const chain::Transaction& tx);

} // namespace blockloom::alkanes
