// Memory that kernels see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace blockloom::compute {

/// Who touches the memory; decides where it lies.
enum class BufferUse : std::uint8_t {
    device,   ///< kernels and copies only
    upload,   ///< written by the host, read by the device; lies on the device where it can
    download, ///< written by the device, read by the host; cached for the host
};

/// A piece of memory of one provider. Every use may be bound to kernels, copied from and to. The
/// host's view is coherent: no flush is needed, but the host may only look at what a finished
/// submission wrote, and may only write what no unfinished one reads. Released by its last owner;
/// submissions in flight keep their buffers.
class Buffer {
public:
    virtual ~Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] BufferUse use() const noexcept { return use_; }
    /// The whole buffer as the host sees it; empty for BufferUse::device. Reading an upload buffer
    /// may be very slow.
    [[nodiscard]] std::span<std::byte> mapped() const noexcept { return mapped_; }
    /// What a kernel dereferences (GL_EXT_buffer_reference); the pointer itself on the processor; 0
    /// where Features::buffer_address is not there. Aligned to 256 bytes.
    [[nodiscard]] std::uint64_t address() const noexcept { return address_; }
    /// Identifies the provider: buffers of one cannot be used with another.
    [[nodiscard]] const void* owner() const noexcept { return owner_; }

protected:
    Buffer(const void* owner, std::uint64_t bytes, BufferUse use) noexcept
        : owner_(owner), bytes_(bytes), use_(use) {}

    const void* owner_;
    std::uint64_t bytes_;
    BufferUse use_;
    std::span<std::byte> mapped_;
    std::uint64_t address_ = 0;
};

using BufferPtr = std::shared_ptr<Buffer>;

} // namespace blockloom::compute
