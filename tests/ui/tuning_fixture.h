// A sweep that is made up, for tests of what shows it.
#pragma once

#include "session/tuning_job.h"

namespace blockloom::test {

/// CPU and a device, two numbers of workers, batches of 16, 64, 256 and all; points for which
/// `measured` says so have eight samples around: CPU 50 ms over the workers and 4; device 6 ms and
/// 0.05 a launch of 6,000 tasks; serial 60.
inline ui::SeenTuning made_up_sweep(const std::function<bool(std::size_t)>& measured) {
    runs::TuningSpace space;
    space.backends = {"cpu", "vulkan:0"};
    space.workers = {1, 4};
    space.batch_min = {1};
    space.batch_max = {16, 64, 256, 0};
    auto tuned = std::make_shared<runs::ReplayTuning>();
    tuned->settings = runs::settings_of(space);
    tuned->blocks = 1;
    tuned->tasks = tuned->largest = 6000;
    tuned->processor = "Test processor";
    tuned->device = "Test device";
    tuned->code = "0123456789abcdef";
    for (std::size_t i = 0; i < tuned->settings.size(); ++i) {
        const runs::TuningSetting& setting = tuned->settings[i];
        const double batch = setting.how.batch_max == 0 ? 6000 : double(setting.how.batch_max);
        const double time = setting.how.strategy == execute::Strategy::serial ? 60
                            : setting.backend == "cpu"
                                ? 50.0 / setting.how.workers + 4
                                : 6 + 4.0 / setting.how.workers + 300 / batch;
        profile::TunedPoint point;
        if (measured(i))
            for (int k = 0; k < 8; ++k)
                point.samples.push_back(static_cast<Nanoseconds>(time * (1e6 + 1e3 * k)));
        tuned->tuning.points.push_back(point);
    }
    profile::settle(tuned->tuning);
    ui::SeenTuning seen;
    seen.predicted = runs::predict_points(*tuned);
    seen.tuning = std::move(tuned);
    return seen;
}

} // namespace blockloom::test
