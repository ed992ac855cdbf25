#include "wabt/interpreter.h"

#include <cstring>
#include <wabt/binary-reader.h>
#include <wabt/error.h>
#include <wabt/interp/binary-reader-interp.h>
#include <wabt/interp/interp.h>

namespace blockloom::reference {
namespace {

namespace interp = wabt::interp;

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
    interp::Instance::Ptr instance;
    std::string error;
};

Interpreter::Interpreter(const std::uint8_t* bytes, std::size_t size)
    : state_(std::make_unique<State>()) {
    wabt::Errors errors;
    interp::ModuleDesc description;
    const wabt::ReadBinaryOptions options;
    if (wabt::Failed(
            interp::ReadBinaryInterp("module", bytes, size, options, &errors, &description))) {
        state_->error = errors.empty() ? "refused" : errors.front().message;
        return;
    }
    state_->module = interp::Module::New(state_->store, description);
    interp::Trap::Ptr trap;
    state_->instance =
        interp::Instance::Instantiate(state_->store, state_->module.ref(), {}, &trap);
    if (!state_->instance) state_->error = trap ? trap->message() : "not instantiated";
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

} // namespace blockloom::reference
