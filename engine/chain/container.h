// Detects what a file holds from its bytes: a raw block, hexadecimal text, Bitcoin Core's records …
#pragma once

#include "chain/block_file.h"
#include "chain/block_ref.h"

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::chain {

struct Finding {
    std::vector<BlockRef> blocks;
    std::vector<MalformedSource> malformed;
    std::optional<Error> not_blocks; ///< why no block was found at all
};

/// The blocks of a file whose bytes are `stored`. `obfuscated` is the same file with its XOR key,
/// or null if it has none. `stored.failure()` reports read errors.
[[nodiscard]] Finding find_blocks(const std::shared_ptr<const BlockFile>& plain,
                                  const std::shared_ptr<const BlockFile>& obfuscated,
                                  StoredBytes& stored);

/// The records of a blk*.dat: magic, u32 length, block; zeros between and after them are skipped;
/// anything else is reported and the search continues at the next record. Nothing if the file does
/// not start with a record.
[[nodiscard]] std::optional<Finding> find_records(const std::shared_ptr<const BlockFile>& file,
                                                  StoredBytes& stored);

/// The blocks of hexadecimal text: one block across all lines, or one a line. Nothing if the file
/// is no such text.
[[nodiscard]] std::optional<Finding> find_in_text(const std::shared_ptr<const BlockFile>& file,
                                                  ByteView stored);

/// Whether a file with this beginning can be hexadecimal text of a block.
[[nodiscard]] bool may_be_text(ByteView beginning);

/// All bytes of hexadecimal text, or an error at its first wrong character.
[[nodiscard]] Result<Bytes> decode_hex_text(ByteView text, const std::string& place,
                                            std::uint64_t base_offset);

} // namespace blockloom::chain
