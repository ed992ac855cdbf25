// Fuel by function of the contracts that messages run (interpreter only).
#pragma once

#include "alkanes/contract.h"
#include "wasm/run.h"

#include <memory>
#include <vector>

namespace blockloom::alkanes {

/// Fuel of a contract's functions in one message, over all its calls there.
struct ContractProfile {
    std::uint32_t vout = 0; ///< shadow vout of the message
    std::shared_ptr<const Contract> contract;
    /// One per function of the module. Fuel of a nested call counts as a fee of the calling
    /// function.
    std::vector<wasm::FunctionProfile> functions;
};

/// Sums up the runs that a runtime reports. For one thread.
class Profiler {
public:
    void add(std::uint32_t vout, const std::shared_ptr<const Contract>& contract,
             const std::vector<wasm::FunctionProfile>& functions);

    /// In the order in which the contracts first finished.
    [[nodiscard]] const std::vector<ContractProfile>& contracts() const noexcept {
        return contracts_;
    }

private:
    std::vector<ContractProfile> contracts_;
};

} // namespace blockloom::alkanes
