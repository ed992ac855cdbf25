// Where blocks come from: files and folders in every container of docs/formats.md#containers. A
// listing is cheap (headers only); blocks are decoded one by one, from any thread.
#pragma once

#include "base/progress.h"
#include "chain/block_ref.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::chain {

/// A file that was left out because it holds no blocks.
struct SourceNote {
    std::string source, reason;
};

/// A file that blocks were found in: what provenance names.
struct BlockFileInfo {
    std::string path;
    std::uint64_t bytes = 0;
};

struct SourceListing {
    std::vector<BlockRef> blocks; ///< in order of discovery: by file, then by position in it
    std::vector<MalformedSource> malformed;
    std::vector<SourceNote> notes;
    std::vector<BlockFileInfo> files;
    std::vector<std::filesystem::path> trace_files; ///< `.bloomtrace`: not read here
};

/// Whether a file is a Blockloom trace, by its name: `.bloomtrace`, `.bloomtrace.gz`.
[[nodiscard]] bool is_trace_file(const std::filesystem::path& path);

/// Finds the blocks in files and folders. The type of a file is detected from its bytes. In a
/// folder, its files and those of `blocks/` below it (a Bitcoin Core data folder) are searched in
/// order of their names. A file in a folder that holds no blocks becomes a note; a file that was
/// given explicitly, or whose name claims that it is a block (`blk00000.dat`, `849236.bin`),
/// becomes an entry of `malformed`. `xor.dat` beside blk*.dat files is their key. Fails if a path
/// cannot be opened or a stop was requested.
[[nodiscard]] Result<SourceListing> list_blocks(std::span<const std::filesystem::path> paths,
                                                ProgressSink& progress, std::stop_token stop = {});

/// The same for bytes in memory under the name of a file; `key` (8 bytes or none) as `xor.dat`.
[[nodiscard]] SourceListing list_block_bytes(Bytes bytes, const std::string& name,
                                             ByteView key = {});

/// The stored bytes of a listed block, in newly allocated memory. Fails if the file was truncated.
/// Thread-safe.
[[nodiscard]] Result<BlockBytes> read_block(const BlockRef& ref);

/// Decodes the bytes that `read_block` returned. Fails if they are now a different block.
[[nodiscard]] Result<Block> decode_block(const BlockRef& ref, BlockBytes stored);

/// Reads and decodes a listed block.
[[nodiscard]] Result<Block> load_block(const BlockRef& ref);

} // namespace blockloom::chain
