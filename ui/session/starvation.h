// Ends the window in an orderly way when the machine has no memory left. Qt and the libraries below
// it do not survive failed allocations: they crash later.
#pragma once

namespace blockloom::ui {

/// Exit status of a window that ended because the system refused memory or a thread.
inline constexpr int refused_status = 5;

/// Whether the process can still get 16 MiB of address space. If so, only a large allocation was
/// refused, and the rest of the window can continue.
[[nodiscard]] bool memory_left() noexcept;

/// Writes what happened to standard error and ends the process with `refused_status`. The next
/// start restores the saved session. Allocates nothing.
[[noreturn]] void end_starved() noexcept;

/// Called once, on the thread of the window. From then on the process ends with end_starved() if an
/// allocation of this thread fails and no memory is left, or if a library crashes or aborts on any
/// thread after it was refused memory. Crashes without a shortage stay crashes.
void end_where_starved() noexcept;

} // namespace blockloom::ui
