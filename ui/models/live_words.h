// What the devices of a run in progress are doing, in words.
#pragma once

#include "execute/device/device_activity.h"
#include "runs/run_progress.h"

#include <QString>

#include <span>

namespace blockloom::ui {

/// "wave 129, computing 61.0 %", "idle, computing 61.0 %": of the first device, and how many more
/// there are. Waves are numbered from 1.
[[nodiscard]] QString device_words(std::span<const execute::LiveDevice> devices);
/// A line for each device.
[[nodiscard]] QString device_lines(std::span<const execute::LiveDevice> devices);

/// "62.0 % · 38.0 %": tasks on the device and on the host.
[[nodiscard]] QString placed_words(const runs::KeptRun& run);

} // namespace blockloom::ui
