// Who may call a function of the driver that waits for the device. Measured on an H200
// (docs/compute.md#cuda): while a kernel runs, the driver does not return from freeing memory, from
// loading and unloading a module, nor from the first launch of a kernel that needs more memory a
// thread than any before; and meanwhile launches of other threads wait too. So these calls are made
// one at a time, those that can wait for an idle device are made then, and a launch that may not
// return has a thread of its own (submission.h): a caller waits no longer than it wants. Other
// launches may be made at the same time: on sixteen threads each takes 24 us then, and 40 one after
// the other.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <utility>

namespace blockloom::compute::cuda {

struct Core;

/// One caller has it at a time, also on behalf of a thread that it started; a shared one several
/// have, while nobody has it alone.
class Turn {
public:
    Turn(Core& core, bool is_shared) noexcept : core_(&core), is_shared_(is_shared) {}
    Turn(Turn&& from) noexcept
        : core_(std::exchange(from.core_, nullptr)), is_shared_(from.is_shared_) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() { end(); }
    void end() noexcept;

private:
    Core* core_;
    bool is_shared_;
};

/// For how long to wait until the device has ended what others gave it.
class Patience {
public:
    explicit Patience(Core& core);
    /// No longer, if a caller has given up a submission that is still running, or if none has ended
    /// for the core's time limit.
    [[nodiscard]] bool left();

private:
    Core& core_;
    std::uint64_t ended_;
    Nanoseconds since_;
};

} // namespace blockloom::compute::cuda
