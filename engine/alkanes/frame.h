// One running contract: who it is, what it was given, and what the host remembers for it.
#pragma once

#include "alkanes/wire.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::alkanes {

class MessageRun;

/// What a call gives its callee. Must outlive the frame.
struct Calldata {
    std::vector<u128> inputs;
    Parcel incoming;
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

    std::string context;    ///< made when it is first asked for
    std::string returndata; ///< of the last nested call
    std::string key;        ///< room for state keys

    bool had_failure = false;  ///< `abort`, or a host function that failed: it reverts in the end
    bool fuel_missing = false; ///< a host fee was not there
    std::string failure;       ///< the first one in words
};

} // namespace blockloom::alkanes
