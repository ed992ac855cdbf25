// Buffers and kernels of a CUDA provider.
#pragma once

#include "base/bytes.h"
#include "compute/cuda/core.h"

namespace blockloom::compute::cuda {

class CudaBuffer final : public Buffer {
public:
    CudaBuffer(std::shared_ptr<Core> core, const Core::Block& block, std::uint64_t bytes,
               BufferUse use)
        : Buffer(core.get(), bytes, use), core_(std::move(core)), block_(block) {
        address_ = block.address;
        if (block.host != nullptr) mapped_ = {static_cast<std::byte*>(block.host), bytes};
    }
    ~CudaBuffer() override { core_->give_block(block_); }

private:
    std::shared_ptr<Core> core_;
    Core::Block block_;
};

class CudaKernel final : public Kernel {
public:
    /// Compiles the source, or loads what an earlier start compiled.
    [[nodiscard]] static Result<KernelPtr> make(const std::shared_ptr<Core>& core,
                                                const KernelSource& source);
    ~CudaKernel() override;

    [[nodiscard]] Function function() const noexcept { return function_; }
    [[nodiscard]] std::uint32_t threads() const noexcept { return threads_; }
    /// The device has the memory that its threads need: the driver does not wait for it again.
    [[nodiscard]] bool was_launched() const noexcept { return was_launched_; }
    void launched() const noexcept { was_launched_ = true; }
    /// owner() alone does not say so: another core may be where one was that is gone.
    [[nodiscard]] bool is_of(const std::shared_ptr<Core>& core) const noexcept {
        return !core_.owner_before(core) && !core.owner_before(core_);
    }

private:
    CudaKernel(const std::shared_ptr<Core>& core, const KernelSource& source)
        : Kernel(core.get(), source), core_(core), threads_(source.ptx->threads) {}
    /// Loads machine code when the device is idle; the driver's error.
    [[nodiscard]] Result<Code> load(Core& core, const Bytes& image, const std::string& entry);

    /// Kernels are kept for a next use of the device (simt/program_code.h): they must not keep it
    /// open. Its context takes them along.
    std::weak_ptr<Core> core_;
    Module module_ = nullptr;
    Function function_ = nullptr;
    std::uint32_t threads_;
    mutable std::atomic<bool> was_launched_{false};
};

} // namespace blockloom::compute::cuda
