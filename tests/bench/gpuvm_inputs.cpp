#include "gpuvm_inputs.h"

#include <algorithm>

namespace blockloom::bench {

std::vector<gpuvm::HostRule> rules_of(const Mint& mint) {
    using Kind = gpuvm::HostRule::Kind;
    std::vector<gpuvm::HostRule> rules;
    for (const wasm::Import& import : mint.program->module->imports) {
        gpuvm::HostRule rule;
        rule.deducts = mint.fees_deducted;
        const auto is = [&](const char* name) { return import.name == name; };
        if (is("__request_context"))
            rule.kind = Kind::blob_length, rule.slot = 1, rule.fee_per_byte = 1;
        if (is("__load_context"))
            rule.kind = Kind::blob_copy, rule.slot = 1, rule.fee_per_byte = 2,
            rule.answers_pointer = true;
        if (is("__request_transaction")) rule.kind = Kind::blob_length, rule.fee = 50;
        if (is("__load_transaction")) rule.kind = Kind::blob_copy, rule.fee = 500;
        if (is("__request_storage")) rule.kind = Kind::value_length, rule.fee_per_byte = 1;
        if (is("__load_storage"))
            rule.kind = Kind::value_copy, rule.fee_per_byte = 2, rule.answers_pointer = true;
        rules.push_back(rule);
    }
    return rules;
}

Prepared prepare(const Mint& mint, std::uint32_t lanes, const Order& order) {
    Prepared result;
    std::vector<std::string> seen;
    for (std::size_t m = 0; m < std::min<std::size_t>(mint.messages.size(), lanes); ++m) {
        for (const auto& [key, value] : mint.messages[m].values) {
            const bool own = key.starts_with("/tx-hashes/"); // one a transaction
            if (!own && std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
            if (!own) seen.push_back(key);
            const gpuvm::Piece at = result.add(key);
            result.values.push_back({1, at, result.add(value), static_cast<std::uint32_t>(m)});
        }
    }
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const MintMessage& message = mint.messages[order(i)];
        gpuvm::Invocation invocation;
        invocation.function = mint.execute;
        invocation.fuel = 100'000'000;
        invocation.owner = 1;
        invocation.blobs[0] = result.add(message.transaction);
        invocation.blobs[1] = result.add(message.context);
        result.invocations.push_back(invocation);
    }
    return result;
}

} // namespace blockloom::bench
