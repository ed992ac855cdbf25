// Sparse linear memory with a list of dirty pages: reset for each call without a system call.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wasm/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace blockloom::wasm {

/// Address space for the bytes and for the page bookkeeping is reserved once, up to `most` pages,
/// and never moves; the system provides pages of either when they are first written. Nothing after
/// `reserve` can run out of memory: only `reserve` and `keep_as_image` allocate. A store marks the
/// 4 KiB page of its first byte; `reset` restores marked pages (and the 8 bytes after each, which a
/// store may have reached) to the initial image.
class Memory {
public:
    /// ErrorCode::system if there is not enough address space.
    [[nodiscard]] static Result<Memory> reserve(std::uint32_t pages, std::uint32_t most);
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;
    ~Memory();

    [[nodiscard]] Byte* data() const noexcept { return data_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; } ///< bytes
    [[nodiscard]] std::uint32_t pages() const noexcept {
        return static_cast<std::uint32_t>(size_ / page_size);
    }
    /// The most pages that `grow` can reach.
    [[nodiscard]] std::uint32_t most_pages() const noexcept { return most_; }
    /// The maximum that a module declared for it, as imports must match it.
    [[nodiscard]] std::optional<std::uint32_t> declared_max() const noexcept {
        return declared_max_;
    }
    void declare_max(std::uint32_t pages) noexcept { declared_max_ = pages; }

    [[nodiscard]] bool can_grow(std::uint32_t pages) const noexcept {
        return std::uint64_t{this->pages()} + pages <= most_;
    }
    /// The previous number of pages, or 0xffffffff if the limit forbids it.
    std::uint32_t grow(std::uint32_t pages) noexcept;

    [[nodiscard]] bool in_bounds(std::uint64_t address, std::uint64_t bytes) const noexcept {
        return address + bytes <= size_ && address + bytes >= address;
    }
    /// One byte per 4 KiB page: 0, or 1 once `mark` has listed it. The address never changes.
    [[nodiscard]] Byte* dirty() noexcept { return dirty_; }
    void mark(std::uint64_t address) noexcept {
        const std::uint64_t page = address >> 12;
        if (dirty_[page] != 0) return;
        dirty_[page] = 1;
        touched_[touched_count_++] = static_cast<std::uint32_t>(page);
    }
    void mark_range(std::uint64_t address, std::uint64_t bytes) noexcept;
    /// Whether the page of 4 KiB that `address` lies in was never written: all of it is zero.
    [[nodiscard]] bool is_untouched(std::uint64_t address) const noexcept {
        const std::uint64_t page = address >> 12;
        return image_at_[page] == 0 && dirty_[page] == 0 && (page == 0 || dirty_[page - 1] == 0);
    }

    /// Makes the current content the image that `reset` restores (called after the active data
    /// segments).
    void keep_as_image();
    void reset() noexcept;
    [[nodiscard]] std::size_t touched_pages() const noexcept { return touched_count_; }

private:
    Memory() = default;

    Byte* data_ = nullptr;
    std::uint64_t size_ = 0, initial_size_ = 0, reserved_ = 0;
    std::uint32_t most_ = 0;
    std::optional<std::uint32_t> declared_max_;
    Byte* dirty_ = nullptr; ///< one per 4 KiB page; the mapping of the bookkeeping begins here
    std::uint32_t* image_at_ =
        nullptr; ///< one per 4 KiB page: its index in image_ + 1, or 0 for zeros; after dirty_
    std::uint32_t* touched_ = nullptr; ///< the marked pages, with room for all; after image_at_
    std::size_t touched_count_ = 0;
    std::size_t books_ = 0; ///< bytes of that mapping
    std::vector<Byte> image_;
};

} // namespace blockloom::wasm
