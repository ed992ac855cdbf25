#include "execute/contract_code.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::execute {

std::uint64_t ContractCode::calls() const noexcept {
    std::uint64_t sum = compiled + interpreted + on_processor;
    for (const auto& [why, count] : ejected) sum += count;
    return sum;
}

void add(std::vector<ContractCode>& all, std::vector<ContractCode> more) {
    for (ContractCode& each : more) {
        const auto found = std::ranges::find(all, each.module, &ContractCode::module);
        if (found == all.end()) {
            all.push_back(std::move(each));
            continue;
        }
        for (const alkanes::AlkaneId& id : each.contracts)
            if (found->contracts.size() < ContractCode::most_contracts) found->contracts.insert(id);
        for (gpuvm::CodeFacts& facts : each.code) found->code.push_back(std::move(facts));
        found->compiled += each.compiled;
        found->interpreted += each.interpreted;
        found->on_processor += each.on_processor;
        for (const auto& [code, count] : each.ejected) found->ejected[code] += count;
    }
}

std::string name_of(const ContractCode& code) {
    if (code.contracts.empty()) return to_hex(code.module).substr(0, 12);
    const std::string first = alkanes::id_text(*code.contracts.begin());
    const std::size_t others = code.contracts.size() - 1;
    return others == 0 ? first : fmt::format("{} and {} more", first, others);
}

} // namespace blockloom::execute
