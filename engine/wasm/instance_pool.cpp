#include "wasm/instance_pool.h"

#include "wasm/instantiate.h"

namespace blockloom::wasm {

InstancePool::InstancePool(std::shared_ptr<const Program> program, Imports imports,
                           InstanceLimits limits)
    : program_(std::move(program)), imports_(std::move(imports)), limits_(std::move(limits)) {}

std::variant<InstancePool::Lease, LinkError, Error> InstancePool::acquire() {
    if (!idle_.empty()) {
        std::unique_ptr<Entry> entry = std::move(idle_.back());
        idle_.pop_back();
        return Lease(*this, std::move(entry));
    }
    auto made = instantiate(program_, imports_, limits_);
    if (auto* error = std::get_if<LinkError>(&made)) return std::move(*error);
    if (auto* error = std::get_if<Error>(&made)) return std::move(*error);
    auto entry = std::make_unique<Entry>(std::get<std::shared_ptr<Instance>>(std::move(made)));
    idle_.reserve(made_ + 1); // so that returning an instance never allocates
    ++made_;
    return Lease(*this, std::move(entry));
}

void InstancePool::take_back(std::unique_ptr<Entry> entry) noexcept {
    entry->instance->reset();
    entry->interpreter.abandon();
    idle_.push_back(std::move(entry));
}

} // namespace blockloom::wasm
