// The built-in range: generated blocks, from memory.
#pragma once

#include "chain/block_source.h"

#include <stop_token>

namespace blockloom::range {

/// The blocks of the demo recipe; the same in every call. Fails only when cancelled.
[[nodiscard]] Result<std::vector<chain::BlockRef>> demo_blocks(const std::stop_token& stop);

} // namespace blockloom::range
