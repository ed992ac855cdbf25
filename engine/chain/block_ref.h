// Where a block lies: its file, its place in it, and what its header says.
#pragma once

#include "chain/block.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace blockloom::chain {

/// How a block lies in its file.
enum class Container : std::uint8_t {
    raw,             ///< the block from the first byte to the last
    height_prefixed, ///< u32 LE height, then the block: an indexer's input form
    record,          ///< one of several in Bitcoin Core's blk*.dat
    hex,             ///< hexadecimal text of one of the first two, whitespace tolerated
};

/// A file that holds blocks. Opened when a block is asked for; made by the listing only.
class BlockFile;

/// A block that was found but not decoded. Cheap to copy.
struct BlockRef {
    std::shared_ptr<const BlockFile> file;
    std::uint64_t offset = 0, size = 0; ///< the block's bytes in the file (hex: its text)
    Container container = Container::raw;
    bool text_has_height = false; ///< hex: the decoded bytes start with the u32 height
    BlockHeader header;
    Hash256 hash{};
    /// BIP34, else as the container gives it, else the file's name (digits at its end).
    std::optional<std::uint64_t> height;

    /// The file, and where in it if it holds several.
    [[nodiscard]] std::string source() const;
};

/// Something that should be a block and is not: its error names file and offset.
struct MalformedSource {
    std::string source;
    Error error;
};

} // namespace blockloom::chain
