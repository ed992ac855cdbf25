// How the heap of the C library gives memory back.
#pragma once

namespace blockloom {

/// Large pieces of memory return to the system when they are freed, however many there were before.
/// For the whole process, which then takes a few per cent more time for the system's work on pages.
void return_large_pieces() noexcept;

/// Memory that is freed stays with the process, for the next block: the system's work on pages is
/// saved. For processes that end when their work is done.
void keep_freed_memory() noexcept;

} // namespace blockloom
