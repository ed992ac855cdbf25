#include "execute/message_profile.h"

#include "alkanes/host_functions.h"
#include "alkanes/profiler.h"
#include "alkanes/transaction_run.h"
#include "execute/seen_state.h"
#include "wasm/function_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace blockloom::execute {
namespace {

void append(const alkanes::ContractProfile& profile, std::vector<ProfiledFunction>& to) {
    const alkanes::Contract& contract = *profile.contract;
    for (std::uint32_t i = 0; i < profile.functions.size(); ++i) {
        const wasm::FunctionProfile& of = profile.functions[i];
        if (of.calls != 0)
            to.push_back({contract.hash, function_name(*contract.program->module, i), of.calls,
                          of.self_fuel, of.total_fuel});
    }
}

bool same(const alkanes::MessageRecord& a, const alkanes::MessageRecord& b) {
    return a.status == b.status && a.fuel_used == b.fuel_used && a.steps == b.steps &&
           a.data == b.data && a.storage == b.storage && a.transfers == b.transfers;
}

} // namespace

Result<MessageProfile> profile_message(const ReplayedBlock& block, std::size_t entry,
                                       std::size_t place, const std::stop_token& stop) {
    const alkanes::TransactionResult& first = block.execution->transactions[entry];
    const state::MemoryState before = seen_state(first.log);
    alkanes::Profiler profiler;
    alkanes::Runtime runtime(alkanes::host_imports, block.contracts, alkanes::Engine::interpreter);
    runtime.profiler = &profiler;
    alkanes::TransactionOptions options;
    options.stop = stop;
    const auto again =
        alkanes::execute_transaction(runtime, *block.context, first.transaction, before,
                                     block.execution->budgets[entry], options);
    if (!again) return again.error();
    const alkanes::MessageRecord& record = first.records[place];
    if (again->records.size() != first.records.size() || !same(record, again->records[place]))
        return Error{ErrorCode::bad_input,
                     fmt::format("block {}, transaction {}, protostone {}: it behaved differently "
                                 "when re-executed, so it has no profile",
                                 block.height(), record.transaction, record.protostone)};
    MessageProfile profile;
    profile.fuel = record.fuel_used;
    profile.steps = record.steps;
    for (const alkanes::ContractProfile& contract : profiler.contracts())
        if (contract.vout == record.shadow_vout) append(contract, profile.functions);
    std::sort(profile.functions.begin(), profile.functions.end(), [](const auto& a, const auto& b) {
        return std::tuple(b.self_fuel, a.name) < std::tuple(a.self_fuel, b.name);
    });
    return profile;
}

} // namespace blockloom::execute
