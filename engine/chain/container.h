// What a file holds, told by its bytes: a raw block, hexadecimal text, Core's records …
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
    std::optional<Error> not_blocks; ///< why there is nothing at all
};

/// The blocks of a file whose bytes are `stored`. `obfuscated` is the same file with its XOR key,
/// or null where there is none. What cannot be read of it is `stored.failure()`.
[[nodiscard]] Finding find_blocks(const std::shared_ptr<const BlockFile>& plain,
                                  const std::shared_ptr<const BlockFile>& obfuscated,
                                  StoredBytes& stored);

/// The records of a blk*.dat: magic, u32 length, block; zeros between and after them are passed
/// over, anything else is reported and the next record is looked for. Nothing if no record starts
/// the file.
[[nodiscard]] std::optional<Finding> find_records(const std::shared_ptr<const BlockFile>& file,
                                                  StoredBytes& stored);

/// The blocks of hexadecimal text: one over all lines, or one a line. Nothing if it is no such
/// text.
[[nodiscard]] std::optional<Finding> find_in_text(const std::shared_ptr<const BlockFile>& file,
                                                  ByteView stored);

/// Whether what begins like this can be hexadecimal text of a block.
[[nodiscard]] bool may_be_text(ByteView beginning);

/// All bytes of hexadecimal text, or an error at its first wrong character.
[[nodiscard]] Result<Bytes> decode_hex_text(ByteView text, const std::string& place,
                                            std::uint64_t base_offset);

} // namespace blockloom::chain
