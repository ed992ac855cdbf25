#include "report/replay_tuning.h"

#include "base/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace blockloom::report {
namespace {

using execute::Strategy;
using execute::StrategyOptions;

bool same(const TuningSetting& a, const TuningSetting& b) {
    return a.backend == b.backend && a.how.strategy == b.how.strategy &&
           a.how.workers == b.how.workers && a.how.batch_min == b.how.batch_min &&
           a.how.batch_max == b.how.batch_max && a.how.window == b.how.window;
}

std::uint64_t value_of(const TuningSetting& setting, TuningAxis axis) {
    switch (axis) {
    case TuningAxis::workers:
        return setting.how.workers;
    case TuningAxis::batch_min:
        return setting.how.batch_min;
    case TuningAxis::batch_max:
        return setting.how.batch_max;
    case TuningAxis::window:
        break;
    }
    return setting.how.window;
}

const char* name_of_axis(TuningAxis axis) {
    static constexpr const char* names[] = {"workers", "batch_min", "batch_max", "window"};
    return names[static_cast<std::size_t>(axis)];
}

/// Replays one setting at a time and holds each answer against the first.
class Measurement {
public:
    Measurement(const TuningInput& input, ReplayTuning& tuned, const std::stop_token& stop)
        : input_(input), tuned_(tuned), stop_(stop) {}

    Result<Nanoseconds> operator()(std::size_t point) {
        const TuningSetting& setting = tuned_.settings[point];
        execute::ReplayOptions how = input_.base;
        how.strategy = setting.how;
        if (setting.backend == "cpu") how.device = nullptr;
        // Conflicts and checks cost every setting the same, and nobody reads them here.
        how.trace = how.estimate = how.verify = how.record = false;
        how.recording = nullptr;
        const bool first = tuned_.state_digest.empty() && digests_.empty();
        std::vector<Hash256> digests;
        SilentProgress silent;
        const auto ran = execute::replay_on(
            input_.before, input_.blocks, how, false,
            [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                digests.push_back(block->execution->digest);
                if (first) look_at(*block);
                return Status();
            },
            silent, stop_);
        if (!ran) return ran.error();
        if (first) {
            digests_ = digests;
            if (ran->state_digest) tuned_.state_digest = to_hex(*ran->state_digest);
            const Bytes codes = code_bytes();
            tuned_.code = to_hex(ByteView(Sha256().once({codes})).first(8));
        } else if (digests != digests_ ||
                   (ran->state_digest && to_hex(*ran->state_digest) != tuned_.state_digest)) {
            return Error{ErrorCode::verification,
                         fmt::format("tune: {}: came to another state than {}", text_of(setting),
                                     text_of(tuned_.settings.front()))};
        }
        return ran->wall;
    }

private:
    void look_at(const execute::ReplayedBlock& block) {
        ++tuned_.blocks;
        tuned_.tasks += block.execution->tasks;
        for (const alkanes::TransactionResult& result : block.execution->transactions)
            for (const alkanes::MessageRecord& record : result.records) codes_.insert(record.code);
    }
    [[nodiscard]] Bytes code_bytes() const {
        Bytes bytes;
        for (const Hash256& code : codes_) bytes.insert(bytes.end(), code.begin(), code.end());
        return bytes;
    }

    const TuningInput& input_;
    ReplayTuning& tuned_;
    const std::stop_token& stop_;
    std::vector<Hash256> digests_; ///< of the blocks, as the first replay gave them
    std::set<Hash256> codes_;
};

} // namespace

std::vector<TuningSetting> settings_of(const TuningSpace& space) {
    std::vector<TuningSetting> settings;
    const auto add = [&](const TuningSetting& setting) {
        for (const TuningSetting& there : settings)
            if (same(there, setting)) return;
        settings.push_back(setting);
    };
    for (const Strategy strategy : space.strategies)
        if (strategy == Strategy::serial) add(TuningSetting{});
    for (const std::string& backend : space.backends)
        for (const Strategy strategy : space.strategies)
            for (const unsigned workers : space.workers)
                for (const std::size_t least : space.batch_min)
                    for (const std::size_t most : space.batch_max)
                        for (const std::uint32_t window : space.windows) {
                            if (strategy == Strategy::serial) continue;
                            if (most != 0 && most < least) continue;
                            TuningSetting setting{backend, {}};
                            setting.how.strategy = strategy;
                            setting.how.sets = execute::SetsFrom::estimate;
                            setting.how.workers = execute::WorkerPool::count(workers);
                            setting.how.batch_min = least;
                            setting.how.batch_max = most;
                            setting.how.window = window;
                            add(setting);
                        }
    return settings;
}

std::string text_of(const TuningSetting& setting) {
    const StrategyOptions& how = setting.how;
    if (how.strategy == Strategy::serial) return setting.backend + " serial";
    return fmt::format("{} {}, {} worker{}, batches {} to {}, {} block{}", setting.backend,
                       name_of(how.strategy), how.workers, how.workers == 1 ? "" : "s",
                       how.batch_min,
                       how.batch_max == 0 ? std::string("any") : std::to_string(how.batch_max),
                       how.window, how.window == 1 ? "" : "s");
}

Result<ReplayTuning> tune_replay(const TuningInput& input, const TuningSpace& space,
                                 const profile::TuningOptions& options, ProgressSink& progress,
                                 const std::stop_token& stop) {
    ReplayTuning tuned;
    tuned.settings = settings_of(space);
    tuned.processor = this_machine().processor;
    tuned.device = input.base.device == nullptr ? std::string() : input.device_name;
    tuned.network = name_of(input.base.network);
    tuned.engine = name_of(input.base.engine);
    Measurement measure(input, tuned, stop);
    auto tuning = profile::tune(
        tuned.settings.size(), [&](std::size_t point) { return measure(point); }, options, progress,
        stop);
    if (!tuning) return tuning.error();
    tuned.tuning = *std::move(tuning);
    return tuned;
}

HeatMap heat_map(const ReplayTuning& tuned, const std::string& backend, Strategy strategy,
                 TuningAxis x, TuningAxis y) {
    HeatMap map;
    map.backend = backend;
    map.strategy = name_of(strategy);
    map.x_name = name_of_axis(x);
    map.y_name = name_of_axis(y);
    std::set<std::uint64_t> xs, ys;
    const auto belongs = [&](const TuningSetting& setting) {
        return setting.backend == backend && setting.how.strategy == strategy;
    };
    for (const TuningSetting& setting : tuned.settings) {
        if (!belongs(setting)) continue;
        xs.insert(value_of(setting, x));
        ys.insert(value_of(setting, y));
    }
    map.x.assign(xs.begin(), xs.end());
    map.y.assign(ys.begin(), ys.end());
    map.cells.resize(map.x.size() * map.y.size());
    const auto place = [](const std::vector<std::uint64_t>& values, std::uint64_t value) {
        return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) -
                                        values.begin());
    };
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        const profile::TunedPoint& point = tuned.tuning.points[i];
        if (!belongs(tuned.settings[i]) || point.samples.empty()) continue;
        HeatMap::Cell& cell =
            map.cells[place(map.y, value_of(tuned.settings[i], y)) * map.x.size() +
                      place(map.x, value_of(tuned.settings[i], x))];
        if (cell.median == 0 || point.median < cell.median) {
            cell.median = point.median;
            cell.point = i;
        }
        cell.in_band = cell.in_band || point.in_band;
    }
    return map;
}

} // namespace blockloom::report
