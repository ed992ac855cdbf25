// Device memory allocated in large blocks and handed out in pieces, which are reused.
#pragma once

#include "vulkan/device.h"
#include "vulkan/handle.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace blockloom::vulkan {

/// Free ranges of one block: first fit; adjacent free ranges are merged.
class RangeAllocator {
public:
    explicit RangeAllocator(std::uint64_t bytes);

    /// Start of a free range of `bytes`, a multiple of `alignment`; nothing if none is long enough.
    [[nodiscard]] std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t alignment);
    /// Returns exactly what was taken.
    void give_back(std::uint64_t offset, std::uint64_t bytes);
    /// True if nothing is taken.
    [[nodiscard]] bool empty() const noexcept;

private:
    std::uint64_t bytes_;
    std::map<std::uint64_t, std::uint64_t> free_; ///< offset → bytes
};

struct PoolUse {
    std::uint64_t in_use = 0, peak = 0, reserved = 0;
};

/// Thread-safe. Host-visible blocks stay mapped and are coherent.
class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
    struct Block;

public:
    /// A range of memory, returned to the pool when destroyed.
    class Piece {
    public:
        Piece() = default;
        Piece(Piece&& other) noexcept;
        Piece& operator=(Piece&& other) noexcept;
        ~Piece();

        [[nodiscard]] VkDeviceMemory memory() const noexcept;
        [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
        [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
        /// Host address of the piece; null for MemoryUse::device.
        [[nodiscard]] std::byte* data() const noexcept;

    private:
        friend class MemoryPool;
        std::shared_ptr<MemoryPool> pool_;
        Block* block_ = nullptr;
        std::uint64_t offset_ = 0, bytes_ = 0;
    };

    /// `limit`: the most bytes in use; 0: no limit.
    MemoryPool(std::shared_ptr<Device> device, std::uint64_t limit);
    ~MemoryPool();

    /// Returns VK_ERROR_OUT_OF_DEVICE_MEMORY also beyond the limit or if no memory type fits. A
    /// request larger than a block gets its own block, of any size that the driver allows.
    /// Uploads use host memory if the host-visible part of the device's memory is full. `out` must
    /// be empty.
    [[nodiscard]] VkResult allocate(VkMemoryRequirements needs, MemoryUse use, Piece& out);
    [[nodiscard]] PoolUse use() const;

private:
    struct Block {
        DeviceMemory memory;
        std::uint64_t bytes = 0;
        std::uint32_t type = 0;
        std::byte* data = nullptr;
        RangeAllocator ranges{0};
    };

    [[nodiscard]] VkResult add_block(std::uint64_t bytes, std::uint32_t type, bool map);
    [[nodiscard]] VkResult allocate_of(std::uint32_t type, const VkMemoryRequirements& needs,
                                       bool map, Piece& out);
    void trim(std::uint64_t keep_bytes);
    void give_back(Block* block, std::uint64_t offset, std::uint64_t bytes);
    void count(std::uint64_t bytes);

    std::shared_ptr<Device> device_;
    std::uint64_t limit_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Block>> blocks_;
    PoolUse use_;
};

} // namespace blockloom::vulkan
