// What an indexer recorded about the blocks that it indexed, as far as its JSON-RPC tells.
#pragma once

#include "node/metashrew_node.h"
#include "range/node_records.h"

#include <memory>
#include <stop_token>

namespace blockloom::range {

/// Traces, and values of keys; it lists no written keys. Once a stop is requested, reads fail.
[[nodiscard]] std::unique_ptr<NodeRecords>
rpc_records(std::shared_ptr<const node::MetashrewNode> node, std::stop_token stop);

} // namespace blockloom::range
