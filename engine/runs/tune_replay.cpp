#include "runs/tune_replay.h"

#include "base/sha256.h"
#include "execute/replay.h"
#include "runs/run_device.h"
#include "runs/tuning_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace blockloom::runs {
namespace {

Hash256 hash_of(const std::set<Hash256>& codes) {
    Bytes bytes;
    for (const Hash256& code : codes) bytes.insert(bytes.end(), code.begin(), code.end());
    return Sha256().once({bytes});
}

void add_codes(const alkanes::BlockExecution& block, std::set<Hash256>& codes) {
    for (const alkanes::TransactionResult& result : block.transactions)
        for (const alkanes::MessageRecord& record : result.records) codes.insert(record.code);
}

/// Replays one setting at a time and compares each result with the first.
class PointMeasurement {
public:
    PointMeasurement(const TuningInput& input, ReplayTuning& tuned, const std::stop_token& stop)
        : input_(input), tuned_(tuned), stop_(stop) {}

    Result<Nanoseconds> operator()(std::size_t point) {
        const TuningSetting& setting = tuned_.settings[point];
        execute::ReplayOptions how = input_.base;
        how.strategy = setting.how;
        how.device = nullptr;
        if (setting.backend != "cpu") {
            const auto device =
                std::find_if(input_.devices.begin(), input_.devices.end(),
                             [&](const auto& one) { return one.backend == setting.backend; });
            if (device == input_.devices.end())
                return Error{ErrorCode::wrong_usage,
                             fmt::format("tune: no device for backend \"{}\"", setting.backend)};
            how.device = device->provider;
            how.device_options.slice = setting.slice;
        }
        // Conflicts and checks cost the same with every setting and are not used here.
        how.trace = how.estimate = how.verify = how.record = false;
        how.recording = nullptr;
        const bool first = tuned_.digests.empty();
        std::vector<Hash256> digests;
        std::set<Hash256> codes;
        SilentProgress silent;
        const auto ran = execute::replay_on(
            input_.before, input_.blocks, how, false,
            [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                digests.push_back(block->execution->digest);
                if (!first) return Status();
                ++tuned_.blocks;
                tuned_.tasks += block->execution->tasks;
                tuned_.largest = std::max(tuned_.largest, block->execution->tasks);
                add_codes(*block->execution, codes);
                return Status();
            },
            silent, stop_);
        if (!ran) return ran.error();
        if (first) {
            tuned_.digests = digests;
            if (ran->state_digest) tuned_.state_digest = to_hex(*ran->state_digest);
            tuned_.code =
                input_.code.empty() ? to_hex(ByteView(hash_of(codes)).first(8)) : input_.code;
        } else if (digests != tuned_.digests ||
                   (ran->state_digest && to_hex(*ran->state_digest) != tuned_.state_digest)) {
            return Error{ErrorCode::verification,
                         fmt::format("tune: mismatch: {} gave a different state from {}",
                                     text_of(setting), text_of(tuned_.settings.front()))};
        }
        return ran->wall;
    }

private:
    const TuningInput& input_;
    ReplayTuning& tuned_;
    const std::stop_token& stop_;
};

/// What is known before the first measurement.
ReplayTuning begin_tuning(const TuningInput& input) {
    ReplayTuning tuned;
    tuned.processor = this_machine().processor;
    for (const TuningDevice& device : input.devices)
        if (tuned.device.empty()) tuned.device = device.name;
    tuned.network = name_of(input.base.network);
    tuned.rules = alkanes::rules_name(input.base.network, input.base.line);
    tuned.fuel = wasm::name_of(input.base.fuel);
    tuned.engine = name_of(input.base.engine);
    return tuned;
}

/// `tuned` with the results of a search.
std::shared_ptr<const ReplayTuning> snapshot(const ReplayTuning& tuned,
                                             const profile::Tuning& tuning) {
    auto made = std::make_shared<ReplayTuning>(tuned);
    made->tuning = tuning;
    return made;
}

} // namespace

std::string code_of(std::span<const std::shared_ptr<const execute::ReplayedBlock>> blocks) {
    std::set<Hash256> codes;
    for (const auto& block : blocks)
        if (block) add_codes(*block->execution, codes);
    return to_hex(ByteView(hash_of(codes)).first(8));
}

Result<ReplayTuning> tune_replay(const TuningInput& input, const TuningSpace& space,
                                 const profile::TuningOptions& options, bool coarse,
                                 ProgressSink& progress, const std::stop_token& stop) {
    ReplayTuning tuned = begin_tuning(input);
    tuned.settings = settings_of(space);
    PointMeasurement measure(input, tuned, stop);
    profile::TuningOptions how = options;
    if (coarse) {
        how.begin_with = coarse_points(tuned.settings);
        how.more = [&](const profile::Tuning& found) {
            return near_best(*snapshot(tuned, found), 1.25);
        };
    }
    if (input.seen)
        how.seen = [&](const profile::Tuning& found) { input.seen(snapshot(tuned, found)); };
    auto tuning = profile::tune(
        tuned.settings.size(), [&](std::size_t point) { return measure(point); }, how, progress,
        stop);
    if (!tuning) return tuning.error();
    tuned.tuning = *std::move(tuning);
    tuned.date = provenance_now({}).date;
    return tuned;
}

Result<ReplayTuning> measure_setting(const TuningInput& input, ReplayTuning known,
                                     const TuningSetting& setting, unsigned times,
                                     ProgressSink& progress, const std::stop_token& stop) {
    if (known.settings.empty()) {
        known = begin_tuning(input);
    }
    const auto at = std::find_if(known.settings.begin(), known.settings.end(),
                                 [&](const auto& one) { return same_setting(one, setting); });
    const auto point = static_cast<std::size_t>(at - known.settings.begin());
    if (at == known.settings.end()) {
        known.settings.push_back(setting);
        known.tuning.points.emplace_back();
    }
    PointMeasurement measure(input, known, stop);
    for (unsigned i = 0; i <= times; ++i) {
        progress.report({"Measuring", i, times + 1});
        if (stop.stop_requested()) return cancelled_error();
        const auto measured = measure(point);
        if (!measured) return measured.error();
        ++known.tuning.measurements;
        known.tuning.spent += *measured;
        if (i > 0) known.tuning.points[point].samples.push_back(*measured);
        profile::settle(known.tuning);
        if (input.seen) input.seen(snapshot(known, known.tuning));
    }
    known.date = provenance_now({}).date;
    return known;
}

Result<TuningDevice> open_tuning_device(const std::string& backend, const std::string& place,
                                        execute::ReplayOptions& base) {
    DeviceWish wish{.backend = backend.substr(0, backend.find(':'))};
    wish.place = wish.device_place = place;
    if (const auto colon = backend.find(':'); colon != std::string::npos) {
        std::uint32_t number = 0;
        std::from_chars(backend.data() + colon + 1, backend.data() + backend.size(), number);
        wish.devices = {number};
    }
    execute::ReplayOptions how;
    how.strategy.strategy = execute::Strategy::speculative;
    auto device = open_run_device(wish, how);
    if (!device) return device.error();
    if (how.device == nullptr)
        return Error{ErrorCode::unavailable,
                     fmt::format("{} ({}): expected a device, found the CPU", backend, place)};
    base.device_options.time_out = how.device_options.time_out;
    base.fallback = how.fallback;
    return TuningDevice{backend, std::move(device->name), std::move(how.device)};
}

} // namespace blockloom::runs
