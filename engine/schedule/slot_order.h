// The order in which a schedule lists its slots.
#pragma once

#include "schedule/schedules.h"

#include <algorithm>

namespace blockloom::schedule {

/// By start, then worker. Slots of zero length stay before their worker's next slot: on each worker
/// the slots come in order of their start.
inline void order_slots(std::vector<Slot>& slots) {
    const auto before = [](const Slot& a, const Slot& b) {
        return a.start != b.start ? a.start < b.start : a.worker < b.worker;
    };
    if (!std::is_sorted(slots.begin(), slots.end(), before))
        std::stable_sort(slots.begin(), slots.end(), before);
}

} // namespace blockloom::schedule
