// A short wait that does not sleep.
#pragma once

#include "base/clock.h"

namespace blockloom::execute {

/// Waking a sleeper takes longer than most waits between two stages.
inline constexpr Nanoseconds longest_spin = 50'000;

/// Spins briefly until `done` returns true. False: it did not.
template <typename Done> bool spin_until(const Done& done) noexcept {
    constexpr unsigned pauses_between_looks = 16;
    const Nanoseconds begin = now_ns();
    do {
        for (unsigned i = 0; i < pauses_between_looks; ++i) {
            if (done()) return true;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
    } while (now_ns() - begin < longest_spin);
    return done();
}

} // namespace blockloom::execute
