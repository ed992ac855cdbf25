#include "docks/graph/graph_dock.h"

#include "canvas/renderer_hud.h"
#include "docks/graph/graph_bar.h"
#include "docks/parts/table_twin.h"
#include "docks/parts/view_export.h"
#include "docks/parts/view_pane.h"
#include "look/theme_style.h"
#include "models/view_words.h"
#include "session/session.h"
#include "text/to_qt.h"

#include <QAction>
#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>

namespace blockloom::ui {

struct GraphDock::State {
    Session* session = nullptr;
    GraphBar* bar = nullptr;
    ViewPane* pane = nullptr;
    QToolButton* hudButton = nullptr;
    RendererHud* hud = nullptr;
    scene::ViewOptions options;
    bool chosen = false; ///< the user chose a view
};

GraphDock::GraphDock(Session* session, QWidget* parent) : GraphDock(session, {}, parent) {}

GraphDock::GraphDock(Session* session, RendererFactory factory, QWidget* parent)
    : Dock(QStringLiteral("graph"), tr("Graph"), parent), state_(std::make_unique<State>()) {
    state_->session = session;
    state_->options.theme = &current_theme();
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    state_->bar = new GraphBar(body);
    state_->pane = new ViewPane(session, SceneCanvas::Axes::both, std::move(factory), body);
    column->addWidget(state_->bar);
    column->addWidget(state_->pane, 1);
    setBody(body);
    build();
    showOptions();
    sessionBlock();
}

GraphDock::~GraphDock() = default;

void GraphDock::build() {
    State& s = *state_;
    setEmptyPage(tr("Open a range and choose a block to see its conflict graph."));
    setTableTwin([this](bool on) { state_->pane->showTable(on); });
    setExport([this] {
        export_view_dialog(this, *state_->pane, file_name(*state_->pane, tr("graph")),
                           [this](const QString& message) { showError(message); });
    });
    s.hud = new RendererHud(canvas());
    s.hudButton = addTitleButton("wave", tr("Renderer statistics"), QKeySequence(Qt::Key_O), [] {});
    s.hudButton->defaultAction()->setCheckable(true);
    connect(s.hudButton->defaultAction(), &QAction::toggled, this, &GraphDock::setHudShown);

    connect(s.bar, &GraphBar::viewChosen, this, &GraphDock::setView);
    connect(s.bar, &GraphBar::colourChosen, this, &GraphDock::setColourBy);
    connect(s.bar, &GraphBar::orderChosen, this, &GraphDock::setOrder);
    connect(s.bar, &GraphBar::chainChosen, this, &GraphDock::setCriticalChain);
    connect(s.bar, &GraphBar::hudChosen, this, &GraphDock::setHudShown);
    connect(s.bar, &GraphBar::modelChosen, this,
            [this](conflict::ConflictModel model) { state_->session->setModel(model); });
    connect(s.bar, &GraphBar::fitAsked, canvas(), &SceneCanvas::fit);
    connect(canvas(), &SceneCanvas::zoomChanged, s.bar, &GraphBar::showZoom);
    canvas()->setAccessibleName(tr("Conflict graph"));

    connect(s.session, &Session::blockChanged, this, &GraphDock::sessionBlock);
    connect(s.session, &Session::optionsChanged, this, [this] {
        state_->bar->showModel(state_->session->options().model);
        setBefore(state_->pane->hasList());
    });
    connect(s.session, &Session::busyChanged, this,
            [this] { setBefore(state_->session->showsBefore() && state_->pane->hasList()); });
    connect(s.pane, &ViewPane::listShown, this, &GraphDock::listShown);
    connect(s.pane, &ViewPane::renderFailed, this, [this](const QString& message) {
        showError(
            tr("The GPU renderer failed; drawing continues on the CPU (Cairo): %1").arg(message));
        Q_EMIT rendererNote(message);
    });
}

ViewPane* GraphDock::pane() const {
    return state_->pane;
}

SceneCanvas* GraphDock::canvas() const {
    return state_->pane->canvas();
}

const scene::ViewOptions& GraphDock::viewOptions() const {
    return state_->options;
}

std::optional<scene::View> GraphDock::chosenView() const {
    return state_->chosen ? std::optional(state_->options.view) : std::nullopt;
}

void GraphDock::setView(scene::View view) {
    state_->chosen = true;
    Q_EMIT viewChosen();
    if (view == state_->options.view) return showOptions();
    state_->options.view = view;
    remake();
}

void GraphDock::setColourBy(scene::ColourBy colour) {
    if (colour == state_->options.colour_by) return;
    state_->options.colour_by = colour;
    remake();
}

void GraphDock::setOrder(scene::MatrixOrder order) {
    if (order == state_->options.order) return;
    state_->options.order = order;
    remake();
}

void GraphDock::setCriticalChain(bool shown) {
    if (shown == state_->options.critical_chain) return;
    state_->options.critical_chain = shown;
    remake();
}

void GraphDock::setHudShown(bool shown) {
    if (shown == state_->hud->shown()) return;
    state_->hud->setShown(shown);
    state_->hudButton->defaultAction()->setChecked(shown);
    state_->bar->showHud(shown);
}

bool GraphDock::hudShown() const {
    return state_->hud->shown();
}

void GraphDock::sessionBlock() {
    State& s = *state_;
    const auto block = s.session->currentBlock();
    s.bar->showModel(s.session->options().model);
    showEmpty(!block);
    if (!block) {
        s.pane->clear();
        setBefore(false);
        return;
    }
    const schedule::BlockAnalysis& analysis = block->analysis;
    const QString skipped = to_qt(analysis.colouring_skipped);
    s.bar->allowClasses(analysis.colouring.has_value(),
                        skipped.isEmpty() ? tr("No colouring was requested") : skipped);
    if (!analysis.colouring && s.options.order == scene::MatrixOrder::batch)
        s.options.order = scene::MatrixOrder::level;
    if (!s.chosen) s.options.view = scene::suggested_view(analysis);
    remake();
}

void GraphDock::remake() {
    State& s = *state_;
    showOptions();
    const auto block = s.session->currentBlock();
    if (!block) return;
    s.pane->show({block, nullptr, s.options});
}

void GraphDock::listShown() {
    State& s = *state_;
    const ViewJob& shown = s.pane->shown();
    const auto list = canvas()->list();
    setBefore(s.session->showsBefore());
    if (shown.options.view == scene::View::matrix)
        s.pane->legend()->setCoverage(s.pane->legend()->coverage() + QStringLiteral(" · ") +
                                      matrix_terms(shown.block->analysis, shown.options, *list));
    s.pane->legend()->setItems(scene::make_legend(shown.block->analysis, shown.options));
    s.bar->showMarksInside(list->marks_inside_blocks, shown.options.order);
}

void GraphDock::showOptions() {
    state_->bar->showOptions(state_->options);
    setHelp(help_of(state_->options));
}

void GraphDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !state_ || state_->pane == nullptr) return;
    if (state_->options.theme == &current_theme()) return;
    state_->options.theme = &current_theme();
    remake();
}

} // namespace blockloom::ui
