// Memory that kernels can access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace blockloom::compute {

/// Who accesses the memory; this decides where it is allocated.
enum class BufferUse : std::uint8_t {
    device,   ///< kernels and copies only
    upload,   ///< written by the host, read by the device; on the device if possible
    download, ///< written by the device, read by the host; cached for the host
};

/// A piece of memory of one provider. Buffers of every use may be bound to kernels and copied from
/// and to. The host's view is coherent: no flush is needed, but the host may only read what a
/// finished submission wrote, and may only write what no unfinished one reads. Released by its last
/// owner; submissions in flight keep their buffers.
class Buffer {
public:
    virtual ~Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] BufferUse use() const noexcept { return use_; }
    /// The whole buffer in host memory; empty for BufferUse::device. Reading an upload buffer may
    /// be very slow.
    [[nodiscard]] std::span<std::byte> mapped() const noexcept { return mapped_; }
    /// The address that a kernel dereferences (GL_EXT_buffer_reference); on the processor the
    /// pointer itself; 0 without Features::buffer_address. Aligned to 256 bytes.
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
