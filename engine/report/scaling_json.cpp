#include "report/scaling_json.h"

#include "report/csv.h"
#include "report/json_text.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

Json interval_json(const std::optional<profile::Interval>& interval) {
    return interval ? Json::array({interval->low, interval->high}) : Json();
}
Json estimate_json(const profile::Estimate& estimate) {
    return {{"value", estimate.value}, {"standard_error", optional_json(estimate.error)}};
}

Json point_json(const runs::ScalingSeries& series, const runs::ScalingPoint& point) {
    return {{"run", point.run},
            {"workers", series.on_device() ? Json() : Json(point.workers)},
            {"samples", point.samples},
            {"wall_ns", point.wall},
            {"measured_speedup", point.speedup},
            {"ci95", interval_json(point.interval)},
            {"karp_flatt", optional_json(point.karp_flatt)},
            {"karp_flatt_ci95", interval_json(point.karp_flatt_interval)},
            {"other_runs", point.others}};
}

Json series_json(const runs::ScalingSeries& series) {
    Json points = Json::array(), usl;
    for (const runs::ScalingPoint& point : series.points)
        points.push_back(point_json(series, point));
    const std::string no_amdahl = runs::why_no_amdahl(series), no_usl = runs::why_no_usl(series);
    if (series.usl && no_usl.empty())
        usl = {{"contention", estimate_json(series.usl->contention)},
               {"coherency", estimate_json(series.usl->coherency)},
               {"r_squared", series.usl->r_squared},
               {"peak_workers", optional_json(series.usl->peak)}};
    return {
        {"name", series.name},
        {"backend", series.backend},
        {"device", series.device},
        {"engine", series.engine},
        {"strategy", series.strategy},
        {"points", std::move(points)},
        {"amdahl_fit", series.amdahl && no_amdahl.empty() ? estimate_json(*series.amdahl) : Json()},
        {"usl_fit", std::move(usl)},
        {"amdahl_not_fitted", no_amdahl.empty() ? Json() : Json(no_amdahl)},
        {"usl_not_fitted", no_usl.empty() ? Json() : Json(no_usl)},
        {"missing", series.missing.empty() ? Json() : Json(series.missing)}};
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : std::string();
}
std::string ends(const std::optional<profile::Interval>& interval) {
    return interval ? fmt::format("{:.6g},{:.6g}", interval->low, interval->high)
                    : std::string(",");
}

} // namespace

std::string scaling_json(const runs::ScalingFigures& figures) {
    Json series = Json::array(), struck = Json::array();
    for (const runs::ScalingSeries& at : figures.series) series.push_back(series_json(at));
    for (const runs::StruckRun& out : figures.struck)
        struck.push_back({{"run", out.run}, {"reason", out.reason}, {"wrong", out.wrong}});
    const Json document = {
        {"schema", "blockloom.scaling/1"},
        {"about", figures.about},
        {"baseline", figures.baseline.empty()
                         ? Json()
                         : Json{{"run", figures.baseline},
                                {"wall_ns", figures.baseline_wall},
                                {"ci95_ns", interval_json(figures.baseline_interval)},
                                {"samples", figures.baseline_samples}}},
        {"serial_fraction", optional_json(figures.serial_fraction)},
        {"predicted_infinite_device_speedup", optional_json(figures.limit())},
        {"series", std::move(series)},
        {"struck_out", std::move(struck)},
        {"missing", figures.missing.empty() ? Json() : Json(figures.missing)},
        {"notes", figures.notes},
        {"words", scaling_words(figures)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string scaling_csv(const runs::ScalingFigures& figures) {
    std::string csv = "baseline,baseline_wall_ns,series,run,workers,samples,wall_ns,"
                      "measured_speedup,speedup_low,speedup_high,karp_flatt,karp_flatt_low,"
                      "karp_flatt_high\r\n";
    for (const runs::ScalingSeries& series : figures.series)
        for (const runs::ScalingPoint& point : series.points)
            csv +=
                fmt::format("{},{},{},{},{},{},{},{:.6g},{},{},{}\r\n", csv_field(figures.baseline),
                            figures.baseline_wall, csv_field(series.name), csv_field(point.run),
                            series.on_device() ? std::string() : fmt::format("{}", point.workers),
                            point.samples, point.wall, point.speedup, ends(point.interval),
                            number(point.karp_flatt), ends(point.karp_flatt_interval));
    return csv;
}

} // namespace blockloom::report
