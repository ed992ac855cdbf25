// Independent messages to a contract that mints, with what the host answers to each: the free mint
// of the recipes, built by clang, or the contract of tests/rust_contract, built by rustc.
#pragma once

#include "base/bytes.h"
#include "wasm/program.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::bench {

/// What a host call answered: bytes where it writes some, else a number.
struct HostAnswer {
    std::string bytes;
    std::uint32_t number = 0;
};

struct MintMessage {
    std::string transaction, context;
    std::vector<HostAnswer> answers; ///< in order
    /// Keys read and their values, the same key once.
    std::vector<std::pair<std::string, std::string>> values;
    std::string response;
    std::uint64_t fuel = 0, steps = 0; ///< of the contract alone
};

struct Mint {
    ByteView code; ///< the module
    std::shared_ptr<const wasm::Program> program;
    std::uint32_t execute = 0;
    bool fees_deducted = false;
    std::vector<MintMessage> messages;
};

/// Each message mints in a transaction of its own; all see the same state before. `mixed`: every
/// other one asks for the name. `code` has the opcodes of the free mint.
[[nodiscard]] Mint mint_messages(ByteView code, std::size_t count, bool mixed = false);

} // namespace blockloom::bench
