#include "wasm/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <utility>

namespace blockloom::wasm {
namespace {

constexpr std::uint64_t small_page = 4096;
constexpr std::uint64_t reach =
    8; ///< bytes that a store may write behind the page of its first byte

/// Zeros that take no memory until they are written.
void* map_zeros(std::size_t bytes) noexcept {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? nullptr : at;
}

Error not_reserved(std::uint64_t bytes) {
    return {ErrorCode::system,
            fmt::format("linear memory: cannot reserve {} bytes: {}", bytes, std::strerror(errno))};
}

} // namespace

Result<Memory> Memory::reserve(std::uint32_t pages, std::uint32_t most) {
    Memory memory;
    memory.most_ = most;
    memory.size_ = memory.initial_size_ = std::uint64_t{pages} * page_size;
    memory.reserved_ = std::uint64_t{std::max(pages, most)} * page_size;
    const std::uint64_t bytes = std::max(memory.reserved_, small_page);
    memory.data_ = static_cast<Byte*>(map_zeros(bytes));
    if (memory.data_ == nullptr) return not_reserved(bytes);
    memory.reserved_ = bytes;
    // One entry more than pages: the last page's neighbour is looked at too.
    const std::size_t entries = bytes / small_page + 1;
    const std::size_t marks = (entries + 7) / 8 * 8;
    const std::size_t books = marks + 2 * entries * sizeof(std::uint32_t);
    memory.dirty_ = static_cast<Byte*>(map_zeros(books));
    if (memory.dirty_ == nullptr) return not_reserved(books);
    memory.books_ = books;
    memory.image_at_ = reinterpret_cast<std::uint32_t*>(memory.dirty_ + marks);
    memory.touched_ = memory.image_at_ + entries;
    return memory;
}

Memory::Memory(Memory&& other) noexcept {
    *this = std::move(other);
}

Memory& Memory::operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(initial_size_, other.initial_size_);
    std::swap(reserved_, other.reserved_);
    std::swap(most_, other.most_);
    std::swap(declared_max_, other.declared_max_);
    std::swap(dirty_, other.dirty_);
    std::swap(image_at_, other.image_at_);
    std::swap(touched_, other.touched_);
    std::swap(touched_count_, other.touched_count_);
    std::swap(books_, other.books_);
    image_.swap(other.image_);
    return *this;
}

Memory::~Memory() {
    if (data_ != nullptr) ::munmap(data_, reserved_);
    if (dirty_ != nullptr) ::munmap(dirty_, books_);
}

std::uint32_t Memory::grow(std::uint32_t pages) noexcept {
    const std::uint32_t before = this->pages();
    if (std::uint64_t{before} + pages > most_) return 0xffff'ffff;
    size_ += std::uint64_t{pages} * page_size;
    return before;
}

void Memory::mark_range(std::uint64_t address, std::uint64_t bytes) noexcept {
    for (std::uint64_t page = address / small_page;
         bytes != 0 && page <= (address + bytes - 1) / small_page; ++page)
        mark(page * small_page);
}

void Memory::keep_as_image() {
    initial_size_ = size_;
    const std::span<std::uint32_t> touched(touched_, touched_count_);
    std::sort(touched.begin(), touched.end());
    // A store at a page's end may have reached the next one: that page belongs to the image too.
    std::vector<std::uint32_t> pages;
    for (const std::uint32_t page : touched)
        for (const std::uint32_t near : {page, page + 1})
            if ((pages.empty() || pages.back() < near) && std::uint64_t{near} * small_page < size_)
                pages.push_back(near);
    for (const std::uint32_t page : pages) {
        const Byte* from = data_ + std::uint64_t{page} * small_page;
        if (std::all_of(from, from + small_page, [](Byte byte) { return byte == 0; })) continue;
        image_at_[page] = static_cast<std::uint32_t>(image_.size() / small_page) + 1;
        image_.insert(image_.end(), from, from + small_page);
    }
    for (const std::uint32_t page : touched) dirty_[page] = 0;
    touched_count_ = 0;
}

void Memory::reset() noexcept {
    const auto restore = [this](std::uint64_t page, std::uint64_t bytes) {
        Byte* to = data_ + page * small_page;
        if (image_at_[page] != 0)
            std::memcpy(to, image_.data() + (image_at_[page] - 1) * small_page, bytes);
        else
            std::memset(to, 0, bytes);
    };
    for (const std::uint32_t page : std::span(touched_, touched_count_)) {
        restore(page, small_page);
        if ((std::uint64_t{page} + 1) * small_page < reserved_ && dirty_[page + 1] == 0)
            restore(page + 1, reach);
        dirty_[page] = 0;
    }
    touched_count_ = 0;
    size_ = initial_size_;
}

} // namespace blockloom::wasm
