#include "runs/usage_json.h"

#include "runs/document_limits.h"

#include <nlohmann/json.hpp>

#include <array>

namespace blockloom::runs {
namespace {

using profile::UsageLine;
using profile::UsageSeries;

constexpr std::size_t most_moments = 4096, most_lines = 1024;
constexpr std::int64_t most_value = std::int64_t{1} << 53;

} // namespace

nlohmann::ordered_json usage_json(const UsageSeries* usage) {
    if (usage == nullptr) return {};
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const UsageLine& line : usage->lines) {
        nlohmann::ordered_json values = nlohmann::ordered_json::array();
        for (const std::int64_t value : line.values)
            values.push_back(value == profile::no_value ? nlohmann::ordered_json()
                                                        : nlohmann::ordered_json(value));
        lines.push_back({{"of", line.of},
                         {"what", name_of(line.quantity)},
                         {"unit", unit_of(line.quantity)},
                         {"most", line.most},
                         {"values", std::move(values)}});
        if (!line.is_available()) lines.back()["why"] = line.why;
    }
    return {{"at_ns", usage->at}, {"lines", std::move(lines)}};
}

std::shared_ptr<const UsageSeries> read_usage(JsonValue json) {
    if (json.is_absent()) return nullptr;
    auto series = std::make_shared<UsageSeries>();
    for (const JsonValue at : json["at_ns"].items(most_moments)) {
        const Nanoseconds last = series->at.empty() ? 0 : series->at.back();
        series->at.push_back(at.required().integer(last, most_value).value_or(last));
    }
    for (const JsonValue each : json["lines"].items(most_lines)) {
        const auto what = each["what"].required().text(name_bytes);
        const auto quantity = what ? profile::quantity_named(std::string(*what)) : std::nullopt;
        if (!quantity) continue; // of a later version
        UsageLine line{{}, *quantity, 0, {}, {}};
        each["of"].read(line.of, name_bytes);
        each["why"].read(line.why, name_bytes);
        each["most"].read(line.most, -most_value, most_value);
        for (const JsonValue value : each["values"].items(most_moments))
            line.values.push_back(
                value.integer(-most_value, most_value).value_or(profile::no_value));
        if (line.values.size() != (line.is_available() ? series->at.size() : 0))
            each["values"].refuse("one value for each of at_ns",
                                  std::to_string(line.values.size()));
        series->lines.push_back(std::move(line));
    }
    return series;
}

std::vector<std::pair<Nanoseconds, Nanoseconds>> read_pauses(JsonValue json) {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses;
    for (const JsonValue each : json.items()) {
        std::array<Nanoseconds, 2> ends{};
        std::size_t found = 0;
        for (const JsonValue end : each.items(ends.size()))
            ends[found++] = end.required().integer(0, most_value).value_or(0);
        if (found != ends.size() || ends[1] < ends[0])
            each.refuse("the start and the end of a pause");
        pauses.emplace_back(ends[0], ends[1]);
    }
    return pauses;
}

} // namespace blockloom::runs
