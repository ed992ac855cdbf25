#include "docks/breakdown/breakdown_dock.h"

#include "canvas/panel_bar.h"
#include "charts/chart_view.h"
#include "docks/breakdown/breakdown_pages.h"
#include "docks/breakdown/chart_page.h"
#include "docks/parts/export_menu.h"
#include "docks/parts/run_box.h"
#include "docks/parts/segments.h"
#include "docks/parts/status_badge.h"
#include "look/fitting_label.h"
#include "look/plain_text.h"
#include "look/roles.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/breakdown_model.h"
#include "report/phase_charts.h"
#include "runs/median_repetition.h"
#include "session/background_work.h"
#include "session/breakdown_figures.h"
#include "session/runs.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>
#include <utility>

namespace blockloom::ui {

BreakdownDock::BreakdownDock(Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("breakdown"), tr("Breakdown"), parent), runs_(runs),
      work_(new BackgroundWork(this)), parts_(new QButtonGroup(this)),
      laws_(new QButtonGroup(this)), busy_of_(new QButtonGroup(this)), stack_(new QStackedWidget),
      words_(new QLabel), badge_(new StatusBadge), verdict_(new QLabel),
      interval_(new FittingLabel),
      chart_(new ChartView(QStringLiteral("breakdownChart"), tr("Where the time went"))),
      model_(new BreakdownModel(this)), table_(new Table(tr("Phases of the compared runs"))) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    auto* bar = new PanelBar(body);
    a_ = new RunBox(bar, tr("Run A"), 22);
    b_ = new RunBox(bar, tr("Run B"), 22);
    bar->addCaptioned(tr("A"), a_);
    QToolButton* swap = bar->makeButton("swap", tr("Swap A and B"));
    bar->add(swap);
    bar->addCaptioned(tr("B"), b_);
    bar->addStretch();
    column->addWidget(bar);

    // A time is never shown without the state of its digest: the badge comes before the verdict.
    auto* strip = new QWidget(body);
    strip->setObjectName(QStringLiteral("verdict"));
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(12);
    set_role(verdict_, "title");
    verdict_->setObjectName(QStringLiteral("verdictWords"));
    set_role(interval_, "caption");
    interval_->setAlignment(Qt::AlignLeft);
    row->addWidget(badge_);
    row->addWidget(verdict_);
    row->addWidget(interval_, 1);
    column->addWidget(strip);

    auto* parts = new PanelBar(body);
    parts->add(segments(parts_, {tr("Phases"), tr("Blocks"), tr("Busy"), tr("Speed-up"), tr("Gap")},
                        tr("Breakdown"), "breakdownParts"));
    parts->addStretch();
    column->addWidget(parts);
    stack_->addWidget(makePhases());
    makePages();
    column->addWidget(stack_, 1);
    setBody(body);
    setHelp(tr(
        "<b>Breakdown</b>: where did the time of a run go? Filled bars are measured: each instant "
        "of wall time belongs to one phase. Hatched phases ran serially; the others ran on a "
        "device or on several workers. <b>Busy</b> shows how much of the available time (wall time "
        "× number of workers and devices) was spent working. <b>Speed-up</b> compares all kept "
        "runs of the same blocks with the fastest serial one: points are measured, with their 95 % "
        "interval; dashed curves are predictions; the thickest line is the limit that no device "
        "can exceed. A Karp–Flatt fraction that rises with the workers means growing overhead; a "
        "flat one means a serial part. <b>Gap</b> explains step by step why the wall time is "
        "longer than the work divided evenly. Runs with different results are excluded and named. "
        "Arrow keys step through phases and points, a drag or + zooms in, 0 shows everything."));
    addTitleButton("copy", tr("Copy the phases"), {}, [this] {
        if (!table_->selectionModel()->hasSelection()) table_->selectAll();
        table_->copy();
    });
    setTableTwin([this](bool table) {
        for (ChartPage* page : {blocks_, busy_, speedup_, gap_}) page->showTable(table);
        chart_->showTable(table);
        as_table_ = table;
        showParts();
    });
    setExport([this] { exportPage(); });

    connect(a_, &QComboBox::activated, this,
            [this](int at) { runs_->choose(Runs::Side::a, a_->itemData(at).toString()); });
    connect(b_, &QComboBox::activated, this,
            [this](int at) { runs_->choose(Runs::Side::b, b_->itemData(at).toString()); });
    connect(swap, &QToolButton::clicked, runs_, &Runs::swap);
    connect(parts_, &QButtonGroup::idClicked, stack_, &QStackedWidget::setCurrentIndex);
    connect(laws_, &QButtonGroup::idClicked, this, [this](int law) {
        law_ = static_cast<report::ScalingLaw>(law);
        showScaling();
    });
    connect(busy_of_, &QButtonGroup::idClicked, this, &BreakdownDock::showBusy);
    connect(runs_, &Runs::keptChanged, this, &BreakdownDock::showLists);
    connect(runs_, &Runs::comparedChanged, this, &BreakdownDock::findFigures);
    connect(runs_, &Runs::comparedChanged, this, &BreakdownDock::showCompared);
    connect(runs_, &Runs::comparisonChanged, this, &BreakdownDock::showCompared);
    showLists();
    showCompared();
    showFigures();
}

QWidget* BreakdownDock::makePhases() {
    // In a low window the phases are below the bars: verdict and choice stay visible.
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("breakdownScroll"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(scroll);
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    auto* lines = new QVBoxLayout(page);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(chart_);
    words_->setObjectName(QStringLiteral("breakdownWords"));
    words_->setAccessibleName(tr("Where the time went, in words"));
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setContentsMargins(12, 8, 12, 10);
    lines->addWidget(words_);

    table_->setModel(model_);
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(BreakdownModel::Against, QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair{BreakdownModel::Phase, 96},
                                         {BreakdownModel::Where, 200},
                                         {BreakdownModel::A, 80},
                                         {BreakdownModel::ShareA, 90},
                                         {BreakdownModel::B, 80},
                                         {BreakdownModel::ShareB, 90}})
        header->resizeSection(section, width);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setFixedHeight(26 + 26 * (static_cast<int>(execute::phase_count) + 1) + 2);
    lines->addWidget(table_);
    lines->addStretch(1);
    scroll->setWidget(page);
    return scroll;
}

void BreakdownDock::makePages() {
    blocks_ = new ChartPage(QStringLiteral("blockPhases"), tr("Phases of each block"));
    busy_ = new ChartPage(QStringLiteral("busy"), tr("Busy time and wall time"));
    auto* of = new PanelBar;
    of->add(segments(busy_of_, {tr("Run"), tr("Blocks")}, tr("Busy time of"), "busyOf"));
    of->addStretch();
    busy_->addBar(of);
    speedup_ = new ChartPage(QStringLiteral("scaling"), tr("Speed-up by number of workers"));
    gap_ = new ChartPage(QStringLiteral("gap"), tr("Gap between work and wall time"));
    auto* bar = new PanelBar;
    QStringList names;
    for (int law = 0; law < static_cast<int>(report::ScalingLaw::count); ++law)
        names.append(to_qt(name_of(static_cast<report::ScalingLaw>(law))));
    bar->add(segments(laws_, names, tr("Law"), "scalingLaws"));
    bar->addStretch();
    speedup_->addBar(bar);
    for (ChartPage* page : {blocks_, busy_, speedup_, gap_}) stack_->addWidget(page);
}

ChartPage* BreakdownDock::page(Page page) const {
    switch (page) {
    case Page::blocks:
        return blocks_;
    case Page::busy:
        return busy_;
    case Page::speedup:
        return speedup_;
    case Page::gap:
        return gap_;
    case Page::phases:
        break;
    }
    return nullptr;
}

bool BreakdownDock::working() const {
    return work_->running();
}

/// Spans are read and intervals resampled: off this thread. Figures of other runs are cleared at
/// once.
void BreakdownDock::findFigures() {
    const runs::KeptRun* a = runs_->chosen(Runs::Side::a);
    const runs::KeptRun* b = runs_->chosen(Runs::Side::b);
    if (a == nullptr) std::swap(a, b); // a single run takes the first place
    const auto same = [](const std::optional<BreakdownFigures::Side>& side,
                         const runs::KeptRun* run) {
        return side ? run != nullptr && side->run.id == run->id : run == nullptr;
    };
    if (figures_ != nullptr && !(same(figures_->a, a) && same(figures_->b, b))) figures_.reset();
    if (a == nullptr) {
        work_->cancel();
        return showFigures();
    }
    std::vector<runs::KeptRun> kept;
    for (const runs::KeptRun& run : runs_->kept())
        if (same_inputs(run, *a) || (b != nullptr && same_inputs(run, *b))) kept.push_back(run);
    // Changes of a note or a name change no figure.
    std::vector<std::string> ids{runs_->folder().toStdString()};
    for (const runs::KeptRun& run : kept) ids.push_back(run.id);
    if (figures_ != nullptr && !work_->running() && ids == gathered_) return;
    gathered_ = std::move(ids);
    work_->start(
        [this, a = *a, b = b == nullptr ? std::optional<runs::KeptRun>() : *b,
         kept = std::move(kept), traces = runs_->traces(), folder = runs_->folder().toStdString()](
            const BackgroundWork::Delivery& deliver, ProgressSink&, const std::stop_token& stop) {
            auto found = find_breakdown(a, b, kept, *traces, folder, stop);
            deliver([this, found = std::move(found)] {
                figures_ = found;
                showFigures();
            });
        });
    showFigures();
}

QString BreakdownDock::verdict() const {
    return verdict_->text();
}

void BreakdownDock::showLists() {
    for (QComboBox* box : {a_, b_}) {
        box->clear();
        box->addItem(tr("none"), QString());
        for (const runs::KeptRun& run : runs_->kept()) {
            box->addItem(run_title(run), to_qt(run.id));
            box->setItemData(
                box->count() - 1,
                tr("%1\n%2, %3").arg(to_qt(run.id), source_words(run), time_text(run.wall)),
                Qt::ToolTipRole);
        }
    }
    showCompared();
}

void BreakdownDock::showCompared() {
    const runs::KeptRun* a = runs_->chosen(Runs::Side::a);
    const runs::KeptRun* b = runs_->chosen(Runs::Side::b);
    for (const auto& [box, run, other] : {std::tuple{a_, a, b}, {b_, b, a}}) {
        box->setCurrentIndex(run == nullptr ? 0 : std::max(0, box->findData(to_qt(run->id))));
        if (run != nullptr)
            box->setItemData(box->currentIndex(), run_forms(*run, other), FormsRole);
    }
    if (a == nullptr) std::swap(a, b); // a single run takes the first place
    std::vector<report::PhasesSide> sides;
    for (const auto& [run, letter] : {std::pair{a, "A"}, {b, "B"}})
        if (run != nullptr)
            sides.push_back({run, runs::breakdown_of(*run, runs_->baselineOf(*run)), letter,
                             run_words(*run).toStdString()});
    chart_->setChart(report::phases_chart(sides));
    model_->setRuns(a == nullptr ? std::optional<runs::KeptRun>() : *a,
                    b == nullptr ? std::optional<runs::KeptRun>() : *b);
    for (const int section : {BreakdownModel::B, BreakdownModel::ShareB, BreakdownModel::Against})
        table_->setColumnHidden(section, b == nullptr);
    table_->horizontalHeader()->setSectionResizeMode(
        BreakdownModel::ShareA, b == nullptr ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (b != nullptr) table_->horizontalHeader()->resizeSection(BreakdownModel::ShareA, 90);
    badge_->setVisible(b != nullptr);
    QStringList interval; // the longest form that fits is shown
    if (a != nullptr && b != nullptr) {
        const runs::Equality digests = runs::compare_results(*a, *b).digests;
        badge_->setStatus(mark_of(digests), digests_words(digests));
        const auto comparison = runs_->comparison(); // its intervals take a moment
        verdict_->setText(comparison ? verdict_words(*comparison) : tr("Comparing…"));
        if (comparison) interval = interval_forms(*comparison);
    } else if (a != nullptr) {
        verdict_->setText(to_qt(runs::wall_words(*a)));
        const QString about = run_words(*a);
        interval = {tr("%1 · %2; choose a second run to compare").arg(about, source_words(*a)),
                    tr("%1 · %2").arg(about, source_words(*a)), about};
    } else {
        verdict_->setText(tr("Choose a run above"));
    }
    interval_->setTexts(interval);
    const QString why = runs_->whyNot();
    setEmptyPage(why.isEmpty() ? tr("Replay the open range to see where its time goes. Runs made "
                                    "with blockloom-cli replay are listed, too.")
                               : tr("%1. This panel shows where the time of a run went.").arg(why),
                 why.isEmpty() ? tr("Run") : QString(), [this] { runs_->start(); });
    showEmpty(a == nullptr && runs_->kept().empty());
}

void BreakdownDock::showFigures() {
    show_blocks(*blocks_, figures_.get());
    showBusy();
    showScaling();
    show_gap(*gap_, figures_.get());
    const QString html = report_html(figures_.get());
    show_markup(*words_, html);
    showParts();
}

/// The table of the chart has the phases of both runs: it needs no second one, and the room.
void BreakdownDock::showParts() {
    words_->setVisible(!as_table_ && !words_->text().isEmpty());
    table_->setVisible(!as_table_);
    auto* lines = static_cast<QVBoxLayout*>(chart_->parentWidget()->layout());
    lines->setStretch(0, as_table_ ? 1 : 0);
    lines->setStretch(lines->count() - 1, as_table_ ? 0 : 1); // of the empty end
}

void BreakdownDock::showBusy() {
    show_busy(*busy_, figures_.get(), busy_of_->checkedId() == 1);
}

void BreakdownDock::showScaling() {
    show_scaling(*speedup_, figures_, law_,
                 work_->running() ? tr("Loading the kept runs…") : tr("Choose a run above"));
}

ChartView* BreakdownDock::shownChart() const {
    const ChartPage* shown = page(static_cast<Page>(stack_->currentIndex()));
    return shown == nullptr ? chart_ : shown->view();
}

/// The chart that is visible.
void BreakdownDock::exportPage() {
    show_export_menu(this, {tr("Export the chart"),
                            QStringLiteral("breakdown"),
                            {{"png", tr("PNG image…")},
                             {"svg", tr("SVG drawing…")},
                             {"pdf", tr("PDF page…")},
                             {"csv", tr("CSV table…")}},
                            [this](const QString& path) { return shownChart()->exportTo(path); },
                            [this](const QString& message) { showError(message); }});
}

void BreakdownDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && words_ != nullptr)
        showFigures(); // the words use colours of the theme
}

} // namespace blockloom::ui
