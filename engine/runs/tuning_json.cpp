// Tunings as documents: what `tune --json` prints and what a workspace keeps.
#include "execute/worker_pool.h"
#include "runs/tuning_views.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::runs {
namespace {

using Json = nlohmann::ordered_json;
using execute::Strategy;

Json setting_json(const TuningSetting& setting) {
    return {{"backend", setting.backend},
            {"strategy", name_of(setting.how.strategy)},
            {"workers", setting.how.strategy == Strategy::serial ? 1 : setting.how.workers},
            {"batch_min", setting.how.batch_min},
            {"batch_max", setting.how.batch_max},
            {"window", setting.how.window},
            {"slice", setting.slice},
            {"hybrid", setting.how.hybrid}};
}

Json point_json(const ReplayTuning& tuned, const PredictedTimes& predicted, std::size_t i) {
    const profile::TunedPoint& point = tuned.tuning.points[i];
    Json json = setting_json(tuned.settings[i]);
    json["samples_ns"] = point.samples;
    json["median_ns"] = point.samples.empty() ? Json() : Json(point.median);
    // For a measured point: as predicted from the others.
    json["predicted_ns"] = predicted.of[i] ? Json(*predicted.of[i]) : Json();
    json["rounds"] = point.rounds;
    json["against_best"] = point.against_best
                               ? Json::array({point.against_best->low, point.against_best->high})
                               : Json();
    json["in_band"] = point.in_band;
    return json;
}

Json map_json(const HeatMap& map) {
    Json medians = Json::array(), band = Json::array();
    for (std::size_t y = 0; y < map.y.size(); ++y) {
        Json row = Json::array(), row_band = Json::array();
        for (std::size_t x = 0; x < map.x.size(); ++x) {
            const HeatMap::Cell& cell = map.cells[y * map.x.size() + x];
            row.push_back(cell.median == 0 ? Json() : Json(cell.median));
            row_band.push_back(cell.in_band);
        }
        medians.push_back(std::move(row));
        band.push_back(std::move(row_band));
    }
    return {{"backend", map.backend},
            {"strategy", map.strategy},
            {"x", map.x_name},
            {"y", map.y_name},
            {"x_values", map.x},
            {"y_values", map.y},
            {"median_ns", std::move(medians)},
            {"in_band", std::move(band)}};
}

/// The names under which a sweep is kept: for its device and code, and as the last one.
std::string label_of(const std::string& device, const std::string& code) {
    return device.empty() ? std::string("tuned") : fmt::format("tuned/{}/{}", device, code);
}

const std::string& device_of(const ReplayTuning& tuned) {
    return tuned.device.empty() ? tuned.processor : tuned.device;
}

std::string sweep_label(const std::string& device, const std::string& code) {
    return fmt::format("sweep/{}/{}", device, code);
}

} // namespace

std::string tuning_json(const ReplayTuning& tuned, const Provenance& made) {
    Json points = Json::array(), maps = Json::array();
    Json digests = Json::array();
    for (const Hash256& digest : tuned.digests) digests.push_back(to_hex(digest));
    const PredictedTimes predicted = predict_points(tuned);
    std::vector<std::pair<std::string, Strategy>> seen;
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        points.push_back(point_json(tuned, predicted, i));
        const std::pair of{tuned.settings[i].backend, tuned.settings[i].how.strategy};
        if (of.second == Strategy::serial || std::find(seen.begin(), seen.end(), of) != seen.end())
            continue;
        seen.push_back(of);
        maps.push_back(map_json(
            heat_map(tuned, of.first, of.second, TuningAxis::batch_max, TuningAxis::batch_min)));
        maps.push_back(map_json(
            heat_map(tuned, of.first, of.second, TuningAxis::batch_max, TuningAxis::workers)));
        for (const TuningAxis axis : {TuningAxis::window, TuningAxis::hybrid})
            if (HeatMap map = heat_map(tuned, of.first, of.second, TuningAxis::batch_max, axis);
                map.y.size() > 1)
                maps.push_back(map_json(map));
    }
    Json best = point_json(tuned, predicted, tuned.tuning.best);
    best["text"] = text_of(tuned.best());
    const Json document = {
        {"schema", "blockloom.tuning/1"},
        {"source", tuned.sources},
        {"network", tuned.network},
        {"rules", tuned.rules},
        {"fuel", tuned.fuel},
        {"engine", tuned.engine},
        {"processor", tuned.processor},
        {"device", tuned.device.empty() ? Json() : Json(tuned.device)},
        {"code", tuned.code},
        {"version", made.version},
        {"date", made.date},
        {"blocks", tuned.blocks},
        {"tasks", tuned.tasks},
        {"largest_block", tuned.largest},
        {"measured", tuned.date},
        {"digests", std::move(digests)},
        {"state_digest", tuned.state_digest},
        {"measurements", tuned.tuning.measurements},
        {"spent_ns", tuned.tuning.spent},
        {"out_of_budget", tuned.tuning.out_of_budget},
        {"prediction_off_by", predicted.typical_error ? Json(*predicted.typical_error) : Json()},
        {"best", std::move(best)},
        {"points", std::move(points)},
        {"heat_maps", std::move(maps)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status keep_tuning(const store::DocumentFolder& tunings, const ReplayTuning& tuned,
                   const TuningSetting& setting) {
    const std::string text =
        setting_json(setting).dump(-1, ' ', false, Json::error_handler_t::replace);
    return restore_labels(
        tunings, {{{label_of(device_of(tuned), tuned.code), text}, {label_of({}, {}), text}}});
}

Result<TuningLabels> tuning_labels(const store::DocumentFolder& tunings,
                                   const ReplayTuning& tuned) {
    TuningLabels found;
    for (const std::string& name : {label_of(device_of(tuned), tuned.code), label_of({}, {})}) {
        const auto text = tunings.load(name);
        if (!text) return text.error();
        found.texts.emplace_back(name, text->value_or("")); // an empty one is none to kept_tuning
    }
    return found;
}

Status restore_labels(const store::DocumentFolder& tunings, const TuningLabels& labels) {
    for (const auto& [name, text] : labels.texts)
        if (const Status set = tunings.keep(name, {}, text); !set) return set;
    return {};
}

Result<std::optional<TuningSetting>> kept_tuning(const store::DocumentFolder& tunings,
                                                 const std::string& device,
                                                 const std::string& code) {
    const auto label = tunings.load(label_of(device, code));
    if (!label) return label.error();
    if (!*label) return std::optional<TuningSetting>();
    const auto setting = read_setting(**label);
    if (!setting) return std::optional<TuningSetting>();
    return std::optional(*setting);
}

Status keep_sweep(const store::DocumentFolder& tunings, const ReplayTuning& tuned,
                  const Provenance& made) {
    const std::string& device = tuned.device.empty() ? tuned.processor : tuned.device;
    return tunings.keep(sweep_label(device, tuned.code), {}, tuning_json(tuned, made));
}

Result<std::optional<ReplayTuning>> kept_sweep(const store::DocumentFolder& tunings,
                                               const std::string& device, const std::string& code) {
    const auto text = tunings.load(sweep_label(device, code));
    if (!text) return text.error();
    if (!*text || (*text)->empty()) return std::optional<ReplayTuning>();
    auto tuned = read_tuning(**text);
    if (!tuned) return tuned.error();
    return std::optional(*std::move(tuned));
}

} // namespace blockloom::runs
