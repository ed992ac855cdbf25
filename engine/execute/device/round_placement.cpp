#include "execute/device/round_placement.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

double smoothed(double before, double now) noexcept {
    return before == 0 ? now : (before + now) / 2;
}

} // namespace

std::size_t RoundPlacement::device_share(std::size_t attempts) const noexcept {
    if (host_each_ == 0 || device_least_ == 0) return attempts < first_guess ? 0 : attempts / 2;
    const auto all = static_cast<double>(attempts);
    if (all * host_each_ < device_least_) return 0;
    if (tried_ < trials) return attempts / 2;
    const double rest = std::min(all, wave_ / host_each_);
    const double share = all - rest;
    if (share < 1 || share * device_each_ + wave_ > all * host_each_) return 0;
    return static_cast<std::size_t>(share);
}

void RoundPlacement::note_host(std::size_t attempts, Nanoseconds wall) noexcept {
    if (attempts < fewest_measured) return;
    host_each_ = smoothed(host_each_, static_cast<double>(wall) / static_cast<double>(attempts));
}

void RoundPlacement::note_device(std::size_t share, Nanoseconds own, Nanoseconds wave) noexcept {
    if (share == 0) return;
    const double each = static_cast<double>(own) / static_cast<double>(share);
    const auto took = static_cast<double>(own + wave);
    device_each_ = tried_ < trials && device_each_ != 0 ? std::min(device_each_, each)
                                                        : smoothed(device_each_, each);
    wave_ = tried_ < trials && wave_ != 0 ? std::min(wave_, static_cast<double>(wave))
                                          : smoothed(wave_, static_cast<double>(wave));
    device_least_ = device_least_ == 0 || took < device_least_
                        ? took
                        : device_least_ + forgotten * (took - device_least_);
    ++tried_;
}

void RoundPlacement::note_declined() noexcept {
    if (tried_ < trials) return;
    device_each_ *= 1 - forgotten_declined;
    device_least_ *= 1 - forgotten_declined;
}

} // namespace blockloom::execute
