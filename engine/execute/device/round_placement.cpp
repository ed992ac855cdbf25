#include "execute/device/round_placement.h"

namespace blockloom::execute {

bool RoundPlacement::is_for_host(std::size_t attempts) const noexcept {
    if (host_each_ == 0 || device_least_ == 0) return attempts < first_guess;
    return static_cast<double>(attempts) * host_each_ < device_least_;
}

void RoundPlacement::note_host(std::size_t attempts, Nanoseconds wall) noexcept {
    if (attempts < fewest_measured) return;
    const double each = static_cast<double>(wall) / static_cast<double>(attempts);
    host_each_ = host_each_ == 0 ? each : (host_each_ + each) / 2;
}

void RoundPlacement::note_device(std::size_t attempts, Nanoseconds wall) noexcept {
    if (attempts == 0) return;
    const auto took = static_cast<double>(wall);
    device_least_ = device_least_ == 0 || took < device_least_
                        ? took
                        : device_least_ + forgotten * (took - device_least_);
}

} // namespace blockloom::execute
