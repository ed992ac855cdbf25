#include "base/heap.h"

#include <cstdlib> // defines __GLIBC__
#include <limits>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace blockloom {

void return_large_pieces() noexcept {
#ifdef __GLIBC__
    // Its own first value. Left alone, it rises to the size of each piece that is freed, up to 32
    // MiB: from then on buffers of blocks lie between small pieces and keep the heap from shrinking
    // (100 blocks of 3,700 messages: 340 instead of 300 MB).
    constexpr int bytes = 128 << 10;
    (void)mallopt(M_MMAP_THRESHOLD, bytes);
#endif
}

void keep_freed_memory() noexcept {
#ifdef __GLIBC__
    constexpr int largest_in_heap = 32 << 20; // the C library takes no more
    (void)mallopt(M_MMAP_THRESHOLD, largest_in_heap);
    (void)mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

} // namespace blockloom
