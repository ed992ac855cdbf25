// A process in which one call of the C library fails: the N-th allocation, mapping, protection,
// thread or file call from some moment on, by any thread and any library. The functions stand
// before those of the C library, in a test program as in a library that is preloaded.
#pragma once

#include <cstdint>

namespace blockloom::test {

enum class CallKind : std::uint8_t {
    memory,  ///< malloc and its relatives, operator new with them; not where the C library calls
    map,     ///< mmap
    protect, ///< mprotect
    thread,  ///< pthread_create
    file     ///< open, read, write, sync, truncate, rename, link, unlink, mkdir
};
inline constexpr CallKind call_kinds[] = {CallKind::memory, CallKind::map, CallKind::protect,
                                          CallKind::thread, CallKind::file};
[[nodiscard]] const char* name_of(CallKind kind) noexcept;

/// Counts from here on, and lets the call of `kind` with this number fail (from 1; 0: none does).
/// `lasting`: those after it, too.
void fail_call(CallKind kind, std::uint64_t number, bool lasting = false) noexcept;
/// No further call fails or is counted.
void fail_no_more() noexcept;
/// Calls since `fail_call`.
[[nodiscard]] std::uint64_t calls_made(CallKind kind) noexcept;

} // namespace blockloom::test
