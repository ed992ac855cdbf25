#include "profile/usage.h"

#include <algorithm>
#include <array>

namespace blockloom::profile {
namespace {

struct Words {
    const char *name, *unit;
};
constexpr std::array<Words, static_cast<std::size_t>(Quantity::count)> words{{
    {"tried", ""},
    {"tasks", ""},
    {"blocks", ""},
    {"process_cpu", "permille"},
    {"machine_cpu", "permille"},
    {"process_memory", "bytes"},
    {"machine_memory", "bytes"},
    {"device_busy", "permille"},
    {"device_memory", "bytes"},
    {"temperature", "millidegrees"},
    {"power", "milliwatts"},
}};

} // namespace

const char* name_of(Quantity quantity) noexcept {
    const auto at = static_cast<std::size_t>(quantity);
    return at < words.size() ? words[at].name : "unknown";
}

const char* unit_of(Quantity quantity) noexcept {
    const auto at = static_cast<std::size_t>(quantity);
    return at < words.size() ? words[at].unit : "";
}

std::optional<Quantity> quantity_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (name == words[i].name) return static_cast<Quantity>(i);
    return std::nullopt;
}

const UsageLine* UsageSeries::find(Quantity quantity) const noexcept {
    const auto found = std::find_if(lines.begin(), lines.end(), [quantity](const UsageLine& line) {
        return line.quantity == quantity;
    });
    return found == lines.end() ? nullptr : &*found;
}

std::vector<double> rate_of(const UsageSeries& series, const UsageLine& line) {
    std::vector<double> rates(line.values.size(), 0);
    for (std::size_t i = 1; i < rates.size() && i < series.at.size(); ++i) {
        const Nanoseconds time = series.at[i] - series.at[i - 1];
        const std::int64_t now = line.values[i], before = line.values[i - 1];
        if (time <= 0 || now == no_value || before == no_value) continue;
        rates[i] = static_cast<double>(now - before) * 1e9 / static_cast<double>(time);
    }
    return rates;
}

} // namespace blockloom::profile
