#include "execute/device/device_rules.h"

namespace blockloom::execute {
namespace {

using gpuvm::HostRule;
using RuleKind = HostRule::Kind;
namespace fee = alkanes::fee;

HostRule blob(RuleKind kind, Blob which, std::uint64_t price, std::uint64_t byte_price) {
    HostRule rule;
    rule.kind = kind;
    rule.slot = static_cast<std::uint32_t>(which);
    rule.fee = price;
    rule.fee_per_byte = static_cast<std::uint32_t>(byte_price);
    return rule;
}

/// As engine/alkanes/host_functions.cpp has them.
HostRule rule_of(const std::string& name) {
    HostRule rule;
    if (name == "__request_context")
        return blob(RuleKind::blob_length, Blob::context, 0, fee::requested_byte);
    if (name == "__load_context") {
        rule = blob(RuleKind::blob_copy, Blob::context, 0, fee::loaded_byte);
        rule.answers_pointer = true;
    } else if (name == "__request_transaction") {
        return blob(RuleKind::blob_length, Blob::transaction, fee::request_transaction, 0);
    } else if (name == "__load_transaction") {
        return blob(RuleKind::blob_copy, Blob::transaction, fee::load_transaction, 0);
    } else if (name == "__request_block") {
        return blob(RuleKind::blob_length, Blob::block, fee::request_block, 0);
    } else if (name == "__load_block") {
        return blob(RuleKind::blob_copy, Blob::block, fee::load_block, 0);
    } else if (name == "__balance") {
        rule.kind = RuleKind::pair_copy;
        rule.fee = fee::balance;
    } else if (name == "__sequence") {
        rule.kind = RuleKind::single_copy;
        rule.fee = fee::sequence;
    } else if (name == "__height") {
        return blob(RuleKind::blob_copy, Blob::height, fee::height, 0);
    } else if (name == "__request_storage") {
        rule.kind = RuleKind::value_length;
        rule.fee_per_byte = static_cast<std::uint32_t>(fee::requested_byte);
    } else if (name == "__load_storage") {
        rule.kind = RuleKind::value_copy;
        rule.fee_per_byte = static_cast<std::uint32_t>(fee::loaded_byte);
        rule.answers_pointer = true;
    } else if (name == "__returndatacopy") {
        rule.kind = RuleKind::given_copy;
        rule.fee_per_byte = static_cast<std::uint32_t>(fee::loaded_byte);
    } else if (name == "__staticcall") {
        rule.kind = RuleKind::known_call; // of a precompiled contract, which charges nothing
    } else if (name == "__fuel") {
        rule.kind = RuleKind::fuel;
        rule.fee = fee::fuel;
    } else if (name == "__log") {
        rule.kind = RuleKind::text;
    }
    return rule;
}

} // namespace

std::vector<HostRule> device_rules(const wasm::Module& module, const alkanes::Rules& rules,
                                   bool record) {
    std::vector<HostRule> found;
    for (const wasm::Import& import : module.imports) {
        if (import.kind != wasm::ExternalKind::function) continue;
        HostRule rule;
        if (!record && import.module == "env") rule = rule_of(import.name);
        rule.deducts = rules.host_fees_deducted;
        found.push_back(rule);
    }
    return found;
}

} // namespace blockloom::execute
