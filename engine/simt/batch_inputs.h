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
    /// Where the bytes and the table are on a provider, and room for what a launch has beside them.
    struct Place {
        compute::BufferPtr buffer;
        Byte* beside = nullptr; ///< to be written before the list is submitted; null: there is none
        std::uint64_t beside_at = 0; ///< offset in the buffer
    };
    /// The first time records one copy of them and of `beside` bytes: each copy costs a submission
    /// several microseconds.
    [[nodiscard]] Result<Place> on(compute::Provider& provider, compute::CommandList& list,
                                   const gpuvm::Options& options, std::size_t beside);

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
