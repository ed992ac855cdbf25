#include "vulkan/memory_pool.h"

#include <algorithm>

namespace blockloom::vulkan {
namespace {

// Small enough that a test on a software device costs nothing, large enough that a run of
// thousands of buffers makes few calls of the driver.
constexpr std::uint64_t block_bytes = std::uint64_t{64} << 20;
// Kernels dereference addresses of any alignment up to this; bindings need at most as much.
constexpr std::uint64_t least_alignment = 256;
// Empty blocks kept for the next batch: taking gigabytes from a driver costs milliseconds.
constexpr std::uint64_t kept_bytes = std::uint64_t{8} << 30;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) noexcept {
    return (value + to - 1) / to * to;
}

} // namespace

RangeAllocator::RangeAllocator(std::uint64_t bytes) : bytes_(bytes) {
    if (bytes > 0) free_[0] = bytes;
}

std::optional<std::uint64_t> RangeAllocator::take(std::uint64_t bytes, std::uint64_t alignment) {
    for (auto it = free_.begin(); it != free_.end(); ++it) {
        const auto [start, length] = *it;
        const std::uint64_t at = round_up(start, alignment);
        if (at - start > length || length - (at - start) < bytes) continue;
        free_.erase(it);
        if (at > start) free_[start] = at - start;
        if (start + length > at + bytes) free_[at + bytes] = start + length - (at + bytes);
        return at;
    }
    return std::nullopt;
}

void RangeAllocator::give_back(std::uint64_t offset, std::uint64_t bytes) {
    auto next = free_.upper_bound(offset);
    if (next != free_.end() && next->first == offset + bytes) {
        bytes += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == offset) {
            before->second += bytes;
            return;
        }
    }
    free_[offset] = bytes;
}

bool RangeAllocator::empty() const noexcept {
    return bytes_ == 0 || (free_.size() == 1 && free_.begin()->second == bytes_);
}

MemoryPool::Piece::Piece(Piece&& other) noexcept
    : pool_(std::move(other.pool_)), block_(std::exchange(other.block_, nullptr)),
      offset_(other.offset_), bytes_(other.bytes_) {}

MemoryPool::Piece& MemoryPool::Piece::operator=(Piece&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(block_, other.block_);
    std::swap(offset_, other.offset_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

MemoryPool::Piece::~Piece() {
    if (block_ != nullptr) pool_->give_back(block_, offset_, bytes_);
}

VkDeviceMemory MemoryPool::Piece::memory() const noexcept {
    return block_ == nullptr ? VK_NULL_HANDLE : block_->memory.get();
}

std::byte* MemoryPool::Piece::data() const noexcept {
    return block_ == nullptr || block_->data == nullptr ? nullptr : block_->data + offset_;
}

MemoryPool::MemoryPool(std::shared_ptr<Device> device, std::uint64_t limit)
    : device_(std::move(device)), limit_(limit) {}

MemoryPool::~MemoryPool() = default;

VkResult MemoryPool::add_block(std::uint64_t bytes, std::uint32_t type, bool map) {
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext = device_->features().buffer_address ? &flags : nullptr;
    info.allocationSize = bytes;
    info.memoryTypeIndex = type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkResult result = vkAllocateMemory(device_->get(), &info, nullptr, &memory);
    if (result != VK_SUCCESS) return result;
    auto block = std::make_unique<Block>();
    block->memory = DeviceMemory(device_->get(), memory);
    block->bytes = bytes;
    block->type = type;
    block->ranges = RangeAllocator(bytes);
    if (map) {
        void* data = nullptr;
        result = vkMapMemory(device_->get(), memory, 0, VK_WHOLE_SIZE, 0, &data);
        if (result != VK_SUCCESS) return result;
        block->data = static_cast<std::byte*>(data);
    }
    use_.reserved += bytes;
    blocks_.push_back(std::move(block));
    return VK_SUCCESS;
}

VkResult MemoryPool::allocate(VkMemoryRequirements needs, MemoryUse use, Piece& out) {
    needs.alignment = std::max(needs.alignment, least_alignment);
    needs.size = round_up(needs.size, least_alignment);
    // Host uses map their blocks and device memory is not mapped, even where the type is the same.
    const bool map = use != MemoryUse::device;
    const std::lock_guard lock(mutex_);
    if (limit_ != 0 && (needs.size > limit_ || use_.in_use > limit_ - needs.size))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const auto on_device = [&](std::uint32_t type) {
        return (device_->memory_properties().memoryTypes[type].propertyFlags &
                VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
    };
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    while (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        const auto type = device_->memory_type(needs.memoryTypeBits, use, true);
        // Kernels on host memory would be limited by the bus: a full device is an error.
        if (!type || (use == MemoryUse::device && !on_device(*type))) return result;
        result = allocate_of(*type, needs, map, out);
        needs.memoryTypeBits &= ~(1U << *type); // the next best one
    }
    return result;
}

VkResult MemoryPool::allocate_of(std::uint32_t type, const VkMemoryRequirements& needs, bool map,
                                 Piece& out) {
    const std::uint64_t bytes = needs.size;
    const auto take = [&](Block& block) {
        if (block.type != type || (block.data != nullptr) != map) return false;
        // A large empty block is not divided for small pieces: the next large buffer needs it.
        if (block.bytes > 2 * block_bytes && bytes < block.bytes / 4) return false;
        const auto at = block.ranges.take(bytes, needs.alignment);
        if (!at) return false;
        out.pool_ = shared_from_this();
        out.block_ = &block;
        out.offset_ = *at;
        out.bytes_ = bytes;
        count(bytes);
        return true;
    };
    for (const auto& block : blocks_)
        if (take(*block)) return VK_SUCCESS;
    VkResult result = add_block(std::max(bytes, block_bytes), type, map);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        trim(0);
        result = add_block(bytes, type, map);
    }
    if (result != VK_SUCCESS) return result;
    return take(*blocks_.back()) ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

void MemoryPool::count(std::uint64_t bytes) {
    use_.in_use += bytes;
    use_.peak = std::max(use_.peak, use_.in_use);
}

void MemoryPool::give_back(Block* block, std::uint64_t offset, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    block->ranges.give_back(offset, bytes);
    use_.in_use -= bytes;
    if (block->ranges.empty()) trim(kept_bytes);
}

void MemoryPool::trim(std::uint64_t keep_bytes) {
    std::uint64_t kept = 0;
    for (auto it = blocks_.begin(); it != blocks_.end();) {
        const bool empty = (*it)->ranges.empty();
        if (empty && kept + (*it)->bytes > keep_bytes) {
            use_.reserved -= (*it)->bytes;
            it = blocks_.erase(it);
            continue;
        }
        if (empty) kept += (*it)->bytes;
        ++it;
    }
}

PoolUse MemoryPool::use() const {
    const std::lock_guard lock(mutex_);
    return use_;
}

} // namespace blockloom::vulkan
