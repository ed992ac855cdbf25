#include "docks/breakdown/breakdown_pages.h"

#include "docks/breakdown/chart_page.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "report/busy_charts.h"
#include "report/busy_tables.h"
#include "session/background_work.h"
#include "session/breakdown_figures.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QCoreApplication>

#include <algorithm>

namespace blockloom::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("BreakdownPages", text);
}

QStringList lines_of(const std::vector<std::string>& words) {
    QStringList lines;
    for (const std::string& line : words) lines.append(to_qt(line));
    return lines;
}

scene::OverlayLegend sign(scene::OverlayLegend::Sign shape, scene::Colour colour,
                          const QString& label) {
    scene::OverlayLegend item;
    item.sign = shape;
    item.colour = colour;
    item.label = label.toStdString();
    return item;
}

/// A and B as far as they are there, each with its letter.
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

/// A chart whose parts are marks.
ListCanvas::Content content_of(report::PartsChart chart) {
    ListCanvas::Content content{std::move(chart.list), {}};
    for (const report::ChartPart& part : chart.parts) {
        const QRectF area(static_cast<double>(part.rect.x), static_cast<double>(part.rect.y),
                          static_cast<double>(part.rect.width),
                          static_cast<double>(part.rect.height));
        content.marks.push_back({area.center(), to_qt(part.words), area});
    }
    return content;
}

QString paragraph(const QString& html) {
    return QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(html);
}

/// The profiling report of a run, and how busy its workers were.
QString report_html(const Shown& shown) {
    QStringList lines = lines_of(shown.side->words);
    if (const auto& busy = shown.side->busy)
        if (const auto share = busy->utilisation())
            lines.append(
                words("Busy, last repetition: %1 of threads in %2 of execute, %3 of what %4 had")
                    .arg(time_text(busy->busy[execute::Phase::execute]),
                         time_text(busy->wall[execute::Phase::execute]), percent_text(*share),
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
    Nanoseconds most = 0;
    const std::vector<Shown> sides = sides_of(figures);
    for (const Shown& shown : sides) most = std::max(most, report::longest_block(shown.side->run));
    for (std::size_t i = 0; i < 2; ++i) {
        if (i >= sides.size()) {
            page.setChart(static_cast<int>(i), {}, {});
            continue;
        }
        page.setChart(
            static_cast<int>(i),
            [run = sides[i].side->run, most](const scene::Theme& theme, float width, float height) {
                report::PhaseChartOptions options{&theme, width, height, most};
                return content_of(report::blocks_chart(run, options));
            },
            sides.size() == 2 ? caption_of(sides[i]) : QString());
    }
    if (sides.empty()) {
        page.setLegend({});
        page.setTable(nullptr);
        return;
    }
    using Sign = scene::OverlayLegend::Sign;
    const scene::Colour fill = report::backend_colour(sides[0].side->run, current_theme());
    page.setLegend({sign(Sign::filled, fill,
                         words("measured, last repetition; hatched: serial, by where it ran"))});
    page.setTable(report::blocks_table(sides[0].side->run));
}

void show_busy(ChartPage& page, const BreakdownFigures* figures, bool of_blocks) {
    const std::vector<Shown> sides = sides_of(figures);
    const auto drawn = [&](const BreakdownFigures::Side& side) {
        return side.busy && !(of_blocks && side.busy->blocks.empty());
    };
    Nanoseconds most = 0;
    for (const Shown& shown : sides)
        if (drawn(*shown.side))
            most = std::max(most, of_blocks ? report::longest_block(*shown.side->busy)
                                            : report::longest_bar(*shown.side->busy));
    QStringList said;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto number = static_cast<int>(i);
        if (i >= sides.size() || !drawn(*sides[i].side)) {
            page.setChart(number, {}, {});
            if (i < sides.size())
                said.append(
                    words("%1: busy time %2")
                        .arg(sides[i].letter,
                             sides[i].side->busy
                                 ? words("of each block is not told: a device's submissions are of "
                                         "no block")
                                 : to_qt(sides[i].side->no_busy)));
            continue;
        }
        const BreakdownFigures::Side& side = *sides[i].side;
        page.setChart(
            number,
            [run = side.run, busy = *side.busy, most, of_blocks](const scene::Theme& theme,
                                                                 float width, float height) {
                const report::PhaseChartOptions options{&theme, width, height, most};
                const scene::Colour colour = report::backend_colour(run, theme);
                return content_of(of_blocks ? report::busy_blocks_chart(busy, colour, options)
                                            : report::busy_chart(busy, colour, options));
            },
            caption_of(sides[i]));
        page.canvas(number)->setContentHeight(
            of_blocks ? 0
                      : static_cast<int>(report::busy_chart(*side.busy, {}, {}).list.world.height));
        if (!of_blocks)
            for (const runs::BusyBar& bar : side.busy->bars)
                said.append(sides[i].letter + QStringLiteral(": ") + to_qt(runs::bar_words(bar)));
    }
    page.setWords(said);
    if (sides.empty() || !drawn(*sides[0].side)) {
        page.setLegend({});
        page.setTable(nullptr);
        return;
    }
    using Sign = scene::OverlayLegend::Sign;
    const scene::Colour fill = report::backend_colour(sides[0].side->run, current_theme());
    page.setLegend(
        {sign(Sign::filled, fill, words("worked, measured in the last repetition")),
         sign(Sign::selected, fill, words("outline: wall × workers or devices, measured"))});
    page.setTable(of_blocks ? report::busy_blocks_table(*sides[0].side->busy)
                            : report::busy_table(*sides[0].side->busy));
}

void show_scaling(ChartPage& page, const std::shared_ptr<const BreakdownFigures>& figures,
                  report::ScalingLaw law, const QString& missing) {
    if (figures == nullptr) {
        page.setChart(0, {}, {});
        page.setLegend({});
        page.setWords({missing});
        page.setTable(nullptr);
        return;
    }
    const runs::ScalingFigures& scaling = figures->scaling;
    report::ScalingChartOptions options;
    options.law = law;
    if (figures->a) options.a = figures->a->run.id;
    if (figures->b) options.b = figures->b->run.id;
    const auto make = [figures, options](const scene::Theme& theme, float width, float height) {
        report::ScalingChartOptions at = options;
        at.theme = &theme;
        at.width = width;
        at.height = height;
        report::ScalingChart chart = report::scaling_chart(figures->scaling, at);
        ListCanvas::Content content{std::move(chart.list), {}};
        for (const report::ChartPoint& point : chart.points) {
            const runs::ScalingSeries& series = figures->scaling.series[point.series];
            content.marks.push_back(
                {QPointF(static_cast<double>(point.at.x), static_cast<double>(point.at.y)),
                 to_qt(runs::point_words(series, series.points[point.point]))});
        }
        return content;
    };
    if (scaling.baseline.empty())
        page.setChart(0, {}, {});
    else
        page.setChart(0, make, {});
    page.setLegend(report::scaling_legend(scaling, law, current_theme()));
    page.setWords(lines_of(runs::scaling_words(scaling)));
    page.setTable(report::scaling_table(scaling));
}

void show_gap(ChartPage& page, const BreakdownFigures* figures) {
    const std::vector<Shown> sides = sides_of(figures);
    QStringList said;
    Nanoseconds most = 0;
    for (const Shown& shown : sides) most = std::max(most, shown.side->gap.measured);
    for (std::size_t i = 0; i < 2; ++i) {
        if (i >= sides.size()) {
            page.setChart(static_cast<int>(i), {}, {});
            continue;
        }
        const BreakdownFigures::Side& side = *sides[i].side;
        for (const QString& line : lines_of(runs::gap_words(side.gap)))
            said.append(sides.size() == 2 ? sides[i].letter + QStringLiteral(": ") + line : line);
        if (!side.gap.missing.empty()) {
            page.setChart(static_cast<int>(i), {}, {});
            continue;
        }
        page.setChart(
            static_cast<int>(i),
            [run = side.run, gap = side.gap, most](const scene::Theme& theme, float width,
                                                   float height) {
                report::PhaseChartOptions options{&theme, width, height, most};
                return ListCanvas::Content{
                    report::gap_chart(gap, report::backend_colour(run, theme), options), {}};
            },
            caption_of(sides[i]));
        page.canvas(static_cast<int>(i))
            ->setContentHeight(static_cast<int>(report::gap_chart(side.gap, {}, {}).world.height));
    }
    page.setWords(said);
    using Sign = scene::OverlayLegend::Sign;
    if (sides.empty()) {
        page.setLegend({});
        page.setTable(nullptr);
        return;
    }
    const scene::Colour fill = report::backend_colour(sides[0].side->run, current_theme());
    page.setLegend({sign(Sign::filled, fill, words("measured, last repetition")),
                    sign(Sign::hollow, fill, words("predicted"))});
    page.setTable(report::gap_table(sides[0].side->gap));
}

} // namespace blockloom::ui
