// Writes the states of a replayed range as an indexer would have: the history of every key, block
// by block (docs/metashrew.md). Independent of the reader.
#pragma once

#include "execute/replay.h"
#include "state/memory_state.h"
#include "store/node_writer.h"

#include <span>
#include <vector>

namespace blockloom::test {

/// A message that left a trace.
struct IndexedMessage {
    std::string outpoint; ///< 36 bytes: txid and shadow vout
    std::vector<alkanes::CallEvent> events;
    std::optional<std::string> bytes; ///< instead of the events
    bool listed = true, kept = true;  ///< in the block's list; the trace itself
};

/// A block and the state after it.
struct IndexedBlock {
    std::uint64_t height = 0;
    Hash256 hash{}, previous{};
    Hash256 digest{}; ///< of the block
    state::MemoryState::Map after;
    std::vector<IndexedMessage> messages;
    std::string raw;                                       ///< the block's bytes
    std::vector<std::pair<std::string, std::string>> more; ///< other keys that it writes
};

/// How outputs of transactions keep their tokens.
enum class SheetForm { lists, messages };

/// Replays blocks serially from the empty state.
[[nodiscard]] Result<std::vector<IndexedBlock>>
index_blocks(std::span<const execute::ReplaySource> blocks, const execute::ReplayOptions& how);

/// Writes them, as if the first one's parent had been indexed, too.
void write_indexer(NodeWriter& writer, std::span<const IndexedBlock> blocks, SheetForm form);

} // namespace blockloom::test
