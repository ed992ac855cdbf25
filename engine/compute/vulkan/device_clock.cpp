#include "compute/vulkan/device_clock.h"

#include "vulkan/commands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace blockloom::compute {
namespace {

constexpr int attempts = 8;
// Clocks drift by some parts in a million: 0.1 s apart, they are off by less than a microsecond.
constexpr Nanoseconds sample_age = 100'000'000;

bool knows_steady_clock(const vulkan::Device& device) {
    const auto domains_of =
        reinterpret_cast<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(vkGetInstanceProcAddr(
            device.instance().get(), "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT"));
    if (domains_of == nullptr) return false;
    std::uint32_t count = 0;
    if (domains_of(device.physical(), &count, nullptr) != VK_SUCCESS) return false;
    std::vector<VkTimeDomainEXT> domains(count);
    if (domains_of(device.physical(), &count, domains.data()) < 0) return false;
    const auto has = [&](VkTimeDomainEXT domain) {
        return std::find(domains.begin(), domains.end(), domain) != domains.end();
    };
    return has(VK_TIME_DOMAIN_DEVICE_EXT) && has(VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
}

} // namespace

DeviceClock::DeviceClock(std::shared_ptr<vulkan::Device> device, bool calibration)
    : device_(std::move(device)), period_(static_cast<double>(device_->limits().timestampPeriod)) {
    if (device_->timestamp_bits() == 0) return;
    if (calibration && device_->features().calibrated_timestamps && knows_steady_clock(*device_))
        calibrated_ = reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(
            vkGetDeviceProcAddr(device_->get(), "vkGetCalibratedTimestampsEXT"));
    if (calibrated_ != nullptr && sample_calibrated(last_)) {
        source_ = ClockSource::calibrated;
        return;
    }
    calibrated_ = nullptr;
    if (sample_measured(last_)) source_ = ClockSource::measured;
}

bool DeviceClock::sample_calibrated(Sample& out) const {
    std::array<VkCalibratedTimestampInfoEXT, 2> clocks{};
    for (VkCalibratedTimestampInfoEXT& clock : clocks)
        clock.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT;
    clocks[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
    clocks[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    bool found = false;
    for (int i = 0; i < attempts; ++i) {
        std::array<std::uint64_t, 2> values{};
        std::uint64_t deviation = 0;
        if (calibrated_(device_->get(), 2, clocks.data(), values.data(), &deviation) != VK_SUCCESS)
            continue;
        const auto apart = static_cast<Nanoseconds>(deviation);
        if (found && apart >= out.uncertainty) continue;
        found = true;
        out = {values[0], static_cast<Nanoseconds>(values[1]), apart};
    }
    return found;
}

bool DeviceClock::sample_measured(Sample& out) const {
    auto commands = vulkan::Commands::create(device_);
    if (!commands.ok()) return false;
    bool found = false;
    for (int i = 0; i < attempts; ++i) {
        if (!commands->begin().ok()) return found;
        const Nanoseconds before = now_ns();
        if (!commands->submit_and_wait().ok()) return found;
        const Nanoseconds after = now_ns();
        const auto ticks = commands->end_ticks();
        if (!ticks || (found && after - before >= 2 * out.uncertainty)) continue;
        found = true;
        out = {*ticks, before + (after - before) / 2, (after - before) / 2};
    }
    return found;
}

Nanoseconds DeviceClock::uncertainty() const {
    const std::lock_guard lock(mutex_);
    return last_.uncertainty;
}

Nanoseconds DeviceClock::to_host(std::uint64_t ticks, std::uint32_t bits) const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t ahead = (ticks - last_.ticks) & mask;
    // Counters wrap: what is more than half the way ahead lies behind.
    const double passed =
        ahead > mask / 2 ? -static_cast<double>((mask - ahead) + 1) : static_cast<double>(ahead);
    return last_.at + static_cast<Nanoseconds>(std::llround(passed * period_));
}

void DeviceClock::follow() {
    if (source_ != ClockSource::calibrated) return;
    const std::lock_guard lock(mutex_);
    if (now_ns() - last_.at < sample_age) return;
    Sample fresh;
    if (sample_calibrated(fresh)) last_ = fresh;
}

} // namespace blockloom::compute
