// The kernels that a provider has compiled lately.
#pragma once

#include "compute/vulkan/objects.h"

#include <deque>
#include <mutex>
#include <vector>

namespace blockloom::compute {

/// Thread-safe. A driver may take seconds to compile a kernel, and not every driver has a pipeline
/// cache that helps: the kernels used last are kept for who asks for them again. Owned by the
/// provider, not by its core, which the kernels themselves keep alive.
class CompiledKernels {
public:
    static constexpr std::size_t most = 16; ///< kept; a replay uses two or three

    [[nodiscard]] Result<KernelPtr> get(const std::shared_ptr<VulkanCore>& core,
                                        const KernelSource& source);

private:
    struct Compiled {
        std::vector<std::uint32_t> spirv;
        std::vector<SpecConstant> constants;
        KernelPtr kernel;
        [[nodiscard]] bool is_of(const KernelSource& source) const;
    };
    [[nodiscard]] KernelPtr find(const KernelSource& source);

    std::mutex guard_;             ///< not held while compiling
    std::deque<Compiled> kernels_; ///< used last: at the end
};

} // namespace blockloom::compute
