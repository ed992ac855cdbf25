#include "docks/parts/view_pane.h"

#include "base/file.h"
#include "canvas/task_steps.h"
#include "docks/parts/table_twin.h"
#include "range/message_rows.h"
#include "report/graph_export.h"
#include "scene/legend_signs.h"
#include "session/session.h"

#include <QFile>
#include <QFileInfo>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <cmath>

namespace blockloom::ui {

struct ViewPane::State {
    Session* session = nullptr;
    SceneCanvas* canvas = nullptr;
    LegendStrip* legend = nullptr;
    TableTwin* table = nullptr;
    QStackedWidget* stack = nullptr;
    ViewMaker* maker = nullptr;
    ViewJob shown;
    std::optional<quint32> hovered;
    Furniture furniture;
    bool own = false; ///< the selection is being made here: no need to scroll to it
};

ViewPane::ViewPane(Session* session, SceneCanvas::Axes axes, RendererFactory factory,
                   QWidget* parent)
    : QWidget(parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.stack = new QStackedWidget(this);
    s.canvas = factory ? new SceneCanvas(axes, std::move(factory), s.stack)
                       : new SceneCanvas(axes, s.stack);
    s.table = new TableTwin(s.stack);
    s.stack->addWidget(s.canvas);
    s.stack->addWidget(s.table);
    s.legend = new LegendStrip(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(s.stack, 1);
    column->addWidget(s.legend);
    s.maker = new ViewMaker(this);

    connect(s.maker, &ViewMaker::made, this, &ViewPane::take);
    connect(s.canvas, &SceneCanvas::picked, this, &ViewPane::pick);
    connect(s.table, &TableTwin::chosen, this, &ViewPane::pick);
    connect(s.canvas, &SceneCanvas::stepRequested, this, &ViewPane::step);
    connect(s.canvas, &SceneCanvas::renderFailed, this, &ViewPane::renderFailed);
    connect(s.canvas, &SceneCanvas::hovered, this, [this](std::optional<quint32> task) {
        if (state_->hovered == task) return;
        state_->hovered = task;
        mark();
    });
    connect(s.canvas, &SceneCanvas::viewChanged, this, [this] {
        if (state_->furniture) mark();
    });
    connect(session, &Session::selectionChanged, this, [this] {
        mark();
        if (!state_->own) follow();
        state_->table->select(state_->session->selectedTask(), state_->session->selectedKey());
    });
    s.canvas->setTooltip([this](std::optional<quint32> task, std::optional<quint32> key) {
        if (!state_->shown.block) return QString();
        if (task) return task_tip(*state_->shown.block, *task);
        return key ? key_tip(*state_->shown.block, *key) : QString();
    });
}

ViewPane::~ViewPane() = default;

void ViewPane::show(ViewJob job) {
    if (job.block) job.options.failed = range::failed_tasks(*job.block);
    state_->maker->make(std::move(job));
}

void ViewPane::clear() {
    state_->maker->clear();
    state_->shown = {};
    state_->canvas->setList(nullptr);
    state_->canvas->setMarks({});
    state_->table->clear();
}

void ViewPane::take(const ViewJob& job, const MadeList& list) {
    const ViewJob& old = state_->shown;
    const bool same_place =
        old.block && job.block && old.block->trace == job.block->trace &&
        old.options.view == job.options.view && old.options.order == job.options.order &&
        old.options.strategy == job.options.strategy &&
        old.options.workers == job.options.workers && old.measured == job.measured;
    state_->shown = job;
    state_->hovered.reset();
    state_->canvas->setList(list, same_place);
    state_->legend->setCoverage(coverage_text(list->coverage));
    state_->table->show(job);
    state_->table->select(state_->session->selectedTask(), state_->session->selectedKey());
    mark();
    Q_EMIT listShown();
}

void ViewPane::mark() {
    const State& s = *state_;
    const auto list = s.canvas->list();
    const auto current = s.session->currentBlock();
    std::vector<scene::Layer> marks;
    // Ids of another block have no meaning for the list that is still shown.
    if (list && s.shown.block && current && s.shown.block->trace == current->trace) {
        scene::Selection selection;
        selection.task = s.session->selectedTask();
        selection.key = s.session->selectedKey();
        selection.hovered_task = s.hovered;
        marks = scene::selection_marks(*list, s.shown.block->analysis, s.shown.options, selection);
    }
    if (list && s.furniture)
        for (scene::Layer& layer : s.furniture(s.canvas->currentRequest().camera, s.canvas->size()))
            marks.push_back(std::move(layer));
    s.canvas->setMarks(std::move(marks));
}

void ViewPane::setFurniture(Furniture furniture) {
    state_->furniture = std::move(furniture);
    mark();
}

void ViewPane::pick(std::optional<quint32> task, std::optional<quint32> key) {
    state_->own = true;
    if (task || !key) state_->session->selectTask(task);
    if (key || !task) state_->session->selectKey(key);
    state_->own = false;
}

void ViewPane::step(int across, int along) {
    const auto block = state_->session->currentBlock();
    if (!block) return;
    const auto to =
        step_from(*block->analysis.index, state_->session->selectedTask(), across, along);
    if (to) state_->session->selectTask(to);
}

void ViewPane::follow() {
    const auto list = state_->canvas->list();
    const auto task = state_->session->selectedTask();
    if (!list || !task || *task >= list->task_target.size()) return;
    const std::uint32_t target = list->task_target[*task];
    if (target != scene::no_target) state_->canvas->bringIntoView(list->targets[target].bounds);
}

SceneCanvas* ViewPane::canvas() const {
    return state_->canvas;
}

LegendStrip* ViewPane::legend() const {
    return state_->legend;
}

TableTwin* ViewPane::table() const {
    return state_->table;
}

const ViewJob& ViewPane::shown() const {
    return state_->shown;
}

bool ViewPane::hasList() const {
    return state_->canvas->list() != nullptr;
}

bool ViewPane::settled() const {
    return hasList() && !state_->maker->busy();
}

void ViewPane::showTable(bool table) {
    state_->stack->setCurrentWidget(table ? static_cast<QWidget*>(state_->table)
                                          : static_cast<QWidget*>(state_->canvas));
}

bool ViewPane::showsTable() const {
    return state_->stack->currentWidget() == state_->table;
}

Status ViewPane::exportTo(const QString& path) const {
    const ViewJob& shown = state_->shown;
    if (!shown.block || !hasList())
        return Error{ErrorCode::wrong_usage, "nothing to export: no view is shown"};
    const QString ending = QFileInfo(path).suffix().toLower();
    const std::string to = path.toStdString();
    if (ending == QLatin1String("dot") || ending == QLatin1String("graphml")) {
        const std::string text = ending == QLatin1String("dot")
                                     ? report::dependency_dot(*shown.block)
                                     : report::dependency_graphml(*shown.block);
        return write_file(to, as_bytes(text));
    }
    scene::FrameRequest request = state_->canvas->currentRequest();
    // The legend goes below the picture, which stays where it is in the window.
    scene::LegendRows legend = scene::legend_rows(
        state_->legend->items(), {}, state_->legend->coverage().toStdString(), *shown.options.theme,
        static_cast<float>(state_->canvas->width()), static_cast<float>(state_->canvas->height()));
    const int below = static_cast<int>(legend.height);
    request.marks.push_back(std::move(legend.ground));
    request.marks.push_back(std::move(legend.signs));
    request.camera.centre_y += below / 2.0 / request.camera.scale_y;
    const float ratio = ending == QLatin1String("png") ? request.pixel_ratio : 1.0F;
    request.pixel_ratio = ratio; // vector files are in logical pixels
    const auto device = [ratio](int logical) {
        return static_cast<int>(std::lround(static_cast<float>(logical) * ratio));
    };
    request.width = device(state_->canvas->width());
    request.height = device(state_->canvas->height() + below);
    if (ending == QLatin1String("png"))
        return scene::export_view(request, scene::FileKind::png, to);
    if (ending == QLatin1String("svg"))
        return scene::export_view(request, scene::FileKind::svg, to);
    if (ending == QLatin1String("pdf"))
        return scene::export_view(request, scene::FileKind::pdf, to);
    return Error{ErrorCode::wrong_usage,
                 to +
                     ": expected a name that ends in .png, .svg, .pdf, .dot or .graphml, found \"" +
                     ending.toStdString() + "\""};
}

} // namespace blockloom::ui
