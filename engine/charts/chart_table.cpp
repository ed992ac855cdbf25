#include "charts/chart_table.h"

#include "charts/axis.h"
#include "charts/plain_table.h"

namespace blockloom::charts {
namespace {

using Cell = PlainTable::Cell;

Cell number(const Axis& axis, double value) {
    return {text_of(axis, value), value};
}

std::string field(const std::string& text) {
    std::string shown = text;
    if (!shown.empty() && std::string("=+-@\t").find(shown.front()) != std::string::npos)
        shown.insert(shown.begin(), '\'');
    if (shown.find_first_of(",\"\r\n") == std::string::npos) return shown;
    std::string quoted = "\"";
    for (const char c : shown) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace

std::shared_ptr<const scene::ViewTable> table_of(const Chart& chart) {
    if (chart.table) return chart.table;
    const auto named = [](const std::string& title, const char* other) {
        return title.empty() ? std::string(other) : title;
    };
    bool intervals = false;
    for (const Series& series : chart.series)
        for (const Point& point : series.points) intervals |= point.interval.has_value();
    std::vector<scene::TableColumn> columns{
        {"Series", false, false},
        {named(chart.x.title, "Position"), chart.x.named.empty(), false},
        {named(chart.y.title, "Value"), true, false}};
    if (intervals)
        for (const char* end : {"95 % from", "95 % to"}) columns.push_back({end, true, false});
    columns.push_back({"Kind", false, false});
    auto table = std::make_shared<PlainTable>(std::move(columns));
    for (const Series& series : chart.series)
        for (const Point& point : series.points) {
            const double value = series.kind == Kind::bars ? point.y - point.from : point.y;
            std::vector<Cell> row{
                {series.name, {}}, number(chart.x, point.x), number(chart.y, value)};
            if (intervals) {
                row.push_back(point.interval ? number(chart.y, point.interval->low) : Cell{});
                row.push_back(point.interval ? number(chart.y, point.interval->high) : Cell{});
            }
            row.push_back({series.predicted ? "predicted" : "measured", {}});
            table->add(std::move(row));
        }
    return table;
}

std::string csv_of(const scene::ViewTable& table) {
    std::string csv;
    const auto line = [&](auto&& text) {
        for (std::size_t i = 0; i < table.columns().size(); ++i) {
            if (i != 0) csv += ',';
            csv += field(text(i));
        }
        csv += "\r\n";
    };
    line([&](std::size_t i) { return table.columns()[i].name; });
    for (std::size_t row = 0; row < table.rows(); ++row)
        line([&](std::size_t i) { return table.text(row, i); });
    return csv;
}

} // namespace blockloom::charts
