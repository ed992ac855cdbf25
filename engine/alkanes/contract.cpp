#include "alkanes/contract.h"

#include "alkanes/envelope.h"
#include "alkanes/own_imports.h"

#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

/// The content of a gzip of at most so many bytes is looked at to its end, which for a block's
/// worth takes seconds. An indexer of 32-bit addresses cannot hold as much.
constexpr std::uint64_t most_looked_through = std::uint64_t{1} << 30U;

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

/// What a contract may import that is no part of the protocol, if it does (own_imports.h).
std::string find_own_import(const wasm::Module& module) {
    for (const wasm::Import& item : module.imports)
        if (item.module == "env" && is_own_import(item.name))
            return fmt::format("import \"env\" \"{}\": unknown import", item.name);
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
    contract.own_import = find_own_import(**module);
    auto program = wasm::lower(*module, contract.fuel);
    if (!program) {
        contract.ejection = program.error().message;
        return;
    }
    contract.program = *std::move(program);
    contract.module = native::module_id(*contract.program);
}

/// Code that is no gzip, or one of too much. Releases have no limit: what cannot be a module fails
/// like any other that is none, and a module of that size is for another implementation.
Status load_oversized(Contract& contract, ByteView stored, const std::string& why) {
    const auto content = look_through(stored, "code", most_looked_through);
    if (!content && content.error().code != ErrorCode::bad_input) return content.error();
    if (!content) {
        contract.stored_error = content.error().message;
        return {};
    }
    contract.oversize = why;
    if (content->whole && !is_module(content->head))
        contract.module_error = fmt::format("module: expected \\0asm, found {} bytes that begin {}",
                                            content->size, to_hex(content->head));
    else
        contract.ejection =
            fmt::format("code: expected at most {} bytes, found {}{}", most_inflated, content->size,
                        content->whole ? "" : " and more");
    return {};
}

} // namespace

const char* name_of(Engine engine) noexcept {
    return engine == Engine::interpreter ? "interpreter"
           : engine == Engine::native    ? "native"
           : engine == Engine::simt      ? "simt"
           : engine == Engine::cuda      ? "cuda"
                                         : "vulkan";
}

Result<std::shared_ptr<const Contract>> load_contract(const Hash256& hash, CodeForm form,
                                                      ByteView stored, wasm::FuelRule fuel) {
    auto contract = std::make_shared<Contract>();
    contract->hash = hash;
    contract->form = form;
    contract->fuel = fuel;
    if (form == CodeForm::plain) {
        load_module(*contract, Bytes(stored.begin(), stored.end()));
        return std::shared_ptr<const Contract>(std::move(contract));
    }
    auto code = inflate_code(stored, "code");
    if (code)
        load_module(*contract, *std::move(code));
    else if (code.error().code != ErrorCode::bad_input)
        return code.error();
    else if (const Status looked = load_oversized(*contract, stored, code.error().message); !looked)
        return looked.error();
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

std::shared_ptr<const Contract> Contracts::find(const Hash256& hash, CodeForm form,
                                                wasm::FuelRule fuel) const {
    const std::lock_guard lock(mutex_);
    const Map& kept = maps_[map_of(form, fuel)];
    const auto found = kept.find(hash);
    return found == kept.end() ? nullptr : found->second;
}

std::shared_ptr<const Contract> Contracts::keep(std::shared_ptr<const Contract> contract) {
    const std::lock_guard lock(mutex_);
    Map& kept = maps_[map_of(contract->form, contract->fuel)];
    if (kept.size() >= most_kept)
        std::erase_if(kept, [](const auto& entry) { return entry.second.use_count() == 1; });
    return kept.emplace(contract->hash, contract).first->second;
}

} // namespace blockloom::alkanes
