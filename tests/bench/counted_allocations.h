// Counts what operator new gives out and takes back. For one source of a program: it replaces the
// operators.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace blockloom::bench {

/// Allocations of this thread since it began.
inline thread_local std::uint64_t allocations_of_thread = 0;

/// Bytes that operator new gave out and that were not given back, by all threads, as large as the C
/// library made them.
inline std::atomic<std::int64_t> live_bytes = 0;

/// How many allocations this thread makes from here on.
class CountedAllocations {
public:
    [[nodiscard]] std::uint64_t so_far() const noexcept { return allocations_of_thread - start_; }

private:
    std::uint64_t start_ = allocations_of_thread;
};

namespace detail {

inline void* counted(std::size_t size, std::size_t alignment) {
    ++allocations_of_thread;
    // aligned_alloc wants a multiple of the alignment.
    void* const made =
        alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
            ? std::malloc(size == 0 ? 1 : size)
            : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (made == nullptr) throw std::bad_alloc();
    live_bytes.fetch_add(static_cast<std::int64_t>(malloc_usable_size(made)),
                         std::memory_order_relaxed);
    return made;
}

inline void given_back(void* memory) noexcept {
    live_bytes.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)),
                         std::memory_order_relaxed);
    std::free(memory);
}

} // namespace detail
} // namespace blockloom::bench

void* operator new(std::size_t size) {
    return blockloom::bench::detail::counted(size, 1);
}
void* operator new[](std::size_t size) {
    return blockloom::bench::detail::counted(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return blockloom::bench::detail::counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return blockloom::bench::detail::counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    blockloom::bench::detail::given_back(memory);
}
void operator delete[](void* memory) noexcept {
    blockloom::bench::detail::given_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    blockloom::bench::detail::given_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    blockloom::bench::detail::given_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    blockloom::bench::detail::given_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    blockloom::bench::detail::given_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    blockloom::bench::detail::given_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    blockloom::bench::detail::given_back(memory);
}
