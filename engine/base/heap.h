// How the heap of the C library gives memory back.
#pragma once

namespace blockloom {

/// Large pieces of memory return to the system when they are freed, however many there were before.
/// For the whole process; called once, before there are threads.
void return_large_pieces() noexcept;

} // namespace blockloom
