#include "alkanes/profiler.h"

#include <algorithm>

namespace blockloom::alkanes {

void Profiler::add(std::uint32_t vout, const std::shared_ptr<const Contract>& contract,
                   const std::vector<wasm::FunctionProfile>& functions) {
    const auto found =
        std::find_if(contracts_.begin(), contracts_.end(), [&](const ContractProfile& known) {
            return known.vout == vout && known.contract == contract;
        });
    if (found == contracts_.end()) {
        contracts_.push_back({vout, contract, functions});
        return;
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
        wasm::FunctionProfile& sum = found->functions[i];
        sum.calls += functions[i].calls;
        sum.self_fuel += functions[i].self_fuel;
        sum.total_fuel += functions[i].total_fuel;
    }
}

} // namespace blockloom::alkanes
