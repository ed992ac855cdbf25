#include "runs/run_device.h"

#include "runs/provenance.h"

namespace blockloom::runs {

Result<RunDevice> open_run_device(const DeviceWish& wish, execute::ReplayOptions& how) {
    RunDevice chosen;
    chosen.name = this_machine().processor;
    auto settings = compute::read_settings();
    if (!settings) return settings.error();
    if (wish.backend == "cpu") return chosen;
    if (how.strategy.strategy == execute::Strategy::serial) {
        chosen.reason = "the serial strategy runs on the CPU";
        return chosen;
    }
    if (wish.backend != "auto") settings->backend.choose(wish.backend, wish.place);
    if (!wish.devices.empty()) settings->device.choose(wish.devices.front(), wish.device_place);
    auto opened = wish.open(*settings);
    if (!opened) return opened.error();
    chosen.reason = opened->reason;
    const compute::Description& device = opened->provider->description();
    if (device.backend == "cpu") return chosen;
    how.device = opened->provider;
    how.device_must_pay = settings->backend.value == "auto";
    how.device_options.time_out = settings->timeout.value;
    how.device_options.slice = wish.slice;
    how.fallback = settings->fallback.value;
    if (settings->batch_min.value && !wish.batch_min_given)
        how.strategy.batch_min = *settings->batch_min.value;
    if (how.strategy.batch_max == 0) how.strategy.batch_max = settings->batch_size.value;
    chosen.backend = device.backend;
    chosen.name = device.name;
    for (std::size_t i = 1; i < wish.devices.size(); ++i) {
        settings->device.choose(wish.devices[i], wish.device_place);
        auto more = wish.open(*settings);
        if (!more) return more.error();
        chosen.name += " + " + more->provider->description().name;
        how.more_devices.push_back(more->provider);
    }
    return chosen;
}

} // namespace blockloom::runs
