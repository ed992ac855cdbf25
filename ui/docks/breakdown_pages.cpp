// The pages of the Breakdown panel: what the engine found, as charts, words and tables.
#include "canvas/legend_strip.h"
#include "docks/breakdown_chart.h"
#include "docks/breakdown_dock.h"
#include "docks/chart_page.h"
#include "look/numbers.h"
#include "look/theme_style.h"
#include "report/phase_charts.h"
#include "session/background_work.h"
#include "session/breakdown_figures.h"

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

QString paragraph(const QString& html) {
    return QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(html);
}

/// The profiling report of a run, and how busy its workers were.
QString report_html(const Shown& shown) {
    QStringList lines = lines_of(shown.side->words);
    if (const auto& busy = shown.side->busy)
        if (const auto share = busy->utilisation())
            lines.append(
                BreakdownDock::tr("Busy: %1 of threads in %2 of execute, %3 of what %4 had")
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
    showScaling();
    showGap();
    QString html;
    for (const Shown& shown : sides_of(figures_.get())) html += report_html(shown);
    words_->setText(html);
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
                return ListCanvas::Content{report::blocks_chart(run, options), {}};
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
    blocks_->setLegend(
        {sign(Sign::filled, fill, tr("measured; hatched: serial, by where it ran"))});
    blocks_->setTable(report::blocks_table(sides[0].side->run));
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
    const report::ScalingFigures& scaling = figures_->scaling;
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
            const report::ScalingSeries& series = figures->scaling.series[point.series];
            content.marks.push_back(
                {QPointF(static_cast<double>(point.at.x), static_cast<double>(point.at.y)),
                 from(report::point_words(series, series.points[point.point]))});
        }
        return content;
    };
    if (scaling.baseline.empty())
        speedup_->setChart(0, {}, {});
    else
        speedup_->setChart(0, make, {});
    speedup_->setLegend(report::scaling_legend(scaling, law_, current_theme()));
    speedup_->setWords(lines_of(report::scaling_words(scaling)));
    speedup_->setTable(report::scaling_table(scaling));
}

void BreakdownDock::showGap() {
    const std::vector<Shown> sides = sides_of(figures_.get());
    QStringList words;
    for (std::size_t i = 0; i < 2; ++i) {
        if (i >= sides.size()) {
            gap_->setChart(static_cast<int>(i), {}, {});
            continue;
        }
        const BreakdownFigures::Side& side = *sides[i].side;
        for (const QString& line : lines_of(report::gap_words(side.gap)))
            words.append(sides.size() == 2 ? sides[i].letter + QStringLiteral(": ") + line : line);
        if (!side.gap.missing.empty()) {
            gap_->setChart(static_cast<int>(i), {}, {});
            continue;
        }
        gap_->setChart(
            static_cast<int>(i),
            [run = side.run, gap = side.gap](const scene::Theme& theme, float width, float height) {
                report::PhaseChartOptions options{&theme, width, height, 0};
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
    gap_->setLegend(
        {sign(Sign::filled, fill, tr("measured")), sign(Sign::hollow, fill, tr("predicted"))});
    gap_->setTable(report::gap_table(sides[0].side->gap));
}

/// The chart that is seen; of the phases, as a picture of pixels.
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
                else if (!chart_->grab().save(path))
                    done = Error{ErrorCode::system, tr("cannot write %1").arg(path).toStdString()};
                if (!done) showError(from(done.error().message));
            });
            dialog->open();
        });
    };
    add(tr("PNG image…"), QStringLiteral("png"));
    if (shown != nullptr) {
        add(tr("SVG drawing…"), QStringLiteral("svg"));
        add(tr("PDF page…"), QStringLiteral("pdf"));
    }
    menu->popup(QCursor::pos());
}

} // namespace blockloom::ui
