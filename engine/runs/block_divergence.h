// Where two executions of one block first differ: the message, its first differing host call, and
// the key behind it.
#pragma once

#include "alkanes/block_execution.h"

#include <optional>
#include <string>

namespace blockloom::runs {

/// A host call that only one side made, or that had different arguments or results.
struct DivergentCall {
    std::size_t index = 0; ///< among the message's host calls, in the order in which they began
    std::string a, b;      ///< "__load_storage(/minted) = 4096"; empty: this side made none
};

/// A key whose value differs. Values as bytes; empty: absent.
struct DivergentKey {
    std::string key; ///< of the state, not printed
    state::Value a, b;
    bool read = true; ///< they read different values; false: they wrote them
};

/// An instruction of a contract's code.
struct CodePlace {
    Hash256 code{};                         ///< of the stored code
    std::uint32_t function = 0, offset = 0; ///< function index; byte in the module
    std::string name;                       ///< of the function
};

struct BlockDivergence {
    std::uint64_t height = 0;
    std::uint32_t transaction = 0; ///< in the block
    std::optional<std::uint32_t>
        protostone;                    ///< of the transaction; absent: it has no message there
    std::optional<std::uint32_t> task; ///< as the block's trace numbers them
    std::string what;                  ///< "status: success and revert"
    std::optional<DivergentCall> call; ///< absent: their host calls are equal
    std::optional<DivergentKey> key;   ///< absent: they read and wrote the same values

    // Filled in by locate() (divergence_place.h).
    /// From the interpreter, given what A read: the last host call that is equal on both sides, and
    /// the first that differs. Absent: there is none, or `no_place` says why it is unknown.
    std::optional<CodePlace> last_same, first_different;
    std::string no_place;
    /// Whether the interpreter, given what each side read, does what that side did. If not, the
    /// engine of that side is wrong; if so for both sides, they read different values.
    std::optional<bool> a_as_interpreter, b_as_interpreter;
};

/// Both were executed with `ReplayOptions::record`. Nothing: they are equal.
[[nodiscard]] std::optional<BlockDivergence> first_divergence(const alkanes::BlockExecution& a,
                                                              const alkanes::BlockExecution& b);

} // namespace blockloom::runs
