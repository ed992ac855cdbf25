#include "wabt/interpreter.h"

#include <cstring>
#include <map>
#include <utility>
#include <wabt/binary-reader.h>
#include <wabt/error.h>
#include <wabt/interp/binary-reader-interp.h>
#include <wabt/interp/interp.h>

namespace blockloom::reference {
namespace {

namespace interp = wabt::interp;
using wabt::dyn_cast;

std::uint64_t cell_of(const interp::Value& value, wabt::Type type) {
    if (type == wabt::Type::I32) return value.Get<interp::u32>();
    if (type == wabt::Type::I64) return value.Get<interp::u64>();
    std::uint64_t cell = 0;
    if (type == wabt::Type::F32) {
        const float real = value.Get<interp::f32>();
        std::memcpy(&cell, &real, sizeof real);
    } else if (type == wabt::Type::F64) {
        const double real = value.Get<interp::f64>();
        std::memcpy(&cell, &real, sizeof real);
    }
    return cell;
}

interp::Value value_of(std::uint64_t cell, wabt::Type type) {
    if (type == wabt::Type::I32) return interp::Value::Make(static_cast<interp::u32>(cell));
    if (type == wabt::Type::I64) return interp::Value::Make(static_cast<interp::u64>(cell));
    if (type == wabt::Type::F32) {
        float real;
        std::memcpy(&real, &cell, sizeof real);
        return interp::Value::Make(real);
    }
    double real;
    std::memcpy(&real, &cell, sizeof real);
    return interp::Value::Make(real);
}

} // namespace

struct Interpreter::State {
    interp::Store store;
    interp::Module::Ptr module;
    interp::Instance::Ptr instance; ///< the latest
    std::vector<interp::Instance::Ptr> all;
    std::map<std::pair<std::string, std::string>, interp::Ref> exports;
    std::string error;
};

Interpreter::Interpreter(const std::uint8_t* bytes, std::size_t size)
    : Interpreter({{"", bytes, size}}, {}) {}

Interpreter::Interpreter(const std::vector<NamedModule>& modules, const HostFunction& host)
    : state_(std::make_unique<State>()) {
    for (const NamedModule& module : modules)
        if (state_->error.empty()) add(module, host);
}

void Interpreter::add(const NamedModule& module, const HostFunction& host) {
    wabt::Errors errors;
    interp::ModuleDesc description;
    const wabt::ReadBinaryOptions options;
    if (wabt::Failed(interp::ReadBinaryInterp("module", module.bytes, module.size, options, &errors,
                                              &description))) {
        state_->error = errors.empty() ? "refused" : errors.front().message;
        return;
    }
    interp::RefVec imports;
    for (const interp::ImportDesc& import : description.imports) {
        const auto found = state_->exports.find({import.type.module, import.type.name});
        if (found != state_->exports.end()) {
            imports.push_back(found->second);
            continue;
        }
        const auto* type = dyn_cast<interp::FuncType>(import.type.type.get());
        if (import.type.module != "host" || type == nullptr) {
            state_->error = "unknown import " + import.type.module + " " + import.type.name;
            return;
        }
        const interp::FuncType signature = *type;
        const auto callback = [host, signature, name = import.type.name](
                                  interp::Thread& thread, const interp::Values& parameters,
                                  interp::Values& results, interp::Trap::Ptr* trap) {
            std::vector<std::uint64_t> given, made(signature.results.size());
            for (std::size_t i = 0; i < signature.params.size(); ++i)
                given.push_back(cell_of(parameters[i], signature.params[i]));
            if (!host(name, given, made)) {
                *trap = interp::Trap::New(thread.store(), "host error");
                return wabt::Result::Error;
            }
            for (std::size_t i = 0; i < made.size(); ++i)
                results[i] = value_of(made[i], signature.results[i]);
            return wabt::Result::Ok;
        };
        imports.push_back(interp::HostFunc::New(state_->store, signature, callback).ref());
    }
    state_->module = interp::Module::New(state_->store, description);
    interp::Trap::Ptr trap;
    state_->instance =
        interp::Instance::Instantiate(state_->store, state_->module.ref(), imports, &trap);
    if (!state_->instance) {
        state_->error = trap ? trap->message() : "not instantiated";
        return;
    }
    state_->all.push_back(state_->instance);
    const auto& exported = state_->module->desc().exports;
    for (std::size_t i = 0; i < exported.size(); ++i)
        state_->exports.insert_or_assign({module.name, exported[i].type.name},
                                         state_->instance->exports()[i]);
}

Interpreter::~Interpreter() = default;

const std::string& Interpreter::error() const {
    return state_->error;
}

Outcome Interpreter::call(const std::string& name, const std::vector<std::uint64_t>& arguments) {
    Outcome outcome;
    const auto& exports = state_->module->desc().exports;
    for (std::size_t i = 0; i < exports.size(); ++i) {
        if (exports[i].type.name != name) continue;
        const auto function = state_->store.UnsafeGet<interp::Func>(state_->instance->exports()[i]);
        const interp::FuncType type = function->type();
        interp::Values parameters, results;
        for (std::size_t k = 0; k < type.params.size(); ++k)
            parameters.push_back(value_of(arguments[k], type.params[k]));
        interp::Trap::Ptr trap;
        if (wabt::Failed(function->Call(state_->store, parameters, results, &trap))) {
            outcome.trap = trap ? trap->message() : "trap";
            return outcome;
        }
        for (std::size_t k = 0; k < type.results.size(); ++k)
            outcome.results.push_back(cell_of(results[k], type.results[k]));
        return outcome;
    }
    outcome.trap = "no such export";
    return outcome;
}

const std::uint8_t* Interpreter::memory() const {
    if (state_->instance->memories().empty()) return nullptr;
    return state_->store.UnsafeGet<interp::Memory>(state_->instance->memories()[0])->UnsafeData();
}

std::size_t Interpreter::memory_size() const {
    if (state_->instance->memories().empty()) return 0;
    return state_->store.UnsafeGet<interp::Memory>(state_->instance->memories()[0])->ByteSize();
}

std::uint64_t Interpreter::global(std::size_t index) const {
    const auto found = state_->store.UnsafeGet<interp::Global>(state_->instance->globals()[index]);
    return cell_of(found->Get(), found->type().type);
}

bool is_valid(const std::uint8_t* bytes, std::size_t size) {
    wabt::Features features;
    features.disable_simd();
    const wabt::ReadBinaryOptions options(features, nullptr, false, true, false);
    wabt::Errors errors;
    interp::ModuleDesc description;
    return wabt::Succeeded(
        interp::ReadBinaryInterp("module", bytes, size, options, &errors, &description));
}

} // namespace blockloom::reference
