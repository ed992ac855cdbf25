#include "execute/device/placement_choice.h"

#include <fmt/format.h>

namespace blockloom::execute {

bool PlacementChoice::device_is_next() const noexcept {
    if (!is_settled()) return sides_[1].windows < sides_[0].windows;
    return device_is_faster() != (since_other_ >= turn - 1);
}

void PlacementChoice::note(bool device, Nanoseconds wall, std::uint64_t tasks,
                           bool waited) noexcept {
    if (tasks < enough_tasks) return;
    if (waited && waits_ < most_waits) {
        ++waits_;
        return;
    }
    const bool settled = is_settled();
    since_other_ = settled && device == device_is_faster() ? since_other_ + 1 : 0;
    Side& side = sides_[device ? 1 : 0];
    ++side.windows;
    side.per_task = wall / static_cast<Nanoseconds>(tasks);
}

std::optional<std::string> PlacementChoice::take_change() {
    if (!is_settled() || reported_ == device_is_faster()) return std::nullopt;
    reported_ = device_is_faster();
    return fmt::format(
        "auto: {:.1f} us per task on the device, {:.1f} us on the host's workers: {}",
        static_cast<double>(sides_[1].per_task) / 1e3,
        static_cast<double>(sides_[0].per_task) / 1e3,
        *reported_ ? "continuing on the device" : "continuing on the host");
}

} // namespace blockloom::execute
