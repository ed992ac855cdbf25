// The pages of the Breakdown panel: what the engine found, as charts, words and tables.
#include "canvas/legend_strip.h"
#include "canvas/widget_svg.h"
#include "docks/breakdown/breakdown_dock.h"
#include "docks/breakdown/chart_page.h"
#include "docks/parts/breakdown_chart.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "report/busy_charts.h"
#include "report/busy_tables.h"
#include "session/background_work.h"
#include "session/breakdown_figures.h"
#include "text/numbers.h"

#include <QButtonGroup>
#include <QCursor>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>

#include <algorithm>

namespace blockloom::ui {
namespace {

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

QStringList lines_of(const std::vector<std::string>& words) {
    QStringList lines;
    for (const std::string& line : words) lines.append(from(line));
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
        content.marks.push_back({area.center(), from(part.words), area});
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
                BreakdownDock::tr(
                    "Busy, last repetition: %1 of threads in %2 of execute, %3 of what %4 had")
                    .arg(time_text(busy->busy[execute::Phase::execute]),
                         time_text(busy->wall[execute::Phase::execute]), percent_text(*share),
                         counted(busy->workers, BreakdownDock::tr("worker"),
                                 BreakdownDock::tr("workers"))));
    QString html = paragraph(QStringLiteral("<b>%1</b>").arg(caption_of(shown).toHtmlEscaped()));
    for (const QString& line : lines) html += paragraph(line.toHtmlEscaped());
    return html;
}

} // namespace

void BreakdownDock::showFigures() {
    showBlocks();
    showBusy();
    showScaling();
    showGap();
    QString html;
    for (const Shown& shown : sides_of(figures_.get())) html += report_html(shown);
    show_markup(*words_, html);
    words_->setVisible(!html.isEmpty());
}

void BreakdownDock::showBlocks() {
    Nanoseconds most = 0;
    const std::vector<Shown> sides = sides_of(figures_.get());
    for (const Shown& shown : sides) most = std::max(most, report::longest_block(shown.side->run));
    for (std::size_t i = 0; i < 2; ++i) {
        if (i >= sides.size()) {
            blocks_->setChart(static_cast<int>(i), {}, {});
            continue;
        }
        blocks_->setChart(
            static_cast<int>(i),
            [run = sides[i].side->run, most](const scene::Theme& theme, float width, float height) {
                report::PhaseChartOptions options{&theme, width, height, most};
                return content_of(report::blocks_chart(run, options));
            },
            sides.size() == 2 ? caption_of(sides[i]) : QString());
    }
    if (sides.empty()) {
        blocks_->setLegend({});
        blocks_->setTable(nullptr);
        return;
    }
    using Sign = scene::OverlayLegend::Sign;
    const scene::Colour fill = report::backend_colour(sides[0].side->run, current_theme());
    blocks_->setLegend({sign(Sign::filled, fill,
                             tr("measured, last repetition; hatched: serial, by where it ran"))});
    blocks_->setTable(report::blocks_table(sides[0].side->run));
}

/// Of the run, or of each block as far as its spans tell of blocks.
void BreakdownDock::showBusy() {
    const bool of_blocks = busy_of_->checkedId() == 1;
    const std::vector<Shown> sides = sides_of(figures_.get());
    const auto drawn = [&](const BreakdownFigures::Side& side) {
        return side.busy && !(of_blocks && side.busy->blocks.empty());
    };
    Nanoseconds most = 0;
    for (const Shown& shown : sides)
        if (drawn(*shown.side))
            most = std::max(most, of_blocks ? report::longest_block(*shown.side->busy)
                                            : report::longest_bar(*shown.side->busy));
    QStringList words;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto number = static_cast<int>(i);
        if (i >= sides.size() || !drawn(*sides[i].side)) {
            busy_->setChart(number, {}, {});
            if (i < sides.size())
                words.append(
                    tr("%1: busy time %2")
                        .arg(sides[i].letter,
                             sides[i].side->busy
                                 ? tr("of each block is not told: a device's submissions are of "
                                      "no block")
                                 : from(sides[i].side->no_busy)));
            continue;
        }
        const BreakdownFigures::Side& side = *sides[i].side;
        busy_->setChart(
            number,
            [run = side.run, busy = *side.busy, most, of_blocks](const scene::Theme& theme,
                                                                 float width, float height) {
                const report::PhaseChartOptions options{&theme, width, height, most};
                const scene::Colour colour = report::backend_colour(run, theme);
                return content_of(of_blocks ? report::busy_blocks_chart(busy, colour, options)
                                            : report::busy_chart(busy, colour, options));
            },
            caption_of(sides[i]));
        busy_->canvas(number)->setContentHeight(
            of_blocks ? 0
                      : static_cast<int>(report::busy_chart(*side.busy, {}, {}).list.world.height));
        if (!of_blocks)
            for (const runs::BusyBar& bar : side.busy->bars)
                words.append(sides[i].letter + QStringLiteral(": ") + from(runs::bar_words(bar)));
    }
    busy_->setWords(words);
    if (sides.empty() || !drawn(*sides[0].side)) {
        busy_->setLegend({});
        busy_->setTable(nullptr);
        return;
    }
    using Sign = scene::OverlayLegend::Sign;
    const scene::Colour fill = report::backend_colour(sides[0].side->run, current_theme());
    busy_->setLegend(
        {sign(Sign::filled, fill, tr("worked, measured in the last repetition")),
         sign(Sign::selected, fill, tr("outline: wall × workers or devices, measured"))});
    busy_->setTable(of_blocks ? report::busy_blocks_table(*sides[0].side->busy)
                              : report::busy_table(*sides[0].side->busy));
}

void BreakdownDock::showScaling() {
    if (figures_ == nullptr) {
        speedup_->setChart(0, {}, {});
        speedup_->setLegend({});
        speedup_->setWords(work_->running() ? QStringList{tr("Gathering the kept runs…")}
                                            : QStringList{tr("Choose a run above")});
        speedup_->setTable(nullptr);
        return;
    }
    const runs::ScalingFigures& scaling = figures_->scaling;
    report::ScalingChartOptions options;
    options.law = law_;
    if (figures_->a) options.a = figures_->a->run.id;
    if (figures_->b) options.b = figures_->b->run.id;
    const auto make = [figures = figures_, options](const scene::Theme& theme, float width,
                                                    float height) {
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
                 from(runs::point_words(series, series.points[point.point]))});
        }
        return content;
    };
    if (scaling.baseline.empty())
        speedup_->setChart(0, {}, {});
    else
        speedup_->setChart(0, make, {});
    speedup_->setLegend(report::scaling_legend(scaling, law_, current_theme()));
    speedup_->setWords(lines_of(runs::scaling_words(scaling)));
    speedup_->setTable(report::scaling_table(scaling));
}

void BreakdownDock::showGap() {
    const std::vector<Shown> sides = sides_of(figures_.get());
    QStringList words;
    Nanoseconds most = 0;
    for (const Shown& shown : sides) most = std::max(most, shown.side->gap.measured);
    for (std::size_t i = 0; i < 2; ++i) {
        if (i >= sides.size()) {
            gap_->setChart(static_cast<int>(i), {}, {});
            continue;
        }
        const BreakdownFigures::Side& side = *sides[i].side;
        for (const QString& line : lines_of(runs::gap_words(side.gap)))
            words.append(sides.size() == 2 ? sides[i].letter + QStringLiteral(": ") + line : line);
        if (!side.gap.missing.empty()) {
            gap_->setChart(static_cast<int>(i), {}, {});
            continue;
        }
        gap_->setChart(
            static_cast<int>(i),
            [run = side.run, gap = side.gap, most](const scene::Theme& theme, float width,
                                                   float height) {
                report::PhaseChartOptions options{&theme, width, height, most};
                return ListCanvas::Content{
                    report::gap_chart(gap, report::backend_colour(run, theme), options), {}};
            },
            caption_of(sides[i]));
        gap_->canvas(static_cast<int>(i))
            ->setContentHeight(static_cast<int>(report::gap_chart(side.gap, {}, {}).world.height));
    }
    gap_->setWords(words);
    using Sign = scene::OverlayLegend::Sign;
    if (sides.empty()) {
        gap_->setLegend({});
        gap_->setTable(nullptr);
        return;
    }
    const scene::Colour fill = report::backend_colour(sides[0].side->run, current_theme());
    gap_->setLegend({sign(Sign::filled, fill, tr("measured, last repetition")),
                     sign(Sign::hollow, fill, tr("predicted"))});
    gap_->setTable(report::gap_table(sides[0].side->gap));
}

Status BreakdownDock::exportPhases(const QString& path) const {
    if (path.endsWith(QLatin1StringView(".svg"), Qt::CaseInsensitive))
        return write_svg(*chart_, chart_->accessibleName(), path);
    if (chart_->grab().save(path)) return {};
    return Error{ErrorCode::system, tr("cannot write %1").arg(path).toStdString()};
}

/// The chart that is seen.
void BreakdownDock::exportPage() {
    ChartPage* shown = page(static_cast<Page>(stack_->currentIndex()));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& text, const QString& ending) {
        connect(menu->addAction(text), &QAction::triggered, this, [this, shown, ending] {
            auto* dialog = new QFileDialog(this, tr("Export the chart"));
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->setAcceptMode(QFileDialog::AcceptSave);
            dialog->setDefaultSuffix(ending);
            dialog->setNameFilter(QStringLiteral("*.") + ending);
            dialog->selectFile(QStringLiteral("breakdown.") + ending);
            connect(dialog, &QFileDialog::fileSelected, this, [this, shown](const QString& path) {
                Status done;
                if (shown != nullptr)
                    done = shown->canvas()->exportTo(path);
                else
                    done = exportPhases(path);
                if (!done) showError(from(done.error().message));
            });
            dialog->open();
        });
    };
    add(tr("PNG image…"), QStringLiteral("png"));
    add(tr("SVG drawing…"), QStringLiteral("svg"));
    if (shown != nullptr) add(tr("PDF page…"), QStringLiteral("pdf"));
    menu->popup(QCursor::pos());
}

} // namespace blockloom::ui
