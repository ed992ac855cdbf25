// What the calls of a message did, in the order in which an indexer notes it: the flat list of its
// traces (docs/metashrew.md#checking). Not a tree: a precompiled contract leaves an exit without an
// entry, and so does a nested call that failed before its contract ran.
#pragma once

#include "alkanes/wire.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::alkanes {

/// How a nested call differs. A message's own call is a `call`.
enum class NestedKind : std::uint8_t {
    call,
    delegate, ///< the callee's code runs as its caller; nothing is transferred
    fixed     ///< a static call: its changes to the state are dropped
};

struct CallEvent {
    enum class Kind : std::uint8_t {
        enter,  ///< a contract begins to run
        exit,   ///< a call has ended
        created ///< a contract was created: `myself`
    };
    Kind kind = Kind::enter;

    // Entries.
    NestedKind call = NestedKind::call;
    AlkaneId myself, caller;
    std::vector<u128> inputs;
    std::uint32_t vout = 0; ///< the message's shadow vout
    std::uint64_t fuel = 0; ///< available to it

    // Exits.
    bool ok = false;
    std::vector<std::pair<std::string, std::string>> storage; ///< the returned map
    std::string data;                                         ///< of a failure: 08c379a0 and a text

    std::vector<Transfer> transfers; ///< entries: what came with the call; exits: what it returned

    friend bool operator==(const CallEvent&, const CallEvent&) = default;
};

} // namespace blockloom::alkanes
