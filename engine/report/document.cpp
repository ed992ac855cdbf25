#include "report/document.h"

#include <fmt/format.h>

namespace blockloom::report {

std::string view_caption(const ViewFigure& figure, const Picture& picture) {
    std::string text = figure.caption;
    std::string legend;
    for (const scene::OverlayLegend& sign : picture.legend) {
        legend += (legend.empty() ? " " : " · ") + sign.label;
        if (sign.sign == scene::OverlayLegend::Sign::ramp)
            legend += fmt::format(" {}–{}", sign.first, sign.last);
    }
    if (!legend.empty()) text += legend + ".";
    if (!picture.coverage.empty()) text += fmt::format(" {}.", picture.coverage);
    return text;
}

Table table_of(std::shared_ptr<const scene::ViewTable> table) {
    Table made;
    made.rows = table->rows();
    for (const scene::TableColumn& column : table->columns()) {
        Column& last = made.columns.emplace_back();
        last.name = column.name;
        last.left = !column.number;
        last.wide = !column.number && !column.mono;
        last.mono = column.mono;
    }
    made.row = [table = std::move(table)](std::size_t row) {
        std::vector<TableCell> cells(table->columns().size());
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i].text = table->text(row, i);
        return cells;
    };
    return made;
}

} // namespace blockloom::report
