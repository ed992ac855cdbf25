// A buffer on huge pages, for data of a block window; kept for the next one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace blockloom::execute {

/// An array that only grows. New elements are not initialised: the worker that writes them is the
/// first to touch them. Large arrays use huge pages if the system provides them: tables are
/// accessed randomly, and each small page would cost a page-table walk.
template <typename Content> class HugePageBuffer {
    static_assert(std::is_trivially_copyable_v<Content> &&
                  std::is_trivially_default_constructible_v<Content>);

public:
    HugePageBuffer() = default;
    HugePageBuffer(HugePageBuffer&& other) noexcept
        : content_(std::exchange(other.content_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    HugePageBuffer& operator=(HugePageBuffer&& other) noexcept {
        std::swap(content_, other.content_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~HugePageBuffer() { ::operator delete (content_, std::align_val_t{alignment_of(size_)}); }

    /// Makes room for `wanted` elements; the first `kept` keep their values.
    void grow(std::size_t wanted, std::size_t kept = 0) {
        if (wanted <= size_) return;
        HugePageBuffer more;
        more.size_ = wanted + wanted / 4;
        const std::size_t alignment = alignment_of(more.size_);
        const std::size_t bytes = (more.size_ * sizeof(Content) + alignment - 1) & ~(alignment - 1);
        more.content_ = static_cast<Content*>(::operator new (bytes, std::align_val_t{alignment}));
#if defined(__linux__)
        if (alignment == large_page) (void)::madvise(more.content_, bytes, MADV_HUGEPAGE);
#endif
        std::copy_n(content_, kept, more.content_);
        *this = std::move(more);
    }

    [[nodiscard]] Content* data() noexcept {
        return content_;
    }
    [[nodiscard]] const Content* data() const noexcept {
        return content_;
    }
    [[nodiscard]] Content& operator[](std::size_t i) noexcept {
        return content_[i];
    }
    [[nodiscard]] const Content& operator[](std::size_t i) const noexcept {
        return content_[i];
    }

private:
    static constexpr std::size_t large_page = std::size_t{2} << 20U, line = 64;

    [[nodiscard]] static constexpr std::size_t alignment_of(std::size_t size) noexcept {
        return size * sizeof(Content) >= large_page ? large_page : line;
    }

    Content* content_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace blockloom::execute
