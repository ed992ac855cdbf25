// What an indexer recorded about the blocks that it indexed: traces of their messages, the keys
// that they wrote, and the values of its keys.
#pragma once

#include "alkanes/state_keys.h"
#include "base/result.h"
#include "range/indexer_keys.h"
#include "state/value.h"
#include "store/metashrew/node_database.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace blockloom::range {

/// The trace of one message.
struct NodeTrace {
    alkanes::Outpoint outpoint; ///< the transaction, and the message's shadow vout
    std::string bytes;          ///< see read_node_trace; empty: it is listed, but not there
};

/// Const calls may be made by several threads. Errors name the place.
class NodeRecords {
public:
    virtual ~NodeRecords() = default;

    /// For records: "metashrew:/data/node".
    [[nodiscard]] virtual std::string place() const = 0;
    /// Height of the last block that was indexed completely.
    [[nodiscard]] virtual Result<std::uint64_t> tip() const = 0;
    /// Hash of the indexed block at a height, as it is hashed; nothing if none was recorded.
    [[nodiscard]] virtual Result<std::optional<Hash256>> block_hash(std::uint64_t height) const = 0;
    /// The traces of a block, in the order in which its messages were executed.
    [[nodiscard]] virtual Result<std::vector<NodeTrace>> traces(std::uint64_t height) const = 0;
    /// The keys that a block wrote, each once, sorted; nothing if the node keeps no such list.
    [[nodiscard]] virtual Result<std::optional<std::vector<std::string>>>
    written_at(std::uint64_t height) const = 0;
    /// The value of one of the indexer's keys after a block; an empty one is absence. A node that
    /// is only asked over RPC has none.
    [[nodiscard]] virtual Result<std::optional<std::string>> get(std::string_view key,
                                                                 std::uint64_t height) const = 0;

    /// The module that the indexer stores for a contract after a block, as a plain module; empty:
    /// none. It need not be the one that the indexer runs (docs/alkanes.md#code-by-height).
    [[nodiscard]] virtual Result<Bytes> stored_module(const alkanes::AlkaneId& contract,
                                                      std::uint64_t height) const = 0;

    /// The value of a key of our state after a block; or why the node cannot tell, as a plural
    /// noun.
    [[nodiscard]] virtual Result<std::variant<state::Value, const char*>>
    value(std::string_view key, std::uint64_t height) const = 0;
    /// Prepares `value` for these keys, in parallel where that saves time.
    virtual Status read_ahead(std::span<const std::string> keys, std::uint64_t height) const {
        (void)keys;
        (void)height;
        return {};
    }
};

/// The value of a key of our state among values that an indexer's database has. `read` gives those
/// of the indexer's keys.
[[nodiscard]] Result<state::Value> indexer_value(const IndexerRead& read, std::string_view key);

/// Those of an indexer's database.
[[nodiscard]] std::unique_ptr<NodeRecords>
node_records(std::shared_ptr<const store::NodeDatabase> database);

} // namespace blockloom::range
