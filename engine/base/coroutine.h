// A separate call stack for one piece of work: as deep as requested, left when the work pauses and
// entered again when it resumes.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <memory>

namespace blockloom {

/// Switching costs some nanoseconds and no system call. Not thread-safe, but may move from thread
/// to thread while it is paused.
class Coroutine {
public:
    using Body = void (*)(void* subject);

    /// `body(subject)` runs at each start. Fails if the system has no address space left.
    [[nodiscard]] static Result<std::unique_ptr<Coroutine>> make(std::size_t stack_bytes, Body body,
                                                                 void* subject);
    /// If the body is paused, its destructors do not run.
    ~Coroutine();
    Coroutine(const Coroutine&) = delete;
    Coroutine& operator=(const Coroutine&) = delete;

    /// Runs the body from its beginning, or from where it paused; returns at its end or next
    /// `pause`.
    void resume();
    /// Called by the body: returns to the caller of `resume`.
    void pause();
    /// Called while the body is paused: abandons it without running any of its destructors; the
    /// next `resume` starts from the beginning.
    void restart();

    /// Bytes between the caller's frame and the stack's end; the caller runs in the body.
    [[nodiscard]] std::size_t stack_left() const noexcept;

private:
    Coroutine() = default;
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom
