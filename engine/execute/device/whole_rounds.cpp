#include "execute/device/whole_rounds.h"

#include <algorithm>
#include <bit>

namespace blockloom::execute {

WholeRounds::Size& WholeRounds::of(std::size_t attempts) noexcept {
    return sizes_[std::min<std::size_t>(std::bit_width(attempts), sizes_.size() - 1)];
}

/// One that takes long, because of something else on the machine, counts little.
void WholeRounds::Side::note(double now) noexcept {
    const bool is_longer = rounds++ != 0 && now > each;
    each = is_longer ? each + (std::min(now, 2 * each) - each) / 4 : now;
}

bool WholeRounds::is_measured_there(const Size& size) const noexcept {
    const bool larger_were =
        std::any_of(&size + 1, sizes_.data() + sizes_.size(),
                    [](const Size& larger) { return larger.device.rounds >= trials; });
    return size.device.rounds >= (larger_were ? 1 : trials);
}

bool WholeRounds::to_device(std::size_t attempts, Nanoseconds shortest_flight) noexcept {
    Size& size = of(attempts);
    if (size.host.rounds == 0) return false;
    if (size.host.each * static_cast<double>(attempts) < static_cast<double>(shortest_flight))
        return false;
    if (!is_measured_there(size)) return true;
    const bool device_is_faster = size.device.each < size.host.each;
    if (++size.since < size.patience) return device_is_faster;
    size.since = 0;
    return !device_is_faster;
}

void WholeRounds::note(bool on_device, std::size_t attempts, Nanoseconds wall) noexcept {
    if (attempts == 0) return;
    Size& size = of(attempts);
    const auto took = static_cast<double>(std::max<Nanoseconds>(wall, 1));
    const bool device_was_faster = size.device.each < size.host.each;
    const bool were_both = is_measured_there(size) && size.host.rounds != 0;
    (on_device ? size.device : size.host).note(took / static_cast<double>(attempts));
    if (!were_both || on_device == device_was_faster) return; // not the slower one, tried again
    const bool is_still_slower = (size.device.each < size.host.each) == device_was_faster;
    size.patience = is_still_slower ? std::min(size.patience * 2, most_patience) : first_patience;
}

} // namespace blockloom::execute
