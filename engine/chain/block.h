// A decoded Bitcoin block: its bytes, and the offset of each transaction, input and output in them
// (zero copy).
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::chain {

/// Keeps a block's bytes alive.
class BlockStorage {
public:
    virtual ~BlockStorage() = default;
};

/// Bytes of a block as stored, and the storage that keeps them alive.
struct BlockBytes {
    std::shared_ptr<const BlockStorage> storage;
    ByteView bytes;
};

/// 80 bytes, little-endian (docs/formats.md#bitcoin-blocks).
struct BlockHeader {
    std::int32_t version = 0;
    Hash256 previous{}, merkle_root{};
    std::uint32_t time = 0, bits = 0, nonce = 0;
};

/// Offsets into the block's bytes; u32 is enough, a block is at most 4 GB.
struct Input {
    std::uint32_t outpoint = 0; ///< 36 bytes: txid, vout u32
    std::uint32_t script = 0, script_size = 0;
    std::uint32_t sequence = 0; ///< the value
};

struct Output {
    std::uint64_t value = 0; ///< satoshi
    std::uint32_t script = 0, script_size = 0;
};

struct Transaction {
    std::uint32_t begin = 0, size = 0;              ///< the whole serialization
    std::uint32_t first_input = 0, input_count = 0; ///< in Block::inputs
    std::uint32_t first_output = 0, output_count = 0;
    std::uint32_t witness = 0, witness_size = 0; ///< 0: none
    std::int32_t version = 0;
    std::uint32_t locktime = 0;
    [[nodiscard]] bool has_witness() const noexcept { return witness_size != 0; }
};

/// The commitments of a block, checked when it is decoded: a failed check is shown, not hidden.
struct BlockChecks {
    bool merkle = false;
    std::optional<bool>
        witness_commitment; ///< absent: the block has no commitment and no witness that needs one
};

/// Immutable once decoded.
struct Block {
    std::shared_ptr<const BlockStorage> storage;
    ByteView bytes;
    BlockHeader header;
    Hash256 hash{};
    std::optional<std::uint64_t> height; ///< from BIP34 or the container
    std::vector<Transaction> transactions;
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::vector<Hash256> txids, wtxids;
    BlockChecks checks;
    std::string source; ///< file, and position in it

    [[nodiscard]] ByteView outpoint(const Input& input) const noexcept {
        return bytes.subspan(input.outpoint, 36);
    }
    [[nodiscard]] ByteView script(const Input& input) const noexcept {
        return bytes.subspan(input.script, input.script_size);
    }
    [[nodiscard]] ByteView script(const Output& output) const noexcept {
        return bytes.subspan(output.script, output.script_size);
    }
};

/// Decodes exactly one block, which must fill all of `bytes`. `place` names it in errors; offsets
/// count from `base_offset` (the block's offset in its file). Allocates no more than a small
/// multiple of the input.
[[nodiscard]] Result<Block> decode_block(std::shared_ptr<const BlockStorage> storage,
                                         ByteView bytes, const std::string& place,
                                         std::uint64_t base_offset = 0);

} // namespace blockloom::chain
