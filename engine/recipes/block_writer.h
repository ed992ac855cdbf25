// Serializes Bitcoin transactions and blocks: the opposite of the chain room's decoder.
#pragma once

#include "base/bytes.h"
#include "base/sha256.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::recipes {

/// Anyone-can-spend scripts, so that generated spends need no signatures and are still valid.
enum class Lock : std::uint8_t {
    witness_script, ///< P2WSH of OP_TRUE: spent by a witness
    script_hash,    ///< P2SH of OP_TRUE: spent by an input script
    bare,           ///< OP_TRUE itself: spent by nothing
};

/// An unspent output.
struct Coin {
    Hash256 txid{};
    std::uint32_t place = 0;
    std::uint64_t value = 0; ///< satoshi
    Lock lock = Lock::witness_script;
    /// The token that the generator expects there; 0: none.
    std::uint32_t token = 0;
};

struct Payment {
    std::uint64_t value = 0;
    Lock lock = Lock::witness_script;
    ByteView script{}; ///< instead of the lock's, unless empty
};

/// A serialized transaction.
struct WrittenTransaction {
    Bytes bytes;
    Hash256 txid{}, wtxid{};
};

/// `first_witness`: unless empty, the first input's witness stack, instead of its lock's; that
/// input must need no script.
[[nodiscard]] WrittenTransaction write_transaction(std::span<const Coin> inputs,
                                                   std::span<const Payment> outputs, Sha256& hasher,
                                                   std::span<const Bytes> first_witness = {});

struct BlockFrame {
    Hash256 previous{};
    std::uint64_t height = 0;
    std::uint32_t time = 0;
    std::uint64_t reward = 0; ///< value of the coinbase's first output
};

struct WrittenBlock {
    Bytes bytes;
    Hash256 hash{};
};

/// Prepends a coinbase, adds the commitments, and searches for a nonce that meets regtest's target.
[[nodiscard]] WrittenBlock write_block(const BlockFrame& frame,
                                       std::span<const WrittenTransaction> transactions,
                                       Sha256& hasher);

} // namespace blockloom::recipes
