// Sweeps read back from their documents.
#include "base/json.h"
#include "runs/document_limits.h"
#include "runs/replay_tuning.h"

#include <algorithm>

namespace blockloom::runs {
namespace {

using execute::Strategy;

constexpr JsonLimits tuning_limits{
    .bytes = std::size_t{64} << 20, .values = std::size_t{8} << 20, .depth = 8};

Result<JsonDocument> parse(std::string_view text) {
    return JsonDocument::parse(text, "tuning", tuning_limits);
}

/// Rejects values that are not settings.
TuningSetting setting_in(JsonValue json) {
    TuningSetting setting;
    json["backend"].required().read(setting.backend, name_bytes);
    const auto strategy = json["strategy"].required().text(name_bytes);
    if (const auto known = execute::strategy_named(strategy.value_or("")))
        setting.how.strategy = *known;
    else
        json["strategy"].refuse("a strategy");
    if (setting.backend.empty()) json["backend"].refuse("a backend");
    if (setting.how.strategy == execute::Strategy::levels)
        setting.how.sets = execute::SetsFrom::estimate;
    json["workers"].required().read(setting.how.workers, 1U, 1U << 20U);
    json["batch_min"].required().read(setting.how.batch_min);
    json["batch_max"].required().read(setting.how.batch_max);
    json["window"].required().read(setting.how.window, 1U);
    json["slice"].read(setting.slice); // kept before there were slices: 0
    setting.how.hybrid = json["hybrid"].boolean().value_or(false);
    return setting;
}

profile::TunedPoint point_in(JsonValue json) {
    profile::TunedPoint point;
    json["rounds"].read(point.rounds);
    for (const JsonValue sample : json["samples_ns"].items(most_samples))
        point.samples.push_back(sample.required().integer(1, most_time).value_or(1));
    return point;
}

} // namespace

Result<TuningSetting> read_setting(std::string_view text) {
    const auto document = parse(text);
    if (!document) return document.error();
    TuningSetting setting = setting_in(document->root());
    if (const Status status = document->status(); !status) return status.error();
    return setting;
}

Result<ReplayTuning> read_tuning(std::string_view text) {
    const auto document = parse(text);
    if (!document) return document.error();
    const JsonValue root = document->root();
    if (root["schema"].required().text(name_bytes) != "blockloom.tuning/1")
        root["schema"].refuse("\"blockloom.tuning/1\"");
    ReplayTuning tuned;
    for (const JsonValue point : root["points"].required().items()) {
        const TuningSetting setting = setting_in(point);
        tuned.settings.push_back(setting.how.strategy == Strategy::serial ? TuningSetting{}
                                                                          : setting);
        tuned.tuning.points.push_back(point_in(point));
        if (const Status status = document->status(); !status) return status.error();
    }
    if (std::none_of(tuned.tuning.points.begin(), tuned.tuning.points.end(),
                     [](const auto& point) { return !point.samples.empty(); }))
        root["points"].refuse("a measured point", "none");
    for (const auto& [name, into] : {std::pair{"processor", &tuned.processor},
                                     {"device", &tuned.device},
                                     {"code", &tuned.code},
                                     {"measured", &tuned.date},
                                     {"network", &tuned.network},
                                     {"rules", &tuned.rules},
                                     {"fuel", &tuned.fuel},
                                     {"engine", &tuned.engine},
                                     {"state_digest", &tuned.state_digest}})
        root[name].read(*into, name_bytes);
    for (const auto& [name, into] : {std::pair{"blocks", &tuned.blocks},
                                     {"tasks", &tuned.tasks},
                                     {"largest_block", &tuned.largest},
                                     {"measurements", &tuned.tuning.measurements}})
        root[name].read(*into);
    for (const JsonValue source : root["source"].items())
        if (const auto name = source.required().text(1U << 20U)) tuned.sources.emplace_back(*name);
    for (const JsonValue digest : root["digests"].items()) {
        const auto bytes = from_hex(digest.required().text(name_bytes).value_or(""));
        if (!bytes || bytes->size() != Hash256{}.size()) {
            digest.refuse("a digest of 64 hexadecimal digits");
            break;
        }
        std::copy(bytes->begin(), bytes->end(), tuned.digests.emplace_back().begin());
    }
    root["spent_ns"].read(tuned.tuning.spent, Nanoseconds{0}, most_time);
    root["out_of_budget"].read(tuned.tuning.out_of_budget);
    if (const Status status = document->status(); !status) return status.error();
    profile::settle(tuned.tuning);
    return tuned;
}

} // namespace blockloom::runs
