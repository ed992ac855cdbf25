// The cheapest clock available, used to measure spans.
#pragma once

#include "base/clock.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace blockloom::profile {

/// A time in ticks of unknown rate; Recorder converts it to nanoseconds of the steady clock.
using Tick = std::uint64_t;

/// Whether ticks are the processor's own counter: it runs at one rate on all cores and never stops
/// (CPUID 8000'0007, EDX bit 8). Otherwise they are nanoseconds of the steady clock.
[[nodiscard]] bool ticks_of_processor() noexcept;

namespace detail {
extern const bool processor_counts;
}

[[nodiscard]] inline Tick tick() noexcept {
#if defined(__x86_64__)
    if (detail::processor_counts) return __rdtsc();
#endif
    return static_cast<Tick>(now_ns());
}

} // namespace blockloom::profile
