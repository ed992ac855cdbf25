#include "docks/breakdown/breakdown_pages.h"

#include "docks/breakdown/chart_page.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "report/busy_charts.h"
#include "report/busy_tables.h"
#include "runs/median_repetition.h"
#include "session/background_work.h"
#include "session/breakdown_figures.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

QStringList lines_of(const std::vector<std::string>& words) {
    QStringList lines;
    for (const std::string& line : words) lines.append(to_qt(line));
    return lines;
}

/// A and B, where chosen, each with its letter.
struct Shown {
    const BreakdownFigures::Side* side;
    QString letter;
};
std::vector<Shown> sides_of(const BreakdownFigures* figures) {
    std::vector<Shown> sides;
    if (figures == nullptr) return sides;
    if (figures->a) sides.push_back({&*figures->a, QStringLiteral("A")});
    if (figures->b) sides.push_back({&*figures->b, QStringLiteral("B")});
    return sides;
}

QString caption_of(const Shown& shown) {
    return QStringLiteral("%1 · %2").arg(shown.letter, run_words(shown.side->run));
}

QString paragraph(const QString& html) {
    return QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(html);
}

/// The profiling report of a run, and how busy its workers were.
QString report_html(const Shown& shown) {
    QStringList lines = lines_of(shown.side->words);
    if (const auto& busy = shown.side->busy)
        if (const auto share = busy->utilisation())
            lines.append(words("Busy time in the last repetition: %1 of thread time during %2 of "
                               "execution, which is %3 of the time available to %4")
                             .arg(time_text(busy->busy[execute::Phase::execute]),
                                  time_text(busy->wall[execute::Phase::execute]),
                                  percent_text(*share),
                                  counted(busy->workers, words("worker"), words("workers"))));
    QString html = paragraph(QStringLiteral("<b>%1</b>").arg(caption_of(shown).toHtmlEscaped()));
    for (const QString& line : lines) html += paragraph(line.toHtmlEscaped());
    return html;
}

} // namespace

QString report_html(const BreakdownFigures* figures) {
    QString html;
    for (const Shown& shown : sides_of(figures)) html += report_html(shown);
    return html;
}

void show_blocks(ChartPage& page, const BreakdownFigures* figures) {
    report::PhaseChartOptions options;
    const std::vector<Shown> sides = sides_of(figures);
    for (const Shown& shown : sides)
        options.most = std::max(options.most, report::longest_block(shown.side->run));
    QStringList said;
    for (std::size_t i = 0; i < 2; ++i) {
        page.setChart(static_cast<int>(i),
                      i < sides.size() ? report::blocks_chart(sides[i].side->run, options)
                                       : charts::Chart(),
                      sides.size() == 2 ? caption_of(sides[i]) : QString());
        if (i >= sides.size()) continue;
        if (const std::string which = runs::last_words(sides[i].side->run); !which.empty())
            said.append(words("%1: the blocks of the %2").arg(sides[i].letter, to_qt(which)));
    }
    page.setWords(said);
}

void show_busy(ChartPage& page, const BreakdownFigures* figures, bool of_blocks) {
    const std::vector<Shown> sides = sides_of(figures);
    const auto drawn = [&](const BreakdownFigures::Side& side) {
        return side.busy && !(of_blocks && side.busy->blocks.empty());
    };
    report::PhaseChartOptions options;
    for (const Shown& shown : sides)
        if (drawn(*shown.side))
            options.most =
                std::max(options.most, of_blocks ? report::longest_block(*shown.side->busy)
                                                 : report::longest_bar(*shown.side->busy));
    QStringList said;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto number = static_cast<int>(i);
        if (i >= sides.size() || !drawn(*sides[i].side)) {
            page.setChart(number, {}, {});
            if (i < sides.size())
                said.append(
                    words("%1: busy time %2")
                        .arg(sides[i].letter, sides[i].side->busy
                                                  ? words("unknown for single blocks, because a "
                                                          "device's submissions span several")
                                                  : to_qt(sides[i].side->no_busy)));
            continue;
        }
        const BreakdownFigures::Side& side = *sides[i].side;
        const charts::Ink ink = report::ink_of(side.run);
        page.setChart(number,
                      of_blocks ? report::busy_blocks_chart(*side.busy, ink, options)
                                : report::busy_chart(*side.busy, ink, options),
                      caption_of(sides[i]));
        if (!of_blocks)
            for (const runs::BusyBar& bar : side.busy->bars)
                said.append(sides[i].letter + QStringLiteral(": ") + to_qt(runs::bar_words(bar)));
    }
    page.setWords(said);
}

void show_scaling(ChartPage& page, const std::shared_ptr<const BreakdownFigures>& figures,
                  report::ScalingLaw law, const QString& missing) {
    if (figures == nullptr) {
        page.setChart(0, {}, {});
        page.setWords({missing});
        return;
    }
    report::ScalingChartOptions options;
    options.law = law;
    if (figures->a) options.a = figures->a->run.id;
    if (figures->b) options.b = figures->b->run.id;
    const charts::Chart chart = report::scaling_chart(figures->scaling, options);
    QStringList said = lines_of(runs::scaling_words(figures->scaling));
    for (const QString& line : lines_of(chart.left_out))
        if (!said.contains(line)) said.append(line);
    page.setChart(0, chart, {});
    page.setWords(said);
}

void show_gap(ChartPage& page, const BreakdownFigures* figures) {
    const std::vector<Shown> sides = sides_of(figures);
    QStringList said;
    report::PhaseChartOptions options;
    for (const Shown& shown : sides)
        options.most = std::max(options.most, shown.side->gap.measured);
    for (std::size_t i = 0; i < 2; ++i) {
        if (i >= sides.size()) {
            page.setChart(static_cast<int>(i), {}, {});
            continue;
        }
        const BreakdownFigures::Side& side = *sides[i].side;
        for (const QString& line : lines_of(runs::gap_words(side.gap)))
            said.append(sides.size() == 2 ? sides[i].letter + QStringLiteral(": ") + line : line);
        page.setChart(static_cast<int>(i), report::gap_chart(side.run, side.gap, options),
                      caption_of(sides[i]));
    }
    page.setWords(said);
}

} // namespace blockloom::ui
