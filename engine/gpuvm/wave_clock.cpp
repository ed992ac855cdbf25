#include "gpuvm/wave_clock.h"

#include <algorithm>
#include <cmath>

namespace blockloom::gpuvm {
namespace {

double ticks_of(const ClockBracket& bracket) {
    return static_cast<double>(bracket.last - bracket.first);
}
double time_of(const ClockBracket& bracket) {
    return static_cast<double>(bracket.end - bracket.begin);
}
/// From the middle of one to the middle of the other.
double ticks_between(const ClockBracket& a, const ClockBracket& b) {
    return static_cast<double>(static_cast<std::int64_t>(b.first - a.first)) +
           (ticks_of(b) - ticks_of(a)) / 2;
}
double time_between(const ClockBracket& a, const ClockBracket& b) {
    return static_cast<double>(b.begin - a.begin) + (time_of(b) - time_of(a)) / 2;
}

} // namespace

void WaveClock::anchor(const ClockBracket& bracket) noexcept {
    now_ = bracket;
    const double ticks = ticks_of(bracket);
    const double own = ticks > 0 ? time_of(bracket) / ticks : 0;
    if (bracket.own_origin) {
        if (own > 0) rate_ = most_ = most_ > 0 ? std::min(most_, own) : own;
        return;
    }
    const bool begins_anew = rate_ <= 0 || bracket.first < base_.last;
    if (begins_anew) {
        base_ = bracket;
        rate_ = most_ = own;
        return;
    }
    if (own > 0) most_ = most_ > 0 ? std::min(most_, own) : own;
    rate_ = std::min(most_, time_between(base_, now_) / ticks_between(base_, now_));
}

Nanoseconds WaveClock::to_host(std::uint64_t tick) noexcept {
    const double from_first = static_cast<double>(static_cast<std::int64_t>(tick - now_.first));
    const double from_middle = (from_first - ticks_of(now_) / 2) * rate_;
    const double within = time_of(now_) / 2 + from_middle;
    // A tick of the bracket's own may come out a rounding beside it.
    const double inside = std::clamp(within, 0.0, time_of(now_));
    if (std::abs(inside - within) > 1) ++clamped_;
    return now_.begin + static_cast<Nanoseconds>(inside);
}

} // namespace blockloom::gpuvm
