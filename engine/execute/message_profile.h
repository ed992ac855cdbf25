// Where the fuel of one message went: re-executes the message on the interpreter with a profile.
#pragma once

#include "execute/replayed_block.h"

#include <stop_token>

namespace blockloom::execute {

/// A function of a contract.
struct ProfiledFunction {
    Hash256 code{}; ///< of the contract's stored code
    std::string name;
    std::uint64_t calls = 0;
    std::uint64_t self_fuel =
        0; ///< its own, including fees; a nested call counts as a fee of its caller
    std::uint64_t total_fuel = 0; ///< including the functions that it called
};

struct MessageProfile {
    std::uint64_t fuel = 0;                  ///< what the message used
    std::uint64_t steps = 0;                 ///< instructions, nested calls included
    std::vector<ProfiledFunction> functions; ///< those that were called; most own fuel first
};

/// Re-executes the transaction at `entry` (in BlockExecution::transactions) on the values in its
/// read log, and profiles its task at `place`. Fails if the second execution differs from the
/// first: then the log was not complete.
[[nodiscard]] Result<MessageProfile> profile_message(const ReplayedBlock& block, std::size_t entry,
                                                     std::size_t place,
                                                     const std::stop_token& stop = {});

} // namespace blockloom::execute
