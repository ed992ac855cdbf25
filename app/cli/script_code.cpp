#include "script_code.h"

#include "base/sha256.h"
#include "wasm/instance.h"
#include "wasm/module.h"

namespace blockloom::cli {

Result<wasm::RunResult> ScriptCode::run(wasm::Instance& instance, std::uint32_t function,
                                        std::span<const wasm::Cell> arguments,
                                        const wasm::RunLimits& limits) {
    const auto before = runner_.ejections();
    auto result = runner_.run(instance, function, arguments, limits);
    execute::ContractCode& code = code_of(instance, function);
    if (result && result->outcome != wasm::Outcome::paused) {
        ++(!compiles_                   ? code.interpreted
           : runner_.was_on_processor() ? code.on_processor
                                        : code.compiled);
    }
    for (std::size_t kind = 0; kind < gpuvm::ejection_kinds; ++kind)
        if (runner_.ejections()[kind] != before[kind])
            ++code.ejected[gpuvm::name_of(static_cast<gpuvm::Ejection>(kind))];
    if (auto facts = runner_.code(); !facts.empty()) code.code = {std::move(facts.back())};
    return result;
}

std::vector<execute::ContractCode> ScriptCode::all() const {
    std::vector<execute::ContractCode> all;
    for (const auto& key : order_) all.push_back(code_.at(key));
    return all;
}

execute::ContractCode& ScriptCode::code_of(const wasm::Instance& instance, std::uint32_t function) {
    const wasm::Program* const program = &instance.program();
    const auto [found, is_new] = code_.try_emplace({program, function});
    execute::ContractCode& code = found->second;
    if (!is_new) return code;
    order_.push_back(found->first);
    const auto [hash, unknown] = modules_.try_emplace(program);
    if (unknown) hash->second = Sha256().once({*program->module->bytes});
    code.module = hash->second;
    code.function = function;
    return code;
}

} // namespace blockloom::cli
