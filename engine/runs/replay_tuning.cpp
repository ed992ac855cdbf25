#include "runs/replay_tuning.h"

#include "execute/worker_pool.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace blockloom::runs {
namespace {

using execute::Strategy;
using execute::StrategyOptions;

template <typename Value>
bool at_end_or_middle(const std::vector<TuningSetting>& settings, const TuningSetting& setting,
                      const Value& value_of) {
    std::set<decltype(value_of(setting))> values;
    for (const TuningSetting& other : settings)
        if (other.backend == setting.backend && other.how.strategy == setting.how.strategy)
            values.insert(value_of(other));
    const auto at = std::distance(values.begin(), values.find(value_of(setting)));
    const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
    return at == 0 || at == last || at == last / 2;
}

} // namespace

bool same_setting(const TuningSetting& a, const TuningSetting& b) {
    return a.backend == b.backend && a.how.strategy == b.how.strategy &&
           a.how.workers == b.how.workers && a.how.batch_min == b.how.batch_min &&
           a.how.batch_max == b.how.batch_max && a.how.window == b.how.window &&
           a.how.hybrid == b.how.hybrid && a.slice == b.slice;
}

std::vector<TuningSetting> settings_of(const TuningSpace& space) {
    std::vector<TuningSetting> settings;
    const auto add = [&](const TuningSetting& setting) {
        for (const TuningSetting& there : settings)
            if (same_setting(there, setting)) return;
        settings.push_back(setting);
    };
    for (const Strategy strategy : space.strategies)
        if (strategy == Strategy::serial) add(TuningSetting{});
    const auto add_all = [&](TuningSetting setting) {
        const bool device = setting.backend != "cpu";
        for (const std::uint32_t hybrid : space.hybrid)
            for (const std::uint32_t slice : space.slices) {
                setting.how.hybrid = device && hybrid != 0;
                setting.slice = device ? slice : 0;
                add(setting);
            }
    };
    for (const std::string& backend : space.backends)
        for (const Strategy strategy : space.strategies)
            for (const unsigned workers : space.workers)
                for (const std::size_t least : space.batch_min)
                    for (const std::size_t most : space.batch_max)
                        for (const std::uint32_t window : space.windows) {
                            if (strategy == Strategy::serial) continue;
                            if (most != 0 && most < least) continue;
                            TuningSetting setting{backend, {}, 0};
                            setting.how.strategy = strategy;
                            if (setting.how.strategy == execute::Strategy::levels)
                                setting.how.sets = execute::SetsFrom::estimate;
                            setting.how.workers = execute::WorkerPool::count(workers);
                            setting.how.batch_min = least;
                            setting.how.batch_max = most;
                            setting.how.window = window;
                            add_all(setting);
                        }
    return settings;
}

std::vector<std::size_t> coarse_points(const std::vector<TuningSetting>& settings) {
    std::vector<std::size_t> found;
    const auto kept = [&](const TuningSetting& setting, const auto& value_of) {
        return at_end_or_middle(settings, setting, value_of);
    };
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const TuningSetting& setting = settings[i];
        if (setting.how.strategy == Strategy::serial ||
            (kept(setting, [](const auto& s) { return s.how.workers; }) &&
             kept(setting, [](const auto& s) { return s.how.batch_min; }) &&
             // 0 is all at once: the last value, not the first one.
             kept(setting, [](const auto& s) { return s.how.batch_max - 1; }) &&
             kept(setting, [](const auto& s) { return s.how.window; }) &&
             kept(setting, [](const auto& s) { return s.slice; })))
            found.push_back(i);
    }
    return found;
}

std::string text_of(const TuningSetting& setting) {
    const StrategyOptions& how = setting.how;
    if (how.strategy == Strategy::serial) return setting.backend + " serial";
    return fmt::format(
        "{} {}, {} worker{}, batches {} to {}, {} block{}{}{}", setting.backend,
        name_of(how.strategy), how.workers, how.workers == 1 ? "" : "s", how.batch_min,
        how.batch_max == 0 ? std::string("any") : std::to_string(how.batch_max), how.window,
        how.window == 1 ? "" : "s",
        setting.slice == 0 ? std::string() : fmt::format(", slices of {}", setting.slice),
        how.hybrid ? ", shared with the workers" : "");
}

} // namespace blockloom::runs
