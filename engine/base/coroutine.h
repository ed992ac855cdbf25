// A machine stack of its own for machine code: as deep as the limits of a run ask for, and left and
// entered again where a run pauses.
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

    /// `body(subject)` runs at each start. An error where the system has no address space left.
    [[nodiscard]] static Result<std::unique_ptr<Coroutine>> make(std::size_t stack_bytes, Body body,
                                                                 void* subject);
    /// Where the body is paused its destructors do not run.
    ~Coroutine();
    Coroutine(const Coroutine&) = delete;
    Coroutine& operator=(const Coroutine&) = delete;

    /// Runs the body from its beginning, or on from `pause`; returns at its end or next `pause`.
    void go_on();
    /// Called by the body: back to who called `go_on`.
    void pause();
    /// Called while the body is paused: forgets it without running any of its destructors; the next
    /// `go_on` begins anew.
    void restart();

    /// Bytes between the caller's frame and the stack's end; the caller runs in the body.
    [[nodiscard]] std::size_t stack_left() const noexcept;

private:
    Coroutine() = default;
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom
