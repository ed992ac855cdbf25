// Reader of kept sweeps: any bytes give a sweep or an error; the best of its points is one of them.
#include "runs/replay_tuning.h"

#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto setting = runs::read_setting(text))
        require(setting->how.workers > 0 && setting->how.window > 0);
    const auto tuned = runs::read_tuning(text);
    if (!tuned) {
        require(tuned.error().message.starts_with("tuning"));
        return 0;
    }
    require(tuned->settings.size() == tuned->tuning.points.size());
    require(tuned->tuning.best < tuned->settings.size());
    for (const profile::TunedPoint& point : tuned->tuning.points)
        for (const Nanoseconds sample : point.samples) require(sample > 0);
    return 0;
}
