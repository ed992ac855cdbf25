#include "profile/tick.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace blockloom::profile {
namespace {

bool counts_evenly() noexcept {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8U)) != 0;
#else
    return false;
#endif
}

} // namespace

const bool detail::processor_counts = counts_evenly();

bool ticks_of_processor() noexcept {
    return detail::processor_counts;
}

} // namespace blockloom::profile
