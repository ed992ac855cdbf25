// The blocks that an indexer keeps, by its JSON-RPC.
#pragma once

#include "node/block_node.h"

#include <memory>

namespace blockloom::range {

/// Of metashrew's rockshrew-mono with the Alkanes program (docs/metashrew.md#over-json-rpc).
[[nodiscard]] std::unique_ptr<node::BlockNode>
metashrew_blocks(std::shared_ptr<node::HttpClient> http);

} // namespace blockloom::range
