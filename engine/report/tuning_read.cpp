// Sweeps read back from their documents.
#include "report/replay_tuning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace blockloom::report {
namespace {

using Json = nlohmann::json;
using execute::Strategy;

Error unreadable(const std::string& what) {
    return {ErrorCode::bad_input, fmt::format("tuning: expected {}, found none", what)};
}

std::string text_in(const Json& json, const char* name) {
    return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
}

std::uint64_t number_in(const Json& json, const char* name) {
    return json.contains(name) && json[name].is_number_unsigned() ? json[name].get<std::uint64_t>()
                                                                  : 0;
}

Result<TuningSetting> setting_in(const Json& json) {
    TuningSetting setting;
    setting.backend = text_in(json, "backend");
    const std::string strategy = text_in(json, "strategy");
    bool known = false;
    for (const Strategy one : {Strategy::serial, Strategy::levels, Strategy::speculative})
        if (strategy == name_of(one)) {
            setting.how.strategy = one;
            known = true;
        }
    if (!known || setting.backend.empty()) return unreadable("a backend and a strategy");
    if (setting.how.strategy == Strategy::serial) return TuningSetting{};
    setting.how.sets = execute::SetsFrom::estimate;
    setting.how.workers = static_cast<unsigned>(number_in(json, "workers"));
    setting.how.batch_min = number_in(json, "batch_min");
    setting.how.batch_max = number_in(json, "batch_max");
    setting.how.window = static_cast<std::uint32_t>(number_in(json, "window"));
    setting.slice = static_cast<std::uint32_t>(number_in(json, "slice"));
    if (setting.how.workers == 0 || setting.how.window == 0)
        return unreadable("workers and window");
    return setting;
}

std::string sweep_label(const std::string& device, const std::string& code) {
    return fmt::format("sweep/{}/{}", device, code);
}

} // namespace

Result<ReplayTuning> read_tuning(std::string_view document) {
    const Json json = Json::parse(document, nullptr, false);
    if (!json.is_object() || text_in(json, "schema") != "blockloom.tuning/1")
        return unreadable("a document of schema blockloom.tuning/1");
    if (!json.contains("points") || !json["points"].is_array()) return unreadable("points");
    ReplayTuning tuned;
    for (const Json& point : json["points"]) {
        auto setting = setting_in(point);
        if (!setting) return setting.error();
        tuned.settings.push_back(*std::move(setting));
        profile::TunedPoint made;
        made.rounds = static_cast<unsigned>(number_in(point, "rounds"));
        if (point.contains("samples_ns") && point["samples_ns"].is_array())
            for (const Json& sample : point["samples_ns"]) {
                if (!sample.is_number_integer() || sample.get<Nanoseconds>() <= 0)
                    return unreadable("samples above 0");
                made.samples.push_back(sample.get<Nanoseconds>());
            }
        tuned.tuning.points.push_back(std::move(made));
    }
    if (std::none_of(tuned.tuning.points.begin(), tuned.tuning.points.end(),
                     [](const auto& point) { return !point.samples.empty(); }))
        return unreadable("a measured point");
    tuned.processor = text_in(json, "processor");
    tuned.device = text_in(json, "device");
    tuned.code = text_in(json, "code");
    tuned.date = text_in(json, "measured");
    tuned.network = text_in(json, "network");
    tuned.engine = text_in(json, "engine");
    tuned.state_digest = text_in(json, "state_digest");
    tuned.blocks = number_in(json, "blocks");
    tuned.tasks = number_in(json, "tasks");
    tuned.largest = number_in(json, "largest_block");
    if (json.contains("source") && json["source"].is_array())
        for (const Json& source : json["source"])
            if (source.is_string()) tuned.sources.push_back(source.get<std::string>());
    if (json.contains("digests") && json["digests"].is_array())
        for (const Json& digest : json["digests"]) {
            const auto bytes =
                digest.is_string() ? from_hex(digest.get<std::string>()) : std::nullopt;
            if (!bytes || bytes->size() != Hash256{}.size())
                return unreadable("digests of the blocks");
            std::copy(bytes->begin(), bytes->end(), tuned.digests.emplace_back().begin());
        }
    tuned.tuning.measurements = number_in(json, "measurements");
    tuned.tuning.spent = static_cast<Nanoseconds>(number_in(json, "spent_ns"));
    tuned.tuning.out_of_budget = json.contains("out_of_budget") &&
                                 json["out_of_budget"].is_boolean() &&
                                 json["out_of_budget"].get<bool>();
    profile::settle(tuned.tuning);
    return tuned;
}

Status keep_sweep(store::Workspace& workspace, const ReplayTuning& tuned, const Provenance& made) {
    const std::string& device = tuned.device.empty() ? tuned.processor : tuned.device;
    return workspace.set_label(sweep_label(device, tuned.code), tuning_json(tuned, made));
}

Result<std::optional<ReplayTuning>> kept_sweep(const store::Workspace& workspace,
                                               const std::string& device, const std::string& code) {
    const auto text = workspace.label(sweep_label(device, code));
    if (!text) return text.error();
    if (!*text || (*text)->empty()) return std::optional<ReplayTuning>();
    auto tuned = read_tuning(**text);
    if (!tuned) return tuned.error();
    return std::optional(*std::move(tuned));
}

} // namespace blockloom::report
