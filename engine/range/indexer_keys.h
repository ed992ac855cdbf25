// The names that an Alkanes indexer has for values of the state, and how it encodes them
// (docs/metashrew.md#keys). Knows neither databases nor heights.
#pragma once

#include "alkanes/ids.h"
#include "alkanes/state_keys.h"
#include "base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::range {

/// The value of an indexer's key after the block in question; nothing: it has none.
using IndexerRead = std::function<Result<std::optional<std::string>>(std::string_view key)>;

/// Code of a contract: "/alkanes/" ID.
[[nodiscard]] std::string indexer_code_key(const alkanes::AlkaneId& contract);
/// The indexer's key of a storage, balance, sequence or code key of our state; nothing for sheets
/// and stored code, which the indexer does not keep under one key.
[[nodiscard]] std::optional<std::string> indexer_key(std::string_view key);
/// "/runes/proto/1/byoutpoint/" OUTPOINT, of our sheet key.
[[nodiscard]] std::string indexer_sheet_key(std::string_view sheet_key);

/// {1 block, 2 tx}, as messages of an indexer have ids; nothing if malformed.
[[nodiscard]] std::optional<alkanes::AlkaneId> id_from_protobuf(std::string_view message);
/// "/blockdata/" HEIGHT: the block's bytes.
[[nodiscard]] std::string indexer_block_key(std::uint64_t height);
/// "/trace/" HEIGHT: the list of a block's traces, 36 bytes each.
[[nodiscard]] std::string indexer_traces_key(std::uint64_t height);
/// "/trace/" OUTPOINT, of 36 bytes.
[[nodiscard]] std::string indexer_trace_key(std::string_view outpoint);

/// What one of the indexer's keys holds.
struct IndexerKey {
    /// The key of our state whose value it holds, or a part of it; empty: none.
    std::string state_key;
    /// What it holds if it is no value of our state: "inventories", "traces", …
    std::string_view other;
};
[[nodiscard]] IndexerKey read_indexer_key(std::string_view key);

/// The tokens of an output as our state keeps them; empty: none. Reads both encodings: a message
/// of the development branch, and the lists of the released versions. Fails if what it finds is
/// incomplete or malformed.
[[nodiscard]] Result<std::string> read_indexer_sheet(const IndexerRead& read,
                                                     std::string_view sheet_key);

} // namespace blockloom::range
