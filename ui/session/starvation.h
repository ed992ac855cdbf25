// The end of a window that the machine gives nothing any more. Qt and the libraries below it are
// not written for an allocation that fails: what they leave behind crashes later.
#pragma once

namespace blockloom::ui {

/// Exit status of a window that ended because the system refused memory or a thread.
inline constexpr int refused_status = 5;

/// Whether the process can still have 16 MiB of address space: what was refused was a large piece,
/// and the rest of the window can work.
[[nodiscard]] bool memory_left() noexcept;

/// Writes what happened to standard error and ends the process with `refused_status`. What was kept
/// of the session is opened by the next start. Allocates nothing.
[[noreturn]] void end_starved() noexcept;

/// Called once, on the thread of the window. From then on the process ends with end_starved()
/// where an allocation of this thread fails and no memory is left, and where a library that was
/// refused memory crashes or aborts, on any thread. Crashes without a shortage stay crashes.
void end_where_starved() noexcept;

} // namespace blockloom::ui
