#include "docks/schedule/schedule_dock.h"

#include "canvas/panel_bar.h"
#include "canvas/renderer_hud.h"
#include "docks/parts/minimap.h"
#include "docks/parts/run_box.h"
#include "docks/parts/table_twin.h"
#include "docks/parts/view_export.h"
#include "docks/parts/view_pane.h"
#include "docks/schedule/schedule_axes.h"
#include "docks/schedule/schedule_figures.h"
#include "docks/schedule/wait_arrows.h"
#include "look/fitting_label.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "models/view_words.h"
#include "scene/gantt.h"
#include "session/measured_run.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::array strategies{schedule::Strategy::levels, schedule::Strategy::list,
                                schedule::Strategy::optimistic};
constexpr std::array colours{scene::ColourBy::batch, scene::ColourBy::group, scene::ColourBy::cost,
                             scene::ColourBy::status, scene::ColourBy::plain};

constexpr std::size_t minimap_parts = 400;
constexpr int low_panel = 340, very_low_panel = 224; // px

int position(schedule::Strategy strategy) {
    return static_cast<int>(std::find(strategies.begin(), strategies.end(), strategy) -
                            strategies.begin());
}

} // namespace

struct ScheduleDock::State {
    Session* session = nullptr;
    ViewPane* pane = nullptr;
    Minimap* minimap = nullptr;
    RendererHud* hud = nullptr;
    MeasuredRun* measured = nullptr;
    QComboBox *strategy = nullptr, *colour = nullptr, *run = nullptr;
    PanelBar* bar = nullptr;
    QToolButton* beside = nullptr;
    QSpinBox* workers = nullptr;
    QLabel *cost = nullptr, *zoom = nullptr;
    FittingLabel* figures = nullptr;
    scene::ViewOptions options;
    GanttFrame frame;
    bool shows_error = false; ///< of the measured run
    bool as_table = false;
};

ScheduleDock::ScheduleDock(Session* session, QWidget* parent)
    : ScheduleDock(session, RendererFactory(), parent) {}

ScheduleDock::ScheduleDock(Session* session, Runs* runs, QWidget* parent)
    : ScheduleDock(session, RendererFactory(), parent) {
    setMeasured(MeasuredRun::of(session, runs));
}

ScheduleDock::ScheduleDock(Session* session, RendererFactory factory, QWidget* parent)
    : Dock(QStringLiteral("schedule"), tr("Schedule"), parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.options.theme = &current_theme();
    s.options.view = scene::View::schedule;
    s.options.gantt_axes = false; // they follow the camera: axes()
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    scene::Minimap look;
    look.left = gantt_left;
    look.right = gantt_right;
    look.anchor = scene::Anchor::right;
    s.minimap = new Minimap(look, 26, body);
    s.minimap->setObjectName(QStringLiteral("scheduleMinimap"));
    s.minimap->setWords(tr("whole run"));
    s.minimap->setToolTip(
        tr("The whole run: busy workers over time. Drag to move the visible part."));
    column->addWidget(s.minimap);
    s.pane = new ViewPane(session, SceneCanvas::Axes::horizontal, std::move(factory), body);
    column->addWidget(s.pane, 1);
    setBody(body);
    build();
    remake();
}

ScheduleDock::~ScheduleDock() = default;

QWidget* ScheduleDock::makeBar() {
    enum Yields { stays = 0, figures, beside, workers, colour, cost, zoom };
    State& s = *state_;
    auto* bar = new PanelBar;
    s.bar = bar;
    s.strategy = new QComboBox(bar);
    for (const auto strategy : strategies) s.strategy->addItem(title_of(strategy));
    s.workers = new QSpinBox(bar);
    s.workers->setRange(1, static_cast<int>(Session::most_workers));
    s.workers->setKeyboardTracking(false);
    s.workers->setFixedWidth(56);
    s.colour = new QComboBox(bar);
    for (const auto by : colours) s.colour->addItem(title_of(by));
    s.run = new RunBox(bar, tr("Measured run"), 10);
    s.run->setObjectName(QStringLiteral("scheduleRun"));
    s.beside = new QToolButton(bar);
    s.beside->setObjectName(QStringLiteral("scheduleBeside"));
    s.beside->setText(tr("Beside"));
    s.beside->setAccessibleName(tr("Runs beside the measured one"));
    s.beside->setProperty("framed", true);
    s.beside->setFixedHeight(26);
    s.beside->setPopupMode(QToolButton::InstantPopup);
    s.beside->setMenu(new QMenu(s.beside));
    s.cost = new QLabel(bar);
    s.cost->setProperty("role", QStringLiteral("second"));
    s.figures = new FittingLabel(bar);
    s.figures->setAccessibleName(tr("Figures of the schedules"));
    s.figures->setMinimumWidth(1); // shows nothing rather than widen the panel
    s.zoom = new QLabel(tr("%1 %").arg(100), bar);
    s.zoom->setProperty("role", QStringLiteral("second"));
    s.zoom->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    s.zoom->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("1,000 %")));
    s.zoom->setAccessibleName(tr("Zoom"));
    auto* fit = bar->makeButton("fit", tr("Fit (F)"));
    bar->addCaptioned(tr("Schedule"), s.strategy);
    bar->addCaptioned(tr("Measured"), s.run, stays);
    bar->add(s.beside, beside);
    bar->addCaptioned(tr("Workers"), s.workers, workers);
    bar->addCaptioned(tr("Colour"), s.colour, colour);
    bar->add(s.cost, cost);
    bar->add(s.figures, stays);
    bar->add(fit, stays);
    bar->add(s.zoom, zoom);

    connect(s.strategy, &QComboBox::activated, this, [this](int i) {
        state_->session->setStrategy(strategies[static_cast<std::size_t>(i)]);
    });
    connect(s.workers, &QSpinBox::valueChanged, this,
            [this](int value) { state_->session->setWorkers(static_cast<quint32>(value)); });
    connect(s.colour, &QComboBox::activated, this,
            [this](int i) { setColourBy(colours[static_cast<std::size_t>(i)]); });
    connect(s.run, &QComboBox::activated, this, [this](int i) {
        if (state_->measured != nullptr)
            state_->measured->choose(state_->run->itemData(i).toString());
    });
    connect(s.beside->menu(), &QMenu::triggered, this, [this](const QAction* action) {
        QStringList ids = state_->measured->beside();
        const QString id = action->data().toString();
        if (action->isChecked())
            ids.append(id);
        else
            ids.removeAll(id);
        state_->measured->setBeside(ids);
    });
    bar->setWanted(s.run, false);
    bar->setWanted(s.beside, false);
    connect(fit, &QToolButton::clicked, this, [this] { canvas()->fit(); });
    return bar;
}

void ScheduleDock::build() {
    State& s = *state_;
    setEmptyPage(tr("Open a range and choose a block to see when each of its tasks would run."));
    setTableTwin([this](bool on) {
        state_->pane->showTable(on);
        state_->as_table = on;
        fitHeight();
    });
    setExport([this] {
        export_view_dialog(this, *state_->pane, file_name(*state_->pane, tr("schedule")),
                           [this](const QString& message) { showError(message); });
    });
    s.hud = new RendererHud(canvas());
    const QToolButton* statistics =
        addTitleButton("wave", tr("Renderer statistics"), QKeySequence(Qt::Key_O), [] {});
    statistics->defaultAction()->setCheckable(true);
    connect(statistics->defaultAction(), &QAction::toggled, s.hud, &RendererHud::setShown);
    setHelp(help_of(s.options));
    s.pane->setFurniture(
        [this](const scene::Camera& camera, QSize size) { return axes(camera, size); });
    canvas()->setAccessibleName(tr("Schedule"));
    canvas()->installEventFilter(this);
    connect(canvas(), &SceneCanvas::viewChanged, this, &ScheduleDock::showWindow);
    connect(canvas(), &SceneCanvas::zoomChanged, this, [this](int percent) {
        state_->zoom->setText(tr("%1 %").arg(count_text(static_cast<quint64>(percent))));
    });
    connect(s.minimap, &Minimap::windowAsked, this, [this](double from, double to) {
        canvas()->showSpan(from * state_->frame.runTo, to * state_->frame.runTo);
    });
    connect(s.session, &Session::scheduleChanged, this, &ScheduleDock::remake);
    connect(s.session, &Session::optionsChanged, this,
            [this] { setBefore(state_->pane->hasList()); });
    connect(s.session, &Session::busyChanged, this,
            [this] { setBefore(state_->session->showsBefore() && state_->pane->hasList()); });
    connect(s.pane, &ViewPane::listShown, this, &ScheduleDock::listShown);
    connect(s.pane, &ViewPane::renderFailed, this, [this](const QString& message) {
        showError(
            tr("The GPU renderer failed; drawing continues on the CPU (Cairo): %1").arg(message));
        Q_EMIT rendererNote(message);
    });
}

ViewPane* ScheduleDock::pane() const {
    return state_->pane;
}

SceneCanvas* ScheduleDock::canvas() const {
    return state_->pane->canvas();
}

void ScheduleDock::setColourBy(scene::ColourBy colour) {
    if (colour == state_->options.colour_by) return;
    state_->options.colour_by = colour;
    remake();
}

void ScheduleDock::remake() {
    State& s = *state_;
    const QSignalBlocker quiet(s.workers);
    s.strategy->setCurrentIndex(position(s.session->strategy()));
    s.workers->setValue(static_cast<int>(s.session->workers()));
    s.colour->setCurrentIndex(static_cast<int>(
        std::find(colours.begin(), colours.end(), s.options.colour_by) - colours.begin()));
    const auto block = s.session->currentBlock();
    showEmpty(!block);
    if (!block) {
        s.pane->clear();
        s.minimap->setBars({});
        setBefore(false);
        return;
    }
    s.options.strategy = s.session->strategy();
    s.options.workers = s.session->workers();
    const auto measured = s.measured != nullptr ? s.measured->view() : nullptr;
    const bool of_block = measured && measured->block == block;
    s.pane->show({block, s.session->currentSchedule(), s.options, of_block ? measured : nullptr});
}

void ScheduleDock::setMeasured(MeasuredRun* measured) {
    state_->measured = measured;
    connect(measured, &MeasuredRun::changed, this, [this] {
        showRuns();
        remake();
    });
    showRuns();
    remake();
}

void ScheduleDock::showRuns() {
    State& s = *state_;
    const auto choices = s.measured->choices();
    s.run->clear();
    s.run->addItem(tr("none"), QString());
    for (const MeasuredRun::Choice& choice : choices) s.run->addItem(choice.name, choice.id);
    s.run->setCurrentIndex(std::max(0, s.run->findData(s.measured->chosen())));
    s.run->setToolTip(s.run->currentText());
    showBeside(choices);
    s.bar->setWanted(s.run, !choices.empty());
    // If the user chose a run that has nothing to show, that is an error; otherwise it is only a
    // note.
    const QString why = s.measured->why();
    if (!why.isEmpty() && s.measured->isByUser()) {
        showError(tr("The measured run cannot be shown: %1").arg(why));
        s.shows_error = true;
    } else if (std::exchange(s.shows_error, false)) {
        clearError();
    }
}

/// The menu of the runs that can be shown below the chosen one.
void ScheduleDock::showBeside(const std::vector<MeasuredRun::Choice>& choices) {
    State& s = *state_;
    const QStringList beside = s.measured->beside();
    QMenu* const menu = s.beside->menu();
    if (menu->isVisible()) return; // it stays open while runs are ticked
    menu->clear();
    for (const MeasuredRun::Choice& choice : choices) {
        if (choice.id == s.measured->chosen()) continue;
        QAction* const action = menu->addAction(literal_title(choice.name));
        action->setCheckable(true);
        action->setChecked(beside.contains(choice.id));
        action->setData(choice.id);
        action->setEnabled(action->isChecked() || beside.size() < MeasuredRun::most_beside);
    }
    const bool any = !menu->isEmpty() && !s.measured->chosen().isEmpty();
    s.bar->setWanted(s.beside, any);
    s.beside->setText(beside.isEmpty() ? tr("Beside") : tr("Beside: %1").arg(beside.size()));
    const auto view = s.measured->view();
    s.beside->setToolTip(view && !view->not_beside.isEmpty()
                             ? tr("Not shown: %1").arg(view->not_beside)
                             : tr("Other runs of this block, below the measured one on the same "
                                  "axis"));
    s.bar->refit();
}

void ScheduleDock::listShown() {
    State& s = *state_;
    const ViewJob& shown = s.pane->shown();
    const schedule::BlockAnalysis& analysis = shown.block->analysis;
    const auto list = canvas()->list();
    setBefore(s.session->showsBefore());
    auto legend = scene::make_legend(analysis, shown.options);
    if (shown.measured) {
        const auto at = std::find_if(legend.begin(), legend.end(), [](const auto& item) {
            return item.sign == scene::OverlayLegend::Sign::hollow;
        });
        scene::OverlayLegend filled;
        filled.sign = scene::OverlayLegend::Sign::filled;
        filled.colour = shown.options.theme->text2;
        filled.label = tr("measured").toStdString();
        const auto next = legend.insert(at == legend.end() ? at : at + 1, filled);
        if (shown.measured->drawn->aborted != 0) {
            filled.sign = scene::OverlayLegend::Sign::hatched;
            filled.label = tr("striped: aborted and re-executed").toStdString();
            legend.insert(next + 1, filled);
        }
    }
    using Sign = scene::OverlayLegend::Sign;
    // What tells predicted from measured comes first: a low panel may cut the end.
    std::stable_partition(legend.begin(), legend.end(), [&](const auto& item) {
        return item.sign == Sign::hollow || item.sign == Sign::filled || item.sign == Sign::hatched;
    });
    // The arrows to the selected task.
    const scene::Colour accent = shown.options.theme->accent;
    legend.push_back({Sign::line, accent, tr("waited for a task").toStdString(), {}, {}});
    legend.push_back(
        {Sign::dashed_line, accent, tr("waited for a free worker").toStdString(), {}, {}});
    s.pane->legend()->setItems(legend);
    s.frame = {};
    if (shown.measured) {
        frameBoth(*shown.measured);
    } else {
        s.frame.makespan = shown.schedule->makespan;
        s.frame.is_time = costs_are_times(analysis);
        s.frame.unit = axis_unit(analysis);
        const float end = list->gantt.run_end; // 0: a schedule without tasks
        s.frame.runTo = static_cast<double>(end > 0 ? end : list->world.x + list->world.width);
        for (const scene::Lane& lane : list->gantt.predicted)
            s.frame.lanes.push_back({lane.middle(), tr("worker %1").arg(s.frame.lanes.size())});
        s.minimap->setBars({{busy_shares(*shown.schedule, minimap_parts)}});
    }
    canvas()->setRun(0, s.frame.runTo, gantt_margins);
    showFigures();
    showWindow();
}

/// Predicted lanes come first; each Gantt has a caption above it.
void ScheduleDock::frameBoth(const MeasuredView& measured) {
    State& s = *state_;
    const ViewJob& shown = s.pane->shown();
    const schedule::Schedule& real = measured.drawn->schedule;
    s.frame.makespan = std::max(shown.schedule->makespan, real.makespan);
    s.frame.is_time = true;
    s.frame.runTo = static_cast<double>(scene::gantt_width);
    const scene::GanttPlaces& places = canvas()->list()->gantt;
    if (places.measured.empty()) return;
    const auto caption = [&](const std::vector<scene::Lane>& lanes, const QString& text) {
        if (!lanes.empty()) s.frame.captions.push_back({lanes.front().top, text});
    };
    for (const scene::Lane& lane : places.predicted)
        s.frame.lanes.push_back({lane.middle(), tr("worker %1").arg(s.frame.lanes.size())});
    // A device's streams by what they do; the caption says which device it is.
    for (std::size_t i = 0; i < places.measured.size(); ++i)
        s.frame.lanes.push_back(
            {places.measured[i].middle(), to_qt(measured.drawn->lanes[i])
                                              .section(QStringLiteral(" · "), -1)
                                              .section(QStringLiteral(": "), -1)});
    caption(places.predicted, tr("predicted from the measured costs"));
    caption(places.measured, measured.window > 1
                                 ? tr("measured · %1 · block window of %2: host lanes show this "
                                      "block only, device lanes the whole block window")
                                       .arg(measured.name, count_text(measured.window))
                                 : tr("measured · %1").arg(measured.name));
    for (const MeasuredView::Beside& run : measured.beside)
        if (run.first_lane < places.measured.size())
            s.frame.captions.push_back(
                {places.measured[run.first_lane].top,
                 tr("measured · %1 · makespan %2")
                     .arg(run.name, time_text(static_cast<qint64>(run.makespan)))});
    // The minimap shows what was measured, over the whole axis.
    schedule::Schedule whole = real;
    for (const schedule::DeviceBar& bar : measured.drawn->device)
        whole.slots.push_back({0, bar.lane, bar.start, bar.end, false});
    whole.makespan = s.frame.makespan;
    s.minimap->setBars({{busy_shares(whole, minimap_parts)}});
}

void ScheduleDock::showFigures() {
    State& s = *state_;
    const ViewJob& shown = s.pane->shown();
    const schedule::BlockAnalysis& analysis = shown.block->analysis;
    if (!shown.measured) {
        const QString why = s.measured != nullptr ? s.measured->why() : QString();
        s.cost->setText(why.isEmpty() ? tr("Cost: %1").arg(cost_words(analysis))
                                      : tr("Cost: %1 · no measured run").arg(cost_words(analysis)));
        s.cost->setToolTip(why);
        const ScheduleFigures figures = figures_of(*analysis.index, *shown.schedule);
        const QString span = makespan_text(analysis, shown.schedule->makespan);
        const QString speedup = ratio_text(figures.predicted_speedup);
        s.figures->setTexts({tr("Makespan %1 predicted · Speed-up %2 predicted · Workers busy %3")
                                 .arg(span, speedup, percent_text(figures.busy_share)),
                             tr("Makespan %1 predicted · Speed-up %2 predicted").arg(span, speedup),
                             tr("%1 · %2 predicted").arg(span, speedup), QString()});
        return;
    }
    const schedule::Schedule& real = shown.measured->measured->schedule;
    const QString measured = time_text(static_cast<qint64>(real.makespan));
    s.cost->setText(tr("Cost: measured"));
    if (!shown.measured->analysis) {
        s.cost->setText(tr("No prediction: %1").arg(shown.measured->no_prediction));
        s.cost->setToolTip(s.cost->text());
        s.figures->setTexts({tr("Makespan %1 measured").arg(measured), QString()});
        return;
    }
    const conflict::ConflictIndex& index = *shown.measured->analysis->index;
    const QString span = time_text(static_cast<qint64>(shown.schedule->makespan));
    const QString predicted = ratio_text(figures_of(index, *shown.schedule).predicted_speedup);
    // Relative to the sum of the same times, so that both refer to the same work.
    const QString reached = ratio_text(figures_of(index, real).predicted_speedup);
    s.figures->setTexts(
        {tr("Makespan %1 predicted, %2 measured · Work / makespan %3 predicted, %4 measured")
             .arg(span, measured, predicted, reached),
         tr("Makespan %1 predicted, %2 measured").arg(span, measured),
         tr("%1 predicted, %2 measured").arg(span, measured), QString()});
}

std::vector<scene::Layer> ScheduleDock::axes(const scene::Camera& camera, QSize size) const {
    const State& s = *state_;
    std::vector<scene::Layer> layers;
    const ViewJob& shown = s.pane->shown();
    const auto task = s.session->selectedTask();
    const auto current = s.session->currentBlock();
    if (task && shown.block && shown.schedule && current && shown.block->trace == current->trace &&
        *task < shown.block->analysis.index->tasks()) {
        const conflict::ConflictIndex& index = *shown.block->analysis.index;
        scene::Layer arrows;
        arrows.space = scene::Space::screen;
        const auto add = [&](const schedule::Schedule& schedule, std::size_t lane,
                             std::span<const conflict::TaskId> under) {
            if (const auto wait = schedule::wait_of(index, schedule, *task, under))
                add_wait_arrows(arrows, s.frame, {&schedule, lane}, *wait, camera, size,
                                *s.options.theme);
        };
        if (shown.schedule->makespan != 0) add(*shown.schedule, 0, {});
        if (shown.measured)
            add(shown.measured->measured->schedule,
                shown.schedule->makespan == 0 ? 0 : shown.schedule->workers,
                shown.measured->measured->stands_under);
        layers.push_back(std::move(arrows));
    }
    layers.push_back(schedule_axes(s.frame, camera, size, *s.options.theme));
    return layers;
}

void ScheduleDock::showWindow() {
    const auto [from, to] = canvas()->shownSpan();
    if (state_->frame.runTo > 0)
        state_->minimap->setWindow(from / state_->frame.runTo, to / state_->frame.runTo);
}

/// Captions are as high as a line: how much of a chart that is depends on its height.
bool ScheduleDock::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && state_ && state_->pane != nullptr &&
        watched == canvas()) {
        constexpr int step = 8; // pixels: not at each of them
        const int height = canvas()->height() - gantt_margins.top() - gantt_margins.bottom();
        const auto pixels = static_cast<float>(std::max(height, step) / step * step);
        if (std::exchange(state_->options.gantt_pixels, pixels) != pixels &&
            state_->pane->shown().measured)
            remake();
    }
    return Dock::eventFilter(watched, event);
}

void ScheduleDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    if (state_ && state_->pane != nullptr) fitHeight();
}

/// In a low panel the lanes have the room: its legend is a row, with the whole legend as its
/// tooltip; in a very low one the axis alone says how long the run is.
void ScheduleDock::fitHeight() {
    state_->pane->legend()->setMostRows(height() < low_panel ? 1 : 0);
    state_->minimap->setVisible(!state_->as_table && height() >= very_low_panel);
}

void ScheduleDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !state_ || state_->pane == nullptr) return;
    if (state_->options.theme == &current_theme()) return;
    state_->options.theme = &current_theme();
    remake();
}

} // namespace blockloom::ui
