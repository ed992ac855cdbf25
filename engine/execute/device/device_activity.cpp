#include "execute/device/device_activity.h"

#include "profile/time_cover.h"

#include <algorithm>

namespace blockloom::execute {

void DeviceActivity::launched(std::uint32_t number, std::uint32_t messages) {
    const std::scoped_lock lock(guard_);
    flights_.push_back({number, messages});
}

void DeviceActivity::ended(const gpuvm::SubmissionTimes& times) {
    const std::scoped_lock lock(guard_);
    ++ended_;
    std::erase_if(flights_, [&](const Flight& flight) { return flight.number == times.number; });
    latest_.push_back(times);
    while (latest_.size() > most || latest_.front().read < times.read - second) latest_.pop_front();
}

void DeviceActivity::abandoned() {
    const std::scoped_lock lock(guard_);
    flights_.clear();
}

LiveDevice DeviceActivity::now(Nanoseconds at, Nanoseconds since) const {
    const std::scoped_lock lock(guard_);
    LiveDevice made;
    made.ended = ended_;
    for (const Flight& flight : flights_) {
        made.in_flight.push_back(flight.number);
        made.messages += flight.messages;
    }
    if (latest_.empty()) return made;
    Nanoseconds end = at;
    if (!made.in_flight.empty())
        end = std::ranges::max(latest_, {}, &gpuvm::SubmissionTimes::read).read;
    const profile::TimeRange shown{std::max(since, end - second), end};
    if (shown.length() <= 0) return made;
    std::vector<profile::TimeRange> kernels, moved;
    for (const gpuvm::SubmissionTimes& times : latest_) {
        kernels.push_back({times.uploaded, times.executed});
        moved.push_back({times.begin, times.uploaded});
        moved.push_back({times.executed, times.read});
    }
    const profile::TimeCover within({shown}), computing(std::move(kernels)),
        moving(std::move(moved));
    const auto share = [&](const profile::TimeCover& cover) {
        return static_cast<double>(cover.within(within).length()) /
               static_cast<double>(shown.length());
    };
    made.shares = {share(computing), share(moving.without(computing))};
    return made;
}

} // namespace blockloom::execute
