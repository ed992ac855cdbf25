// Blockloom's own trace format: JSON lines, plain or gzip (docs/bloomtrace.md).
//
//   {"schema":"blockloom.trace/1","chain":"simulator"}
//   {"block":{"height":7,"hash":"ab…"}}
//   {"id":"tx 0","reads":["balance:alice"],"writes":["balance:alice","balance:bob"],"cost":21000}
//
// A line is one object. The first names schema and chain (both required), a line with "block"
// begins a block, any other is a task of the current block. Fields of a block: height (integer or
// null), hash, label (what a table shows; default: the height, else the hash, else "block N"),
// cost_unit (unit, gas, fuel, compute_units, measured_ns; default: unit). Fields of a task, none
// required: id (string or integer; default: "#N"), reads, writes (keys), cost (integer ≥ 0;
// default: 1), transaction (integer; given for all tasks of a block or for none), vote (true or
// false). A key is a string "kind:printable"; a missing colon or an empty kind is an error. A key
// twice in a task's reads (or writes) counts once. Blank lines are skipped. Any other field is kept
// as JSON text without white space and written back in the same order.
//
// Memory stays below 128 times the (inflated) input, gzip inflates at most 256 times
// (trace/gzip.h).
#pragma once

#include "base/progress.h"
#include "trace/block_trace.h"

#include <memory>
#include <string>
#include <vector>

namespace blockloom::trace {

/// A file's blocks, with the fields that this version does not know (kept and written back).
struct TraceFile {
    std::string header_extra; ///< JSON object of unknown header fields; empty: none
    std::vector<std::shared_ptr<const BlockTrace>> blocks;
    /// One per block: JSON object of the block line's unknown fields, {"block":{inside},beside};
    /// empty: none. If the list is shorter than `blocks`, the rest have none.
    std::vector<std::string> block_extra;
    std::vector<std::vector<std::string>>
        task_extra;    ///< one per task of each block; inner empty: none has any
    std::string chain; ///< from the header; when writing, empty means the chain of the blocks
};

/// Reads a whole file's bytes; errors name `place`, the line, what was expected and found.
[[nodiscard]] Result<TraceFile> read_bloomtrace(ByteView bytes, const std::string& place,
                                                std::stop_token stop = {});

/// The inverse: read(write(x)) = x, except for key ids (and the order of a task's accesses) if x
/// did not come from a file: ids are assigned in order of first appearance, reads before writes.
/// Keys of a trace without names are "key:ID". Fails on names that are not UTF-8 or not keys, on
/// unknown fields that are not JSON or have known names, and on blocks of several chains. `gzip`:
/// compressed.
[[nodiscard]] Result<Bytes> write_bloomtrace(const TraceFile& file, bool gzip = false);

} // namespace blockloom::trace
