#include "profile/usage_sampler.h"

#include "base/contain.h"

#include <algorithm>
#include <chrono>

namespace blockloom::profile {

UsageSampler::UsageSampler(std::vector<std::unique_ptr<UsageProbe>> probes, Nanoseconds begin,
                           Nanoseconds interval, std::size_t moments)
    : begin_(begin), interval_(interval), moments_(std::max<std::size_t>(moments, 2)) {
    for (auto& probe : probes) {
        auto lines = probe->lines();
        sources_.push_back(
            {std::move(probe), std::vector<std::int64_t>(lines.size(), no_value), 0});
        for (UsageLine& line : lines) series_.lines.push_back(std::move(line));
    }
    thread_ = start_thread([this](const std::stop_token& stop) { work(stop); });
}

UsageSampler::~UsageSampler() {
    stop();
}

void UsageSampler::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
}

std::shared_ptr<const UsageSeries> UsageSampler::series() const {
    const std::scoped_lock lock(guard_);
    if (shared_ == nullptr) shared_ = std::make_shared<const UsageSeries>(series_);
    return shared_;
}

void UsageSampler::work(const std::stop_token& stop) {
    std::mutex own;
    std::unique_lock lock(own);
    // A moment for which there is no memory is left out of the series; nothing depends on it.
    const auto sample = [this] {
        (void)contain("sample", [this]() -> Status {
            take_sample();
            return {};
        });
    };
    while (!stop.stop_requested()) {
        sample();
        woken_.wait_for(lock, stop, std::chrono::nanoseconds(interval_), [] { return false; });
    }
    sample(); // the end of the run is a moment too
}

void UsageSampler::take_sample() {
    std::vector<std::int64_t> values;
    for (Source& source : sources_) {
        const Nanoseconds now = now_ns();
        if (source.asked == 0 || now - source.asked >= source.probe->pace()) {
            std::fill(source.values.begin(), source.values.end(), no_value);
            source.probe->read(source.values);
            source.asked = now;
        }
        values.insert(values.end(), source.values.begin(), source.values.end());
    }
    const std::scoped_lock lock(guard_);
    series_.at.push_back(now_ns() - begin_);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (series_.lines[i].is_available()) series_.lines[i].values.push_back(values[i]);
    if (series_.at.size() > moments_) {
        const auto thin = [](auto& all) {
            std::size_t kept = 0;
            for (std::size_t i = 0; i < all.size(); i += 2) all[kept++] = all[i];
            all.resize(kept);
        };
        thin(series_.at);
        for (UsageLine& line : series_.lines) thin(line.values);
        interval_ *= 2;
    }
    shared_.reset();
}

} // namespace blockloom::profile
