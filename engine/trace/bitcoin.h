// Access sets of a Bitcoin block: outpoints created and spent
// (docs/definitions.md#access-sets).
#pragma once

#include "chain/block.h"
#include "trace/block_trace.h"

#include <memory>

namespace blockloom::trace {

/// Each output is a write of (txid, vout); each input is a read and a write of the outpoint it
/// spends; the coinbase's null input is no access. Keys print as "utxo:TXID:VOUT", tasks as their
/// txid.
[[nodiscard]] Result<std::shared_ptr<const BlockTrace>>
trace_block(std::shared_ptr<const chain::Block> block);

} // namespace blockloom::trace
