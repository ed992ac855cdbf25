// The start of a block: what a listing needs to know about it without decoding all its
// transactions.
#pragma once

#include "chain/block.h"

namespace blockloom::chain {

inline constexpr std::size_t header_size = 80;

/// The most bytes that the header and a coinbase up to its height can take.
inline constexpr std::size_t head_size = 160;

/// Parses the first 80 bytes; the caller has checked the length.
[[nodiscard]] BlockHeader parse_header(ByteView bytes) noexcept;

struct BlockHead {
    BlockHeader header;
    Hash256 hash{};
    std::optional<std::uint64_t> height; ///< BIP34
};

/// The head of a block, if `bytes` (the first `head_size` bytes, or fewer) look like one: a header,
/// then a first transaction with a single input that spends nothing.
[[nodiscard]] std::optional<BlockHead> read_block_head(ByteView bytes);

} // namespace blockloom::chain
