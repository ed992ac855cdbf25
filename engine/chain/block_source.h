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
    std::vector<BlockRef> blocks; ///< in order of arrival: by file, then by place in it
    std::vector<MalformedSource> malformed;
    std::vector<SourceNote> notes;
    std::vector<BlockFileInfo> files;
    std::vector<std::filesystem::path> trace_files; ///< `.bloomtrace`: not read here
};

/// Whether a file is Blockloom's own trace, by name: `.bloomtrace`, `.bloomtrace.gz`.
[[nodiscard]] bool is_trace_file(const std::filesystem::path& path);

/// Finds the blocks of files and folders. What a file holds is told by its bytes. A folder's own
/// files are looked at by name in order, and those of `blocks/` below it (a Bitcoin Core data
/// folder); files in it that hold no blocks become notes, while a file that is named itself, or by
/// its name claims to be a block (`blk00000.dat`, `849236.bin`), becomes an entry of `malformed`.
/// `xor.dat` beside blk*.dat files is their key. Fails where a path cannot be opened or `stop` was
/// asked.
[[nodiscard]] Result<SourceListing> list_blocks(std::span<const std::filesystem::path> paths,
                                                ProgressSink& progress, std::stop_token stop = {});

/// The same for bytes in memory under the name of a file; `key` (8 bytes or none) as `xor.dat`.
[[nodiscard]] SourceListing list_block_bytes(Bytes bytes, const std::string& name,
                                             ByteView key = {});

/// The stored bytes of a listed block, in memory of their own. A file that has become shorter is an
/// error. Thread-safe.
[[nodiscard]] Result<BlockBytes> read_block(const BlockRef& ref);

/// Decodes what `read_block` read of it. Another block there is an error.
[[nodiscard]] Result<Block> decode_block(const BlockRef& ref, BlockBytes stored);

/// Reads and decodes a listed block.
[[nodiscard]] Result<Block> load_block(const BlockRef& ref);

} // namespace blockloom::chain
