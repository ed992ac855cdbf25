#include "wasm/linked_instance.h"

#include "wasm/host_functions.h"
#include "wasm/instantiate.h"

#include <algorithm>

namespace blockloom::tests {
namespace {

/// Instantiates one module; says in `to` what came of it.
std::shared_ptr<wasm::Instance> make(const Bytes& bytes, const wasm::Imports& imports,
                                     const wasm::InstanceLimits& limits, wasm::FuelRule fuel,
                                     LinkedInstance& to) {
    const auto module = wasm::load_module(bytes, "generated");
    if (!module) {
        to.refused = module.error().message;
        return nullptr;
    }
    const auto program = wasm::lower(*module, fuel);
    if (!program) {
        to.refused = program.error().message;
        return nullptr;
    }
    auto made = wasm::instantiate(*program, imports, limits);
    if (auto* error = std::get_if<wasm::LinkError>(&made)) {
        if (error->trapped)
            to.trap = error->trap;
        else
            to.refused = error->text;
        return nullptr;
    }
    return std::get<std::shared_ptr<wasm::Instance>>(made);
}

} // namespace

wasm::Imports host_imports() {
    wasm::Imports imports;
    for (const HostSignature& signature : host_signatures()) {
        auto host = std::make_shared<wasm::HostFunction>();
        host->name = "host." + signature.name;
        host->type = signature.type;
        host->call = [&signature](wasm::HostCall& call) {
            const HostReply reply = host_reply(signature, call.arguments);
            if (reply.refused) {
                call.error = "refused";
                return wasm::HostAnswer::done;
            }
            std::copy(reply.results.begin(), reply.results.end(), call.results.begin());
            call.fee = reply.fee;
            return wasm::HostAnswer::done;
        };
        wasm::FunctionReference reference;
        reference.type = signature.type;
        reference.host = std::move(host);
        imports.insert_or_assign({"host", signature.name}, std::move(reference));
    }
    return imports;
}

LinkedInstance instantiate(const GeneratedModule& module, const wasm::InstanceLimits& limits,
                           wasm::FuelRule fuel) {
    LinkedInstance result;
    wasm::Imports imports = host_imports();
    if (module.provider) {
        result.provider = make(module.provider->bytes, imports, limits, fuel, result);
        if (!result.provider) return result;
        for (const wasm::Export& item : result.provider->program().module->exports)
            if (auto what = result.provider->exported(item.name))
                imports.insert_or_assign({"provider", item.name}, *std::move(what));
    }
    result.instance = make(module.bytes, imports, limits, fuel, result);
    return result;
}

} // namespace blockloom::tests
