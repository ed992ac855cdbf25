// A single region of address space for all machine code of a module.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <memory>
#include <mutex>

namespace blockloom::native {

/// Machine code reaches other functions and constants of its module by distances of 32 bits, and
/// LLVM's linker does not check them. If the system places the sections, they may be further apart:
/// this happens once a graphics driver has reserved some hundred gigabytes of addresses.
class CodeRegion final : public llvm::SectionMemoryManager::MemoryMapper {
public:
    /// At most 1 GiB. Fails if the system has no address space left.
    [[nodiscard]] static Result<std::unique_ptr<CodeRegion>> make(std::size_t bytes);
    ~CodeRegion() override;
    CodeRegion(const CodeRegion&) = delete;
    CodeRegion& operator=(const CodeRegion&) = delete;

    /// Allocates from the beginning of the region; `not_enough_memory` beyond its end.
    llvm::sys::MemoryBlock
    allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose purpose, std::size_t bytes,
                         const llvm::sys::MemoryBlock* near, unsigned flags,
                         std::error_code& error) override;
    std::error_code protectMappedMemory(const llvm::sys::MemoryBlock& block,
                                        unsigned flags) override;
    /// Does nothing: the region is released as a whole.
    std::error_code releaseMappedMemory(llvm::sys::MemoryBlock& block) override;

private:
    CodeRegion() = default;

    llvm::sys::MemoryBlock all_;
    std::mutex mutex_;
    std::size_t used_ = 0;
};

} // namespace blockloom::native
