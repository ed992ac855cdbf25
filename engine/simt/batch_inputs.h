// Blobs, keys and values of a batch as the kernel of lanes reads them, on each provider.
#pragma once

#include "compute/provider.h"
#include "gpuvm/invocation.h"
#include "gpuvm/options.h"

#include <vector>

namespace blockloom::simt {

class BatchInputs {
public:
    /// `compute::misused` if a value lies outside the bytes. `inputs` may go afterwards.
    [[nodiscard]] Status take(const gpuvm::Inputs& inputs, const gpuvm::Options& options);
    /// The bytes and the table in a buffer of the provider; records their copy the first time.
    [[nodiscard]] Result<compute::BufferPtr>
    on(compute::Provider& provider, compute::CommandList& list, const gpuvm::Options& options);

    [[nodiscard]] std::uint32_t table() const noexcept { return table_; } ///< offset in bytes
    [[nodiscard]] std::uint32_t mask() const noexcept { return mask_; }   ///< of its places
    [[nodiscard]] std::uint32_t values() const noexcept { return values_; }

private:
    struct Copy {
        compute::Provider* provider = nullptr;
        compute::BufferPtr upload, buffer;
        bool current = false;
    };
    Bytes bytes_;
    std::uint32_t table_ = 0, mask_ = 0, values_ = 0;
    std::vector<Copy> copies_;
};

} // namespace blockloom::simt
