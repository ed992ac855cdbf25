#include "native/code_region.h"

#include <fmt/format.h>
#include <llvm/Support/Memory.h>
#include <llvm/Support/Process.h>

namespace blockloom::native {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;

std::size_t whole_pages(std::size_t bytes) {
    const std::size_t page = llvm::sys::Process::getPageSizeEstimate();
    return (bytes + page - 1) / page * page;
}

} // namespace

Result<std::unique_ptr<CodeRegion>> CodeRegion::make(std::size_t bytes) {
    if (bytes > most_bytes)
        return Error{
            ErrorCode::unavailable,
            fmt::format("machine code: expected at most {} bytes, found {}", most_bytes, bytes)};
    std::unique_ptr<CodeRegion> region(new CodeRegion);
    std::error_code error;
    region->all_ = llvm::sys::Memory::allocateMappedMemory(
        whole_pages(bytes), nullptr, llvm::sys::Memory::MF_READ | llvm::sys::Memory::MF_WRITE,
        error);
    if (error)
        return Error{ErrorCode::system, fmt::format("machine code: cannot reserve {} bytes: {}",
                                                    bytes, error.message())};
    return region;
}

CodeRegion::~CodeRegion() {
    if (all_.base() != nullptr) (void)llvm::sys::Memory::releaseMappedMemory(all_);
}

llvm::sys::MemoryBlock
CodeRegion::allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose, std::size_t bytes,
                                 const llvm::sys::MemoryBlock*, unsigned, std::error_code& error) {
    const std::lock_guard lock(mutex_);
    bytes = whole_pages(bytes);
    if (bytes > all_.allocatedSize() - used_) {
        error = std::make_error_code(std::errc::not_enough_memory);
        return {};
    }
    error.clear();
    llvm::sys::MemoryBlock block(static_cast<char*>(all_.base()) + used_, bytes);
    used_ += bytes;
    return block;
}

std::error_code CodeRegion::protectMappedMemory(const llvm::sys::MemoryBlock& block,
                                                unsigned flags) {
    return llvm::sys::Memory::protectMappedMemory(block, flags);
}

std::error_code CodeRegion::releaseMappedMemory(llvm::sys::MemoryBlock&) {
    return {};
}

} // namespace blockloom::native
