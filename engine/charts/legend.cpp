#include "charts/chart.h"

#include <algorithm>

namespace blockloom::charts {
namespace {

using Sign = scene::OverlayLegend::Sign;

Sign sign_of(const Series& series) {
    switch (series.kind) {
    case Kind::bars:
        return series.predicted || series.outlined ? Sign::hollow
               : series.hatched                    ? Sign::hatched
                                                   : Sign::filled;
    case Kind::points:
        return series.predicted ? Sign::hollow : Sign::filled;
    case Kind::line:
    case Kind::step:
        break;
    }
    return series.predicted ? Sign::dashed_line : Sign::line;
}

} // namespace

std::vector<scene::OverlayLegend> legend_of(const Chart& chart, const scene::Theme& theme) {
    std::vector<LegendItem> items = chart.legend;
    if (items.empty())
        for (const Series& series : chart.series)
            if (!series.name.empty())
                items.push_back({sign_of(series), series.ink,
                                 series.name + (series.predicted ? ", predicted" : "")});
    std::vector<scene::OverlayLegend> legend;
    for (LegendItem& item : items) {
        scene::OverlayLegend entry;
        entry.sign = item.sign;
        entry.colour = theme.*item.ink;
        entry.label = std::move(item.label);
        if (std::find(legend.begin(), legend.end(), entry) == legend.end())
            legend.push_back(std::move(entry));
    }
    return legend;
}

} // namespace blockloom::charts
