#include "report/run_charts_html.h"

#include "report/busy_charts.h"
#include "report/chart_html.h"
#include "report/markup.h"
#include "report/phase_charts.h"
#include "report/scaling_chart.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

constexpr float figure_width = 1080;

std::string law_figure(const runs::ScalingFigures& figures, ScalingLaw law, float width) {
    ScalingChartOptions options;
    options.law = law;
    const charts::Chart chart = scaling_chart(figures, options);
    std::string caption = fmt::format("{}.", name_of(law));
    for (const charts::LegendItem& sign : chart.legend) caption += fmt::format(" {}.", sign.label);
    return chart_figure(chart, caption + " Filled: measured; dashed: predicted.", width,
                        law == ScalingLaw::amdahl ? 340 : 260);
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
    PhaseChartOptions options;
    options.most = most;
    options.columns = 240;
    return chart_figure(
        blocks_chart(run, options),
        "Phases of each block, measured in the last repetition. Filled: accelerated (on several "
        "workers or on the device); hatched: serial.",
        figure_width);
}

std::string results_of_blocks(const runs::KeptRun& run, std::size_t most) {
    return table_of(results_table(run, most));
}

std::string busy_figures(const runs::KeptRun& run, const profile::Trace* spans) {
    std::string html = "<h3>Busy time and wall time</h3>";
    const auto busy = spans == nullptr ? std::nullopt : busy_time(run, *spans);
    if (!busy)
        return html + "<p class=\"quiet\">Busy time " + escaped(runs::why_no_busy_time(spans)) +
               ".</p>";
    html += chart_figure(busy_chart(*busy, ink_of(run)),
                         run.backend == "cpu"
                             ? "Outlines: wall time × workers. Filled: the time that workers were "
                               "busy; in a serial phase only one thread is. Both are measured."
                             : "Outlines: available time of the device and the host's workers. "
                               "Filled: the time that they were busy. Both are measured.",
                         figure_width);
    if (!busy->blocks.empty())
        html += chart_figure(busy_blocks_chart(*busy, ink_of(run)),
                             "The same for the executions of each block.", figure_width);
    return html;
}

std::string gap_figure(const runs::KeptRun& run, const runs::GapWaterfall& gap) {
    std::string html = "<h3>From work to wall time</h3>";
    if (!gap.missing.empty())
        return html + "<p class=\"quiet\">The gap " + escaped(gap.missing) + ".</p>";
    charts::Chart chart = gap_chart(run, gap);
    chart.left_out.clear(); // the lines below have it
    html += chart_figure(chart,
                         "Each bar begins where the one before ends. Filled bars are measured, "
                         "hollow ones are predicted.",
                         760);
    for (const std::string& line : gap_words(gap))
        html += "<p class=\"second\">" + escaped(line) + "</p>";
    return html;
}

std::string scaling_section(const runs::ScalingFigures& figures) {
    std::string html = fmt::format("<section id=\"scaling\"><h2>Speed-up <span>for the blocks of {}"
                                   "</span></h2>",
                                   escaped(figures.about));
    if (!figures.baseline.empty()) {
        html += law_figure(figures, ScalingLaw::amdahl, figure_width);
        html += "<div class=\"pair\"><div>" + law_figure(figures, ScalingLaw::usl, 530) +
                "</div><div>" + law_figure(figures, ScalingLaw::karp_flatt, 530) + "</div></div>" +
                law_figure(figures, ScalingLaw::gustafson, figure_width);
    }
    for (const std::string& line : scaling_words(figures))
        html += fmt::format("<p{}>{}</p>",
                            line.find("MISMATCH") == std::string::npos ? "" : " class=\"wrong\"",
                            escaped(line));
    if (!figures.baseline.empty()) html += "<h3>Points</h3>" + table_of(scaling_table(figures));
    return html + "</section>\n";
}

} // namespace blockloom::report
