// What the devices of a run did over its time, and what the host did while they were idle: from its
// spans.
#pragma once

#include "profile/span.h"

namespace blockloom::runs {

/// Of one device; of several the mean. No moment counts twice.
struct DeviceTime {
    unsigned devices = 0;
    Nanoseconds kernels = 0;  ///< some of its kernels ran
    Nanoseconds transfer = 0; ///< an upload or a download ran, and no kernel
    // While it did neither, the host's workers …
    Nanoseconds preparing = 0;  ///< began transactions, or laid out their inputs for it
    Nanoseconds accepting = 0;  ///< took what it had left, or continued transactions
    Nanoseconds on_workers = 0; ///< ran messages themselves
};
[[nodiscard]] DeviceTime device_time(const profile::Trace& spans);

} // namespace blockloom::runs
