// Blockloom's own trace format: JSON lines, plain or gzip (spec/formats.md, ".bloomtrace").
#pragma once

#include "base/progress.h"
#include "trace/block_trace.h"

#include <memory>
#include <string>
#include <vector>

namespace blockloom::trace {

/// A file's blocks, with the fields that this version does not know (kept, and written again).
struct TraceFile {
    std::string header_extra; ///< JSON object of unknown header fields; empty: none
    std::vector<std::shared_ptr<const BlockTrace>> blocks;
    std::vector<std::string> block_extra; ///< one a block
    std::vector<std::vector<std::string>>
        task_extra; ///< one a task of each block; inner empty: none has any
};

/// Reads a whole file's bytes; errors name `place`, the line, what was expected and found.
[[nodiscard]] Result<TraceFile> read_bloomtrace(ByteView bytes, const std::string& place,
                                                std::stop_token stop = {});

/// The inverse: read(write(x)) = x. `gzip`: compressed.
[[nodiscard]] Result<Bytes> write_bloomtrace(const TraceFile& file, bool gzip = false);

} // namespace blockloom::trace
