#include "report/usage_json.h"

#include <nlohmann/json.hpp>

namespace blockloom::report {
namespace {

using profile::UsageLine;
using profile::UsageSeries;

constexpr std::size_t most_moments = 4096;
constexpr std::int64_t most_value = std::int64_t{1} << 53;

bool is_value(const nlohmann::json& json) {
    return json.is_number_integer() &&
           !(json.is_number_unsigned() &&
             json.get<std::uint64_t>() > static_cast<std::uint64_t>(most_value)) &&
           json.get<std::int64_t>() >= -most_value;
}

std::string text(const nlohmann::json& json, const char* name) {
    return json.contains(name) && json[name].is_string() ? json[name].get<std::string>()
                                                         : std::string();
}

} // namespace

nlohmann::ordered_json usage_json(const UsageSeries* usage) {
    if (usage == nullptr) return {};
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const UsageLine& line : usage->lines) {
        nlohmann::ordered_json values = nlohmann::ordered_json::array();
        for (const std::int64_t value : line.values)
            values.push_back(value == profile::untold ? nlohmann::ordered_json()
                                                      : nlohmann::ordered_json(value));
        lines.push_back({{"of", line.of},
                         {"what", name_of(line.quantity)},
                         {"unit", unit_of(line.quantity)},
                         {"most", line.most},
                         {"values", std::move(values)}});
        if (!line.is_told()) lines.back()["why"] = line.why;
    }
    return {{"at_ns", usage->at}, {"lines", std::move(lines)}};
}

std::shared_ptr<const UsageSeries> read_usage(const nlohmann::json& json) {
    if (!json.is_object() || !json.contains("at_ns") || !json["at_ns"].is_array() ||
        !json.contains("lines") || !json["lines"].is_array() || json["at_ns"].size() > most_moments)
        return nullptr;
    auto series = std::make_shared<UsageSeries>();
    for (const auto& at : json["at_ns"]) {
        if (!is_value(at)) return nullptr;
        const auto moment = at.get<Nanoseconds>();
        if (moment < 0 || (!series->at.empty() && moment < series->at.back())) return nullptr;
        series->at.push_back(moment);
    }
    for (const auto& each : json["lines"]) {
        if (!each.is_object()) continue;
        const auto quantity = profile::quantity_named(text(each, "what"));
        if (!quantity) continue;
        UsageLine line{text(each, "of"), *quantity, 0, {}, text(each, "why")};
        if (each.contains("most") && is_value(each["most"])) line.most = each["most"];
        if (each.contains("values") && each["values"].is_array())
            for (const auto& value : each["values"])
                line.values.push_back(is_value(value) ? value.get<std::int64_t>()
                                                      : profile::untold);
        if (line.values.size() != (line.is_told() ? series->at.size() : 0)) continue;
        series->lines.push_back(std::move(line));
    }
    return series;
}

std::vector<std::pair<Nanoseconds, Nanoseconds>> read_pauses(const nlohmann::json& json) {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses;
    if (!json.is_array()) return pauses;
    for (const auto& each : json) {
        if (!each.is_array() || each.size() != 2 || !is_value(each[0]) || !is_value(each[1]))
            continue;
        const auto begin = each[0].get<Nanoseconds>(), end = each[1].get<Nanoseconds>();
        if (begin >= 0 && end >= begin) pauses.emplace_back(begin, end);
    }
    return pauses;
}

} // namespace blockloom::report
