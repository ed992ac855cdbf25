#include "alkanes/contract.h"

#include "alkanes/envelope.h"

#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

/// Finds `__execute: () -> i32` and `memory`; an error text, or nothing.
std::string find_exports(const wasm::Module& module, std::uint32_t& execute) {
    bool memory = false, found = false;
    for (const wasm::Export& item : module.exports) {
        if (item.kind == wasm::ExternalKind::memory && item.name == "memory") memory = true;
        if (item.kind == wasm::ExternalKind::function && item.name == "__execute") {
            execute = item.index;
            found = true;
        }
    }
    if (!memory) return "module: expected an exported memory \"memory\", found none";
    if (!found) return "module: expected an exported function \"__execute\", found none";
    const wasm::FunctionType& type = module.types[module.functions[execute]];
    if (!type.parameters.empty() || type.results.size() != 1 ||
        type.results.front() != wasm::ValueType::i32)
        return fmt::format("module: expected __execute of type () -> i32, found {}",
                           wasm::to_text(type));
    if (module.start) return "module: expected no start function, found one";
    return {};
}

void load_module(Contract& contract, Bytes bytes) {
    auto module = wasm::load_module(std::move(bytes), "module");
    if (!module) {
        // What only this engine refuses is not the contract's fault.
        (module.error().code == ErrorCode::unavailable ? contract.ejection
                                                       : contract.module_error) =
            module.error().message;
        return;
    }
    contract.module_error = find_exports(**module, contract.execute);
    if (!contract.module_error.empty()) return;
    auto program = wasm::lower(*module);
    if (!program) {
        contract.ejection = program.error().message;
        return;
    }
    contract.program = *std::move(program);
    contract.module = native::module_id(*contract.program);
}

} // namespace

const char* name_of(Engine engine) noexcept {
    return engine == Engine::interpreter ? "interpreter"
           : engine == Engine::native    ? "native"
                                         : "vulkan";
}

Result<std::shared_ptr<const Contract>> load_contract(const Hash256& hash, CodeForm form,
                                                      ByteView stored) {
    auto contract = std::make_shared<Contract>();
    contract->hash = hash;
    contract->form = form;
    if (form == CodeForm::plain) {
        load_module(*contract, Bytes(stored.begin(), stored.end()));
        return std::shared_ptr<const Contract>(std::move(contract));
    }
    auto code = inflate_code(stored, "code");
    if (code)
        load_module(*contract, *std::move(code));
    else if (code.error().code == ErrorCode::bad_input)
        contract->stored_error = code.error().message;
    else
        return code.error();
    return std::shared_ptr<const Contract>(std::move(contract));
}

const std::shared_ptr<const Contract>& empty_contract() {
    static const std::shared_ptr<const Contract> contract = [] {
        auto made = std::make_shared<Contract>();
        made->module_error = "module: expected code, found none: the target names nothing that "
                             "exists";
        return made;
    }();
    return contract;
}

std::shared_ptr<const Contract> Contracts::find(const Hash256& hash, CodeForm form) const {
    const std::lock_guard lock(mutex_);
    const Map& kept = form == CodeForm::gzip ? gzipped_ : plain_;
    const auto found = kept.find(hash);
    return found == kept.end() ? nullptr : found->second;
}

std::shared_ptr<const Contract> Contracts::keep(std::shared_ptr<const Contract> contract) {
    const std::lock_guard lock(mutex_);
    Map& kept = contract->form == CodeForm::gzip ? gzipped_ : plain_;
    if (kept.size() >= most_kept)
        std::erase_if(kept, [](const auto& entry) { return entry.second.use_count() == 1; });
    return kept.emplace(contract->hash, contract).first->second;
}

} // namespace blockloom::alkanes
