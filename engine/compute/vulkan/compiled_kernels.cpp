#include "compute/vulkan/compiled_kernels.h"

#include <algorithm>
#include <utility>

namespace blockloom::compute {

bool CompiledKernels::Compiled::is_of(const KernelSource& source) const {
    return kernel->name() == source.name && kernel->buffers() == source.buffers &&
           kernel->push_bytes() == source.push_bytes && constants == source.constants &&
           std::ranges::equal(spirv, source.spirv);
}

KernelPtr CompiledKernels::find(const KernelSource& source) {
    const std::lock_guard lock(guard_);
    const auto at = std::ranges::find_if(
        kernels_, [&](const Compiled& compiled) { return compiled.is_of(source); });
    if (at == kernels_.end()) return nullptr;
    std::rotate(at, at + 1, kernels_.end());
    return kernels_.back().kernel;
}

Result<KernelPtr> CompiledKernels::get(const std::shared_ptr<VulkanCore>& core,
                                       const KernelSource& source) {
    if (KernelPtr kernel = find(source)) return kernel;
    auto made = VulkanKernel::create(core, source);
    if (!made) return made;
    const std::lock_guard lock(guard_);
    kernels_.push_back({{source.spirv.begin(), source.spirv.end()}, source.constants, *made});
    if (kernels_.size() > most) kernels_.pop_front();
    return made;
}

} // namespace blockloom::compute
