// Converts the device's ticks to times of the host's steady clock.
#pragma once

#include "base/clock.h"
#include "compute/description.h"
#include "vulkan/device.h"

#include <memory>
#include <mutex>

namespace blockloom::compute {

/// Thread-safe.
class DeviceClock {
public:
    /// `calibration`: use VK_EXT_calibrated_timestamps if available. Without it the offset is
    /// measured once, with the shortest of some empty submissions.
    DeviceClock(std::shared_ptr<vulkan::Device> device, bool calibration);

    [[nodiscard]] ClockSource source() const noexcept { return source_; }
    /// The possible error of a converted time, as far as it is known.
    [[nodiscard]] Nanoseconds uncertainty() const;
    /// Converts a recent tick of a queue whose timestamps have `bits` valid bits.
    [[nodiscard]] Nanoseconds to_host(std::uint64_t ticks, std::uint32_t bits) const;
    /// Samples both clocks again if that is cheap and the last sample is old.
    void follow();

private:
    struct Sample {
        std::uint64_t ticks = 0;
        Nanoseconds at = 0, uncertainty = 0;
    };

    [[nodiscard]] bool sample_calibrated(Sample& out) const;
    [[nodiscard]] bool sample_measured(Sample& out) const;

    std::shared_ptr<vulkan::Device> device_;
    double period_;
    PFN_vkGetCalibratedTimestampsEXT calibrated_ = nullptr;
    ClockSource source_ = ClockSource::none;
    mutable std::mutex mutex_;
    Sample last_;
};

} // namespace blockloom::compute
