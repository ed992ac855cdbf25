// Where two executions of one block part: the first message that differs, its first host call that
// does, the key behind it, and, on the interpreter, the instruction.
#pragma once

#include "execute/replayer.h"

#include <optional>
#include <stop_token>
#include <string>

namespace blockloom::execute {

/// A host call that the two sides did not make alike, or to which they were not answered alike.
struct PartedCall {
    std::size_t index = 0; ///< among the message's host calls, in the order in which they began
    std::string a, b;      ///< "__load_storage(/minted) = 4096"; empty: this side made none
};

/// A key whose value differs. Values as bytes; empty: absent.
struct PartedKey {
    std::string key; ///< of the state, not printed
    state::Value a, b;
    bool read = true; ///< they read different values; else they wrote them
};

/// An instruction of a contract's code.
struct CodePlace {
    Hash256 code{};                         ///< of the stored code
    std::uint32_t function = 0, offset = 0; ///< function index; byte in the module
    std::string name;                       ///< of the function
};

struct Parting {
    std::uint64_t height = 0;
    std::uint32_t transaction = 0; ///< in the block
    std::optional<std::uint32_t>
        protostone;                    ///< of the transaction; absent: it has no message there
    std::optional<std::uint32_t> task; ///< as the block's trace numbers them
    std::string what;                  ///< "status: success and revert"
    std::optional<PartedCall> call;    ///< absent: their host calls are alike
    std::optional<PartedKey> key;      ///< absent: they read and wrote the same values

    /// Of the interpreter, given what A read: the last host call that both made alike, and the
    /// first that parts. Absent: there is none, or `no_place` says why it is not known.
    std::optional<CodePlace> last_alike, first_apart;
    std::string no_place;
    /// The interpreter, given what each side read, does what that side did. A side of which this is
    /// not so was run by an engine that is wrong; where both are, they read different values.
    std::optional<bool> a_as_interpreter, b_as_interpreter;
};

/// Both executed with `ReplayOptions::record`. Nothing: they are alike.
[[nodiscard]] std::optional<Parting> find_parting(const alkanes::BlockExecution& a,
                                                  const alkanes::BlockExecution& b);

/// Runs the message of a parting again on the interpreter, on what each side's log says it read,
/// and fills in where in the code it is. What is not found is said in `no_place`. Fails where the
/// work is cancelled.
Status locate(Parting& parting, const ReplayedBlock& a, const ReplayedBlock& b,
              const std::stop_token& stop);

} // namespace blockloom::execute
