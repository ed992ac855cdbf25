#include "window/dock_layout.h"

#include "docks/dock.h"

#include <QMainWindow>
#include <QSettings>

#include <algorithm>

namespace blockloom::ui {

QList<Dock*> Docks::all() const {
    return {blocks, graph, contention, breakdown, schedule, runs, log, inspector};
}

DockLayout::DockLayout(QMainWindow* window, const Docks& docks) : window_(window), docks_(docks) {
    for (Dock* dock : docks_.all()) {
        dock->setAllowedAreas(Qt::AllDockWidgetAreas);
        window_->addDockWidget(Qt::LeftDockWidgetArea, dock);
        dock->hide();
    }
}

void DockLayout::reset() {
    for (Dock* dock : docks_.all()) {
        dock->setFloating(false);
        window_->removeDockWidget(dock);
    }
    compact_ = window_->width() < roomy_width;
    window_->addDockWidget(Qt::LeftDockWidgetArea, docks_.blocks);
    // The Inspector stands in an area of its own, so that it can leave and come back.
    if (!compact_) window_->addDockWidget(Qt::RightDockWidgetArea, docks_.inspector);
    // A low window gives the Blocks its whole height: half of it shows but three rows.
    const bool low = window_->height() < roomy_height;
    if (!low) window_->splitDockWidget(docks_.blocks, docks_.schedule, Qt::Vertical);
    window_->splitDockWidget(docks_.blocks, docks_.graph, Qt::Horizontal);
    if (low) window_->splitDockWidget(docks_.graph, docks_.schedule, Qt::Vertical);
    window_->tabifyDockWidget(docks_.graph, docks_.contention);
    window_->tabifyDockWidget(docks_.contention, docks_.breakdown);
    window_->tabifyDockWidget(docks_.schedule, docks_.runs);
    window_->tabifyDockWidget(docks_.runs, docks_.log);
    if (compact_) window_->tabifyDockWidget(docks_.breakdown, docks_.inspector);
    for (Dock* dock : docks_.all()) dock->show();
    docks_.graph->raise();
    docks_.schedule->raise();

    const int width = window_->width(), height = window_->height();
    // Extra room goes to the canvases, never to wider text columns.
    const int blocks = std::clamp(width * 30 / 100, 504, 520);
    const int inspector = compact_ ? 0 : std::clamp(width * 20 / 100, 300, 360);
    const int graph = width - blocks - inspector - (compact_ ? 6 : 12);
    window_->resizeDocks({docks_.blocks, docks_.graph}, {blocks, graph}, Qt::Horizontal);
    if (!compact_)
        window_->resizeDocks({docks_.blocks, docks_.graph, docks_.inspector},
                             {blocks, graph, inspector}, Qt::Horizontal);
    window_->resizeDocks({low ? docks_.graph : docks_.blocks, docks_.schedule},
                         {height * 56 / 100, height * 36 / 100}, Qt::Vertical);
    shown_ = true;
}

void DockLayout::hideAll() {
    if (shown_) keep();
    for (Dock* dock : docks_.all()) dock->hide();
    shown_ = false;
}

void DockLayout::showAll() {
    if (shown_) return;
    if (state_.isEmpty() || !window_->restoreState(state_, version)) {
        reset();
        return;
    }
    shown_ = true;
    const bool compact = window_->width() < roomy_width;
    const bool other = compact != state_compact_; // else the state is what the user made of it
    compact_ = compact;
    if (other) placeInspector();
}

void DockLayout::widthChanged() {
    const bool compact = window_->width() < roomy_width;
    if (!shown_ || compact == compact_) return;
    compact_ = compact;
    placeInspector();
}

void DockLayout::placeInspector() {
    Dock* inspector = docks_.inspector;
    if (inspector->isFloating() || inspector->isHidden()) return;
    const bool tabbed = !window_->tabifiedDockWidgets(inspector).isEmpty();
    if (compact_ && !tabbed) {
        window_->tabifyDockWidget(docks_.breakdown, inspector);
        docks_.graph->raise();
    } else if (!compact_ && tabbed) {
        window_->addDockWidget(Qt::RightDockWidgetArea, inspector);
        const int wide = std::clamp(window_->width() * 20 / 100, 300, 360);
        window_->resizeDocks({inspector}, {wide}, Qt::Horizontal);
    }
}

void DockLayout::load(const QSettings& settings) {
    state_ = settings.value(QStringLiteral("window/docks")).toByteArray();
    state_compact_ = settings.value(QStringLiteral("window/compact")).toBool();
}

void DockLayout::save(QSettings& settings) {
    if (shown_) keep();
    if (state_.isEmpty()) return;
    settings.setValue(QStringLiteral("window/docks"), state_);
    settings.setValue(QStringLiteral("window/compact"), state_compact_);
}

void DockLayout::keep() {
    state_ = window_->saveState(version);
    state_compact_ = compact_;
}

QList<QDockWidget*> DockLayout::visible() const {
    QList<QDockWidget*> found;
    for (Dock* dock : docks_.all())
        if (dock->isVisible() && !dock->visibleRegion().isEmpty()) found.append(dock);
    std::stable_sort(found.begin(), found.end(), [](const QDockWidget* a, const QDockWidget* b) {
        const QPoint p = a->mapToGlobal(QPoint()), q = b->mapToGlobal(QPoint());
        return p.y() != q.y() ? p.y() < q.y() : p.x() < q.x();
    });
    return found;
}

} // namespace blockloom::ui
