// Questions to the program of an Alkanes indexer, and its answers, as bytes
// (docs/metashrew.md#over-json-rpc). Knows neither JSON nor nodes.
#pragma once

#include "alkanes/ids.h"
#include "base/bytes.h"
#include "base/u128.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::range {

/// "getstorageat": a contract's value at a key of its own.
[[nodiscard]] std::string storage_question(const alkanes::AlkaneId& contract, std::string_view key);
/// Nothing if malformed; empty: absent, or empty.
[[nodiscard]] std::optional<std::string> storage_answer(std::string_view bytes);

/// "getbytecode" and "getinventory".
[[nodiscard]] std::string contract_question(const alkanes::AlkaneId& contract);
/// Of "getinventory": tokens of the contract, as far as the indexer has listed them.
[[nodiscard]] std::optional<std::map<alkanes::AlkaneId, u128>>
inventory_answer(std::string_view bytes);

/// "protorunesbyoutpoint"; `outpoint` as an input has it, 36 bytes.
[[nodiscard]] std::string output_question(std::string_view outpoint);
struct OutputAnswer {
    bool known = false; ///< false: the indexer does not have the output, or failed
    std::string sheet;  ///< its tokens as the state keeps them; empty: none
};
[[nodiscard]] std::optional<OutputAnswer> output_answer(std::string_view bytes);

/// "traceblock", whose question is empty: the traces of a block's messages, in their order.
struct TraceAnswer {
    Hash256 txid{}; ///< as it is hashed
    std::uint32_t vout = 0;
    std::string trace; ///< see read_node_trace
};
[[nodiscard]] std::optional<std::vector<TraceAnswer>> traces_answer(std::string_view bytes);

/// "getblock".
[[nodiscard]] std::string block_question(std::uint32_t height);
/// The block's bytes; empty: it has none.
[[nodiscard]] std::optional<std::string> block_answer(std::string_view bytes);

} // namespace blockloom::range
