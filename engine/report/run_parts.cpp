#include "report/run_parts.h"

#include "base/number_text.h"
#include "report/busy_charts.h"
#include "report/phase_charts.h"
#include "report/scaling_chart.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

constexpr float figure_width = 1080;

ChartFigure law_figure(const runs::ScalingFigures& figures, ScalingLaw law, float width) {
    ScalingChartOptions options;
    options.law = law;
    ChartFigure figure;
    figure.chart = scaling_chart(figures, options);
    figure.caption = fmt::format("{}.", name_of(law));
    for (const charts::LegendItem& sign : figure.chart.legend)
        figure.caption += fmt::format(" {}.", sign.label);
    figure.caption += " Filled: measured; dashed: predicted.";
    figure.width = width;
    figure.height = law == ScalingLaw::amdahl ? 340 : 260;
    return figure;
}

} // namespace

void add_blocks(std::vector<Part>& parts, const runs::KeptRun& run, Nanoseconds most) {
    parts.emplace_back(Heading{"Blocks"});
    if (!run.blocks.empty()) {
        PhaseChartOptions options;
        options.most = most;
        options.columns = 240;
        parts.emplace_back(
            ChartFigure{blocks_chart(run, options),
                        "Phases of each block, measured in the last repetition. Filled: "
                        "accelerated (on several workers or on the device); hatched: serial.",
                        figure_width});
    }
    parts.emplace_back(table_of(results_table(run, most_rows_of_blocks)));
    if (run.blocks.size() > most_rows_of_blocks)
        parts.emplace_back(
            Paragraph{fmt::format("and {} more (see .csv or .json)",
                                  counted(run.blocks.size() - most_rows_of_blocks, "block")),
                      Tone::quiet});
}

void add_busy(std::vector<Part>& parts, const runs::KeptRun& run, const profile::Trace* spans) {
    parts.emplace_back(Heading{"Busy time and wall time"});
    const auto busy = spans == nullptr ? std::nullopt : busy_time(run, *spans);
    if (!busy) {
        parts.emplace_back(
            Paragraph{fmt::format("Busy time {}.", runs::why_no_busy_time(spans)), Tone::quiet});
        return;
    }
    parts.emplace_back(ChartFigure{
        busy_chart(*busy, ink_of(run)),
        run.backend == "cpu" ? "Outlines: wall time × workers. Filled: the time that workers were "
                               "busy; in a serial phase only one thread is. Both are measured."
                             : "Outlines: available time of the device and the host's workers. "
                               "Filled: the time that they were busy. Both are measured.",
        figure_width});
    if (!busy->blocks.empty())
        parts.emplace_back(ChartFigure{busy_blocks_chart(*busy, ink_of(run)),
                                       "The same for the executions of each block.", figure_width});
}

void add_gap(std::vector<Part>& parts, const runs::KeptRun& run, const runs::GapWaterfall& gap) {
    parts.emplace_back(Heading{"From work to wall time"});
    if (!gap.missing.empty()) {
        parts.emplace_back(Paragraph{fmt::format("The gap {}.", gap.missing), Tone::quiet});
        return;
    }
    charts::Chart chart = gap_chart(run, gap);
    chart.left_out.clear(); // the lines below have it
    parts.emplace_back(ChartFigure{std::move(chart),
                                   "Each bar begins where the one before ends. Filled bars are "
                                   "measured, hollow ones are predicted.",
                                   760});
    for (const std::string& line : gap_words(gap))
        parts.emplace_back(Paragraph{line, Tone::second});
}

Section scaling_section(const runs::ScalingFigures& figures) {
    Section section;
    section.id = "scaling";
    section.title = "Speed-up";
    section.aside = "for the blocks of " + figures.about;
    if (!figures.baseline.empty()) {
        section.parts.emplace_back(law_figure(figures, ScalingLaw::amdahl, figure_width));
        Pair pair;
        pair.left.emplace_back(law_figure(figures, ScalingLaw::usl, 530));
        pair.right.emplace_back(law_figure(figures, ScalingLaw::karp_flatt, 530));
        section.parts.emplace_back(std::move(pair));
        section.parts.emplace_back(law_figure(figures, ScalingLaw::gustafson, figure_width));
    }
    for (const std::string& line : scaling_words(figures))
        section.parts.emplace_back(
            Paragraph{line, line.find("WRONG") != std::string::npos ||
                                    line.find("MISMATCH") != std::string::npos
                                ? Tone::bad
                                : Tone::normal});
    if (!figures.baseline.empty()) {
        section.parts.emplace_back(Heading{"Points"});
        section.parts.emplace_back(table_of(scaling_table(figures)));
    }
    return section;
}

} // namespace blockloom::report
