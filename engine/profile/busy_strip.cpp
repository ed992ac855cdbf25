#include "profile/busy_strip.h"

#include <algorithm>

namespace blockloom::profile {

void BusyStrip::add(Nanoseconds begin, Nanoseconds end) {
    constexpr auto most = static_cast<Nanoseconds>(most_parts);
    while (end > part_ * most) {
        for (std::size_t i = 0; i < busy_.size(); ++i)
            if (i % 2 == 0)
                busy_[i / 2] = busy_[i];
            else
                busy_[i / 2] += busy_[i];
        busy_.resize((busy_.size() + 1) / 2);
        part_ *= 2;
    }
    const auto needed = static_cast<std::size_t>((end + part_ - 1) / part_);
    if (busy_.size() < needed) busy_.resize(needed, 0);
    for (Nanoseconds at = begin; at < end;) {
        const Nanoseconds part = at / part_, edge = std::min(end, (part + 1) * part_);
        busy_[static_cast<std::size_t>(part)] += edge - at;
        at = edge;
    }
}

std::vector<float> BusyStrip::shares(Nanoseconds duration, unsigned lanes) const {
    if (busy_.empty() || lanes == 0 || duration <= 0) return {};
    const auto parts =
        std::max(busy_.size(), static_cast<std::size_t>((duration + part_ - 1) / part_));
    std::vector<float> shares(parts, 0);
    for (std::size_t i = 0; i < busy_.size(); ++i) {
        const Nanoseconds begin = static_cast<Nanoseconds>(i) * part_;
        const Nanoseconds length = std::clamp<Nanoseconds>(duration - begin, 1, part_);
        const double share = static_cast<double>(busy_[i]) / static_cast<double>(length) / lanes;
        shares[i] = static_cast<float>(std::clamp(share, 0.0, 1.0));
    }
    return shares;
}

} // namespace blockloom::profile
