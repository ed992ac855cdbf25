// What a block commits to: merkle root, witness commitment, height (BIP34, BIP141).
#pragma once

#include "base/bytes.h"
#include "base/sha256.h"
#include "chain/block.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace blockloom::chain {

/// A merkle root, and whether two equal neighbours were hashed together somewhere: such a list has
/// the same root as a shorter one (CVE-2012-2459), so the root proves nothing.
struct MerkleRoot {
    Hash256 root{}; ///< zeros for no leaves
    bool mutated = false;
};

/// Pairwise SHA-256d, odd rows repeat the last. Takes the leaves by value: it works in place.
[[nodiscard]] MerkleRoot merkle_root(std::vector<Hash256> leaves, Sha256& hasher);

/// The checks of a block whose transactions, txids and wtxids are filled in.
///
/// Witness commitment: that of the last coinbase output whose script starts 6a24aa21a9ed, with the
/// coinbase's only witness item as reserved value. A block without any witness takes 32 zeros as
/// reserved value: miners put commitments into blocks before segwit was active. Witnesses without a
/// commitment are a failed check; with neither, the check is absent.
[[nodiscard]] BlockChecks check_commitments(const Block& block, Sha256& hasher);

/// The height at the start of a coinbase script (BIP34): a minimal push of a number from 1 to 100
/// million (larger ones are other data: early coinbases start with the header's bits). Nothing if
/// the block version is below 2.
[[nodiscard]] std::optional<std::uint64_t> coinbase_height(std::int32_t version,
                                                           ByteView coinbase_script);

/// Whether a 36-byte outpoint is the coinbase's: zero txid, vout 0xffffffff.
[[nodiscard]] bool is_null_outpoint(const Byte* outpoint) noexcept;
/// The first 32 of an outpoint's 36 bytes.
[[nodiscard]] Hash256 txid_of(ByteView outpoint) noexcept;

} // namespace blockloom::chain
