// What a device ran of each contract in a replay, and what was compiled of it for the device.
#pragma once

#include "alkanes/ids.h"
#include "base/bytes.h"
#include "gpuvm/machine.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace blockloom::execute {

/// One module, and the calls of it that were given to a device.
struct ContractCode {
    Hash256 module{};                      ///< alkanes::Contract::hash
    std::uint32_t function = 0;            ///< of the module, which the calls enter
    std::set<alkanes::AlkaneId> contracts; ///< that have this code, as far as they were called; at
                                           ///< most `most_contracts` of them
    static constexpr std::size_t most_contracts = 256;

    /// What there is as code for the device; of several devices, all that was compiled. `program`
    /// is not used.
    std::vector<gpuvm::CodeFacts> code; ///< one per device that compiles; empty: it interprets

    // Calls by how they ended: in all they are the calls that were given to the device.
    std::uint64_t compiled = 0;     ///< in compiled lanes
    std::uint64_t interpreted = 0;  ///< in the interpreter's kernel
    std::uint64_t on_processor = 0; ///< as lanes on the processor, which show what to compile
    std::map<std::string, std::uint64_t> ejected; ///< by code

    [[nodiscard]] std::uint64_t calls() const noexcept;
};

/// Adds what another device ran.
void add(std::vector<ContractCode>& all, std::vector<ContractCode> more);

/// "2:0", "2:0 and 3 more"; the module's first digits if no contract is known.
[[nodiscard]] std::string name_of(const ContractCode& code);

} // namespace blockloom::execute
