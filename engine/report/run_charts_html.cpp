#include "report/run_charts_html.h"

#include "report/busy_charts.h"
#include "report/markup.h"
#include "report/phase_charts.h"
#include "report/scaling_chart.h"
#include "report/themed_svg.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

scene::FrameRequest framed(scene::DisplayList list) {
    scene::FrameRequest request;
    request.width = static_cast<int>(list.world.width);
    request.height = static_cast<int>(list.world.height);
    request.base = std::make_shared<const scene::DisplayList>(std::move(list));
    return request;
}

/// `make` lays a chart out for a theme.
template <typename Make> std::string figure(Make&& make, const std::string& caption) {
    const scene::FrameRequest light = framed(make(scene::light_theme()));
    const scene::FrameRequest dark = framed(make(scene::dark_theme()));
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>",
                       themed_svg(light, dark, light.base->summary), escaped(caption));
}

std::string law_figure(const runs::ScalingFigures& figures, ScalingLaw law, float width) {
    std::string caption = fmt::format("{}.", name_of(law));
    for (const scene::OverlayLegend& sign : scaling_legend(figures, law, scene::light_theme()))
        caption += fmt::format(" {}.", sign.label);
    return figure(
        [&](const scene::Theme& theme) {
            ScalingChartOptions options;
            options.law = law;
            options.theme = &theme;
            options.width = width;
            options.height = law == ScalingLaw::amdahl ? 340 : 260;
            return scaling_chart(figures, options).list;
        },
        caption + " Filled: measured; dashed: predicted.");
}

std::string table_of(const std::shared_ptr<const scene::ViewTable>& table) {
    std::string html = "<div class=\"scroll\"><table><thead><tr>";
    for (const scene::TableColumn& column : table->columns())
        html += fmt::format("<th scope=\"col\"{}>{}</th>", column.number ? "" : " class=\"left\"",
                            escaped(column.name));
    html += "</tr></thead><tbody>";
    for (std::size_t row = 0; row < table->rows(); ++row) {
        html += "<tr>";
        for (std::size_t i = 0; i < table->columns().size(); ++i) {
            const scene::TableColumn& column = table->columns()[i];
            html += fmt::format("<td{}>{}</td>",
                                column.number ? ""
                                : column.mono ? " class=\"left mono\""
                                              : " class=\"left wide\"",
                                escaped(table->text(row, i)));
        }
        html += "</tr>";
    }
    return html + "</tbody></table></div>";
}

} // namespace

std::string blocks_figure(const runs::KeptRun& run, Nanoseconds most) {
    if (run.blocks.empty()) return {};
    return figure(
        [&](const scene::Theme& theme) {
            PhaseChartOptions options;
            options.theme = &theme;
            options.width = 1080;
            options.most = most;
            return blocks_chart(run, options).list;
        },
        "Phases of each block, measured, last repetition. Filled: accelerated (on several workers "
        "or on the device); hatched: serial, by where it ran.");
}

std::string results_of_blocks(const runs::KeptRun& run, std::size_t most) {
    return table_of(results_table(run, most));
}

std::string busy_figures(const runs::KeptRun& run, const profile::Trace* spans) {
    std::string html = "<h3>Busy against wall</h3>";
    const auto busy = spans == nullptr ? std::nullopt : busy_time(run, *spans);
    if (!busy)
        return html + "<p class=\"quiet\">Busy time " + escaped(runs::why_no_busy_time(spans)) +
               ".</p>";
    const auto drawn = [&](auto&& chart, const char* caption) {
        html += figure(
            [&](const scene::Theme& theme) {
                PhaseChartOptions options;
                options.theme = &theme;
                options.width = 1080;
                return chart(*busy, backend_colour(run, theme), options).list;
            },
            caption);
    };
    drawn(busy_chart, run.backend == "cpu"
                          ? "Outlines: wall time × workers. Filled: what the workers did of it; a "
                            "serial phase is one thread's. Both are measured."
                          : "Outlines: wall time of what stands at the left. Filled: what it did "
                            "of it. Both are measured.");
    if (!busy->blocks.empty()) drawn(busy_blocks_chart, "The same of each block's executions.");
    return html;
}

std::string gap_figure(const runs::KeptRun& run, const runs::GapWaterfall& gap) {
    std::string html = "<h3>From work to wall</h3>";
    if (!gap.missing.empty())
        return html + "<p class=\"quiet\">The gap " + escaped(gap.missing) + ".</p>";
    html += figure(
        [&](const scene::Theme& theme) {
            PhaseChartOptions options;
            options.theme = &theme;
            return gap_chart(gap, backend_colour(run, theme), options);
        },
        "Each bar begins where the one before ended; all are measured but the hollow one, which "
        "is predicted.");
    for (const std::string& line : gap_words(gap))
        html += "<p class=\"second\">" + escaped(line) + "</p>";
    return html;
}

std::string scaling_section(const runs::ScalingFigures& figures) {
    std::string html = fmt::format("<section id=\"scaling\"><h2>Speed-up <span>blocks of {}"
                                   "</span></h2>",
                                   escaped(figures.about));
    if (!figures.baseline.empty()) {
        html += law_figure(figures, ScalingLaw::amdahl, 1080);
        html += "<div class=\"pair\"><div>" + law_figure(figures, ScalingLaw::usl, 530) +
                "</div><div>" + law_figure(figures, ScalingLaw::karp_flatt, 530) + "</div></div>" +
                law_figure(figures, ScalingLaw::gustafson, 1080);
    }
    for (const std::string& line : scaling_words(figures))
        html += fmt::format("<p{}>{}</p>",
                            line.find("WRONG") == std::string::npos ? "" : " class=\"wrong\"",
                            escaped(line));
    if (!figures.baseline.empty()) html += "<h3>Points</h3>" + table_of(scaling_table(figures));
    return html + "</section>\n";
}

} // namespace blockloom::report
