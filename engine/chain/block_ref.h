// Where a block is: its file, its position in it, and what its header says.
#pragma once

#include "chain/block.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace blockloom::chain {

/// How a block is stored in its file.
enum class Container : std::uint8_t {
    raw,             ///< the block from the first byte to the last
    height_prefixed, ///< u32 LE height, then the block: an indexer's input format
    record,          ///< one of several in Bitcoin Core's blk*.dat
    hex,             ///< hexadecimal text of one of the first two, whitespace tolerated
};

/// A file that holds blocks. Opened when a block is read; made only by the listing.
class BlockFile;

/// A block that was found but not decoded. Cheap to copy.
struct BlockRef {
    std::shared_ptr<const BlockFile> file;
    std::uint64_t offset = 0, size = 0; ///< the block's bytes in the file (hex: its text)
    Container container = Container::raw;
    bool text_has_height = false; ///< hex: the decoded bytes start with the u32 height
    BlockHeader header;
    Hash256 hash{};
    /// From BIP34, else from the container, else from the digits at the end of the file's name.
    std::optional<std::uint64_t> height;

    /// The file, and the position in it if it holds several blocks.
    [[nodiscard]] std::string source() const;
};

/// Something that should be a block but is not; its error names file and offset.
struct MalformedSource {
    std::string source;
    Error error;
};

} // namespace blockloom::chain
