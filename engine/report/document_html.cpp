#include "report/document_html.h"

#include "report/cell_bars.h"
#include "report/chart_html.h"
#include "report/html_style.h"
#include "report/markup.h"
#include "report/themed_svg.h"
#include "scene/theme.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace blockloom::report {
namespace {

const char* class_of(Tone tone) {
    switch (tone) {
    case Tone::second:
        return "second";
    case Tone::quiet:
        return "quiet";
    case Tone::good:
        return "ok";
    case Tone::bad:
        return "wrong";
    case Tone::normal:
        break;
    }
    return "";
}

std::string class_attribute(std::string classes) {
    return classes.empty() ? classes : fmt::format(" class=\"{}\"", classes);
}

std::string toned(const std::string& text, Tone tone) {
    if (tone == Tone::normal) return escaped(text);
    return fmt::format("<span class=\"{}\">{}</span>", class_of(tone), escaped(text));
}

std::string column_class(const Column& column) {
    std::string classes;
    if (column.left) classes = "left";
    if (column.wide) classes += classes.empty() ? "wide" : " wide";
    if (column.mono) classes += classes.empty() ? "mono" : " mono";
    return class_attribute(classes);
}

std::string sparkline(const std::vector<double>& bars) {
    constexpr int width = 96, height = 20;
    std::string svg = fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                                  "role=\"img\" class=\"spark\"><title>tasks per level</title>",
                                  width, height);
    const scene::Layer layer =
        level_bars(bars, {0, 0, width, height}, 6, scene::light_theme()); // CSS has the colours
    for (std::size_t i = 0; i < layer.boxes.size(); ++i) {
        const scene::Rect& bar = layer.boxes[i].rect;
        fmt::format_to(std::back_inserter(svg),
                       "<rect class=\"ramp\" style=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\" "
                       "width=\"{:.2f}\" height=\"{:.1f}\"/>",
                       ramp_style(i, bars.size()), bar.x, bar.y, bar.width, bar.height);
    }
    return svg + "</svg>";
}

class HtmlWriter {
public:
    explicit HtmlWriter(std::string& html) : html_(html) {}

    void operator()(const Heading& heading) { html_ += "<h3>" + escaped(heading.text) + "</h3>"; }
    void operator()(const Paragraph& words) {
        html_ += fmt::format("<p{}>{}", class_attribute(class_of(words.tone)), escaped(words.text));
        if (!words.code.empty())
            html_ += fmt::format(" <span class=\"mono\">{}</span>", escaped(words.code));
        html_ += "</p>";
    }
    void operator()(const Figures& figures) {
        html_ += "<dl class=\"figures\">";
        for (const Fact& fact : figures.facts)
            html_ += fmt::format("<div><dt>{}</dt><dd{}>{}</dd></div>", escaped(fact.name),
                                 fact.predicted ? " class=\"predicted\"" : "",
                                 toned(fact.value, fact.tone));
        html_ += "</dl>";
    }
    void operator()(const Terms& terms) {
        html_ += "<dl class=\"terms\">";
        for (const Fact& fact : terms.facts)
            html_ += fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(fact.name),
                                 toned(fact.value, fact.tone));
        html_ += "</dl>";
    }
    void operator()(const Table& table) {
        html_ += fmt::format("<div class=\"scroll\"><table{}>",
                             table.together ? " class=\"short\"" : "");
        if (!table.caption.empty()) html_ += "<caption>" + escaped(table.caption) + "</caption>";
        html_ += "<thead><tr>";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const Column& column = table.columns[i];
            if (column.joined) continue;
            std::size_t span = 1;
            while (i + span < table.columns.size() && table.columns[i + span].joined) ++span;
            html_ += fmt::format(
                "<th{} scope=\"col\"{}>{}</th>", column.left ? " class=\"left\"" : "",
                span == 1 ? "" : fmt::format(" colspan=\"{}\"", span), escaped(column.name));
        }
        html_ += "</tr></thead><tbody>";
        for (std::size_t row = 0; row < table.rows; ++row) cells(table, table.row(row));
        html_ += "</tbody>";
        if (!table.foot.empty()) {
            html_ += "<tfoot>";
            cells(table, table.foot);
            html_ += "</tfoot>";
        }
        html_ += "</table></div>";
    }
    void operator()(const ChartFigure& figure) {
        html_ += chart_figure(figure.chart, figure.caption, figure.width, figure.height);
    }
    void operator()(const ViewFigure& figure) {
        constexpr int width = 1080;
        const auto light = figure.make(scene::light_theme(), width),
                   dark = figure.make(scene::dark_theme(), width);
        if (!light || !dark) {
            const std::string& why = light ? dark.error().message : light.error().message;
            html_ += fmt::format("<p class=\"quiet\">No picture: {}.</p>", escaped(why));
            return;
        }
        html_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>",
                             themed_svg(light->request, dark->request, light->summary),
                             escaped(view_caption(figure, *light)));
    }
    void operator()(const Pair& pair) {
        html_ += "<div class=\"pair\"><div>";
        parts(pair.left);
        html_ += "</div><div>";
        parts(pair.right);
        html_ += "</div></div>";
    }
    void parts(const std::vector<Part>& several) {
        for (const Part& part : several) std::visit(*this, static_cast<const Part::variant&>(part));
    }
    void section(const Section& section) {
        html_ += fmt::format("<section id=\"{}\"><h2{}>{}", escaped(section.id),
                             class_attribute(class_of(section.tone)), escaped(section.title));
        if (!section.aside.empty())
            html_ += fmt::format(" <span{}>{}</span>", section.mono_aside ? " class=\"mono\"" : "",
                                 escaped(section.aside));
        html_ += "</h2>";
        parts(section.parts);
        html_ += "</section>\n";
    }

private:
    void cells(const Table& table, const std::vector<TableCell>& row) {
        html_ += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            const TableCell& cell = row[i];
            html_ += fmt::format("<td{}>", column_class(table.columns[i]));
            if (!cell.spark.empty())
                html_ += sparkline(cell.spark);
            else if (cell.link.empty())
                html_ += toned(cell.text, cell.tone);
            else
                html_ +=
                    fmt::format("<a href=\"#{}\">{}</a>", escaped(cell.link), escaped(cell.text));
            html_ += "</td>";
        }
        html_ += "</tr>\n";
    }

    std::string& html_;
};

} // namespace

std::string html_head(const std::string& title, const std::string& version) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><meta name=\"generator\" "
        "content=\"Blockloom {}\"><title>Blockloom · {}</title><style>\n{}</style></head><body>"
        "<main>\n",
        escaped(version), escaped(title), style_sheet());
}

Result<std::string> html_of(const Document& document, ProgressSink& progress,
                            std::stop_token stop) {
    std::string html = html_head(document.title, document.version);
    html += fmt::format("<h1>{}</h1><p class=\"quiet\">{}</p>\n", escaped(document.title),
                        escaped(document.subtitle));
    if (!document.cards.empty()) {
        html += "<div class=\"cards\">";
        for (const Fact& card : document.cards)
            html += fmt::format("<div><b>{}</b><span>{}</span></div>", escaped(card.value),
                                escaped(card.name));
        html += "</div>";
    }
    HtmlWriter writer(html);
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
        if (stop.stop_requested()) return cancelled_error();
        progress.report({"Writing report", i, document.sections.size()});
        writer.section(document.sections[i]);
        if (i != 0 || !document.contents) continue;
        html += "<nav aria-label=\"Contents\">";
        for (const Section& section : document.sections)
            if (section.chief && &section != document.sections.data())
                html += fmt::format("<a href=\"#{}\">{}</a>", escaped(section.id),
                                    escaped(section.title));
        html += "</nav>";
    }
    if (stop.stop_requested()) return cancelled_error();
    return html + "</main></body></html>\n";
}

} // namespace blockloom::report
