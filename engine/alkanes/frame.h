// One running contract: its identity, its input, and what the host keeps for it.
#pragma once

#include "alkanes/wire.h"

#include <cstdint>
#include <span>
#include <string>

namespace blockloom::alkanes {

class MessageRun;

/// The input of a call. It, and what it refers to, must outlive the frame.
struct Calldata {
    std::span<const u128> inputs;
    std::span<const Transfer> incoming;
};

struct Frame {
    Frame(MessageRun& message, const AlkaneId& who, const AlkaneId& by, const Calldata& data,
          std::uint32_t depth)
        : run(message), myself(who), caller(by), calldata(data), level(depth) {}

    MessageRun& run;
    AlkaneId myself; ///< whose storage and balances
    AlkaneId caller; ///< [0, 0]: the message itself
    const Calldata& calldata;
    std::uint32_t level = 0; ///< 0: the message's own call

    std::string context;    ///< built on first use
    std::string returndata; ///< of the last nested call

    bool had_failure = false;  ///< `abort` or a failed host function: the call reverts at its end
    bool fuel_missing = false; ///< not enough fuel for a host fee
    std::string failure;       ///< the first one, as text
};

} // namespace blockloom::alkanes
