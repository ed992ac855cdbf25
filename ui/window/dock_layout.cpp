#include "window/dock_layout.h"

#include "docks/dock.h"

#include <QCryptographicHash>
#include <QMainWindow>
#include <QMap>
#include <QSettings>
#include <QTimer>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int least_lower = 168; ///< px: title, bar, heads and three rows

const QString saved_group = QStringLiteral("layouts");
constexpr qsizetype seal_bytes = 32, most_state_bytes = 1 << 20;

/// QMainWindow trusts the sizes and counts in these bytes. They are preceded by their hash, so that
/// damaged bytes never reach it.
QByteArray sealed(const QByteArray& state) {
    return QCryptographicHash::hash(state, QCryptographicHash::Sha256) + state;
}

/// Empty: damaged, or of a version that sealed nothing.
QByteArray unsealed(const QByteArray& kept) {
    if (kept.size() <= seal_bytes || kept.size() > most_state_bytes) return {};
    const QByteArray state = kept.mid(seal_bytes);
    return sealed(state) == kept ? state : QByteArray();
}

} // namespace

QList<Dock*> Docks::all() const {
    return {blocks,   graph, contention, breakdown, compare, tuning,   timeline,
            schedule, live,  runs,       advice,    log,     inspector};
}

DockLayout::DockLayout(QMainWindow* window, const Docks& docks) : window_(window), docks_(docks) {
    for (Dock* dock : docks_.all()) {
        dock->setAllowedAreas(Qt::AllDockWidgetAreas);
        window_->addDockWidget(Qt::LeftDockWidgetArea, dock);
        dock->hide();
    }
    for (Dock* dock : {docks_.inspector, docks_.blocks}) dock->installEventFilter(this);
}

/// A width of the Inspector that does not come from a new width of the window is the one to keep.
bool DockLayout::eventFilter(QObject* watched, QEvent* event) {
    if (watched == docks_.blocks) {
        if (event->type() == QEvent::Show && !event->spontaneous() && shown_ && !applying_)
            QTimer::singleShot(0, this, &DockLayout::giveBlocksRoom);
        return QObject::eventFilter(watched, event);
    }
    if (event->type() == QEvent::Resize && window_->width() == window_width_ && !keeping_ &&
        !docks_.inspector->isFloating())
        inspector_width_ = docks_.inspector->width();
    return QObject::eventFilter(watched, event);
}

QStringList DockLayout::presets() {
    return {QStringLiteral("Analyse"), QStringLiteral("Run"), QStringLiteral("Compare"),
            QStringLiteral("Tune")};
}

bool DockLayout::apply(const QString& name) {
    const bool known = presets().contains(name);
    applying_ = true;
    if (known) arrange(name);
    const bool restored =
        !known && saved_.contains(name) && window_->restoreState(saved_.value(name), version);
    applying_ = false;
    if (!known && !restored) return false;
    current_ = name;
    compact_ = window_->width() < roomy_width;
    shown_ = true;
    return true;
}

bool DockLayout::saveAs(const QString& name) {
    if (name.trimmed().isEmpty() || presets().contains(name, Qt::CaseInsensitive)) return false;
    saved_.insert(name.trimmed(), window_->saveState(version));
    current_ = name.trimmed();
    return true;
}

bool DockLayout::forget(const QString& name) {
    if (saved_.remove(name) == 0) return false;
    if (current_ == name) current_ = presets().constFirst();
    return true;
}

/// All layouts share one frame: Blocks at the left, the main panels in the middle, the Inspector at
/// the right, progress and logs below. They differ in which panel is in front, how large it is and
/// which panels are hidden.
void DockLayout::arrange(const QString& preset) {
    const bool tuning = preset == QLatin1StringView("Tune");
    const bool comparing = tuning || preset == QLatin1StringView("Compare");
    const bool running = preset == QLatin1StringView("Run");
    for (Dock* dock : docks_.all()) {
        dock->setFloating(false);
        window_->removeDockWidget(dock);
    }
    compact_ = window_->width() < roomy_width;
    window_->addDockWidget(Qt::LeftDockWidgetArea, docks_.blocks);
    // The Inspector has its own area, so that it can be moved away and back.
    if (!compact_) window_->addDockWidget(Qt::RightDockWidgetArea, docks_.inspector);
    // A low window gives the Blocks its whole height: half of it shows but three rows.
    const bool low = window_->height() < roomy_height;
    if (!low) window_->splitDockWidget(docks_.blocks, docks_.schedule, Qt::Vertical);
    window_->splitDockWidget(docks_.blocks, docks_.graph, Qt::Horizontal);
    if (low) window_->splitDockWidget(docks_.graph, docks_.schedule, Qt::Vertical);
    window_->tabifyDockWidget(docks_.graph, docks_.contention);
    window_->tabifyDockWidget(docks_.contention, docks_.breakdown);
    window_->tabifyDockWidget(docks_.breakdown, docks_.compare);
    window_->tabifyDockWidget(docks_.compare, docks_.tuning);
    window_->tabifyDockWidget(docks_.compare, docks_.timeline);
    window_->tabifyDockWidget(docks_.schedule, docks_.live);
    window_->tabifyDockWidget(docks_.live, docks_.runs);
    window_->tabifyDockWidget(docks_.runs, docks_.advice);
    window_->tabifyDockWidget(docks_.advice, docks_.log);
    if (compact_) window_->tabifyDockWidget(docks_.timeline, docks_.inspector);
    for (Dock* dock : docks_.all()) dock->show();
    if (comparing) {
        // Both sides need their width; a block is picked from the comparison itself.
        for (Dock* dock : {docks_.blocks, docks_.inspector}) dock->hide();
        (tuning ? docks_.tuning : docks_.compare)->raise();
        docks_.runs->raise();
    } else if (running) {
        docks_.blocks->hide(); // time runs from left to right: every pixel of it counts
        docks_.timeline->raise();
        docks_.runs->raise();
    } else {
        docks_.graph->raise();
        docks_.schedule->raise();
    }

    const int width = window_->width(), height = window_->height();
    // Extra room goes to the canvases, never to wider text columns.
    const int blocks = comparing || running ? 0 : blocksWidth();
    const int inspector = compact_ || comparing ? 0 : std::clamp(width * 20 / 100, 300, 360);
    const int graph = width - blocks - inspector - (compact_ ? 6 : 12);
    if (blocks > 0)
        window_->resizeDocks({docks_.blocks, docks_.graph}, {blocks, graph}, Qt::Horizontal);
    if (!compact_ && !comparing)
        window_->resizeDocks({docks_.blocks, docks_.graph, docks_.inspector},
                             {std::max(blocks, 1), graph, inspector}, Qt::Horizontal);
    const int top = tuning ? 74 : comparing ? 66 : running ? 68 : 58;
    // The lower panel of a low window still has three rows of a table.
    const int lower = std::max(height * (92 - top) / 100, least_lower);
    window_->resizeDocks({low || blocks == 0 ? docks_.graph : docks_.blocks, docks_.schedule},
                         {height * 92 / 100 - lower, lower}, Qt::Vertical);
}

int DockLayout::blocksWidth() const {
    return std::clamp(window_->width() * 30 / 100, 504, 520);
}

/// Shown again in a layout that hides it, it would get a sliver, or more than it needs.
void DockLayout::giveBlocksRoom() {
    Dock* blocks = docks_.blocks;
    if (!shown_ || !blocks->isVisible() || blocks->isFloating() ||
        !window_->tabifiedDockWidgets(blocks).isEmpty() ||
        window_->dockWidgetArea(blocks) != Qt::LeftDockWidgetArea)
        return;
    QList<QDockWidget*> docks{blocks, docks_.graph};
    QList<int> widths{blocksWidth(), window_->width() - blocksWidth()};
    if (!compact_ && docks_.inspector->isVisible() && !docks_.inspector->isFloating() &&
        window_->dockWidgetArea(docks_.inspector) == Qt::RightDockWidgetArea) {
        docks.append(docks_.inspector);
        widths.append(docks_.inspector->width());
        widths[1] -= docks_.inspector->width();
    }
    window_->resizeDocks(docks, widths, Qt::Horizontal);
}

void DockLayout::hideAll() {
    if (shown_) keep();
    for (Dock* dock : docks_.all()) dock->hide();
    shown_ = false;
}

void DockLayout::showAll() {
    if (shown_) return;
    if (state_.isEmpty() || !window_->restoreState(state_, version)) {
        if (!apply(current_)) apply(presets().constFirst());
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
    const bool resized = window_->width() != window_width_;
    window_width_ = window_->width();
    if (!shown_) return;
    if (compact == compact_) {
        if (resized && !compact) keepInspectorWidth();
        return;
    }
    compact_ = compact;
    placeInspector();
}

/// QMainWindow would give the whole difference to the Inspector; it belongs to the canvases.
void DockLayout::keepInspectorWidth() {
    Dock* inspector = docks_.inspector;
    if (inspector_width_ == 0 || inspector->isHidden() || inspector->isFloating() ||
        window_->dockWidgetArea(inspector) != Qt::RightDockWidgetArea)
        return;
    const int blocks = docks_.blocks->isVisible() ? docks_.blocks->width() : 0;
    // What comes of it, a few pixels more or less, is not the user's choice.
    keeping_ = true;
    QTimer::singleShot(0, this, [this] { keeping_ = false; });
    window_->resizeDocks(
        {docks_.blocks, docks_.graph, inspector},
        {std::max(blocks, 1), window_width_ - blocks - inspector_width_ - 12, inspector_width_},
        Qt::Horizontal);
}

void DockLayout::placeInspector() {
    Dock* inspector = docks_.inspector;
    if (inspector->isFloating() || inspector->isHidden()) return;
    const bool tabbed = !window_->tabifiedDockWidgets(inspector).isEmpty();
    if (compact_ && !tabbed) {
        window_->tabifyDockWidget(docks_.timeline, inspector);
        docks_.graph->raise();
    } else if (!compact_ && tabbed) {
        window_->addDockWidget(Qt::RightDockWidgetArea, inspector);
        // Sizes hold only once the window has laid out what was just added.
        QTimer::singleShot(0, window_, [this, inspector] {
            const int wide = std::clamp(window_->width() * 20 / 100, 300, 360);
            // Named alone, it would get no more than its neighbour's slack.
            const int blocks = docks_.blocks->isVisible() ? docks_.blocks->width() : 0;
            window_->resizeDocks({docks_.blocks, docks_.graph, inspector},
                                 {std::max(blocks, 1), window_->width() - blocks - wide - 12, wide},
                                 Qt::Horizontal);
        });
    }
}

void DockLayout::load(const QSettings& settings) {
    state_ = unsealed(settings.value(QStringLiteral("window/docks")).toByteArray());
    state_compact_ = settings.value(QStringLiteral("window/compact")).toBool();
    for (const QString& key : settings.allKeys()) {
        if (!key.startsWith(saved_group + QLatin1Char('/'))) continue;
        const QByteArray state = unsealed(settings.value(key).toByteArray());
        const QString name = QString::fromUtf8(
            QByteArray::fromPercentEncoding(key.mid(saved_group.size() + 1).toLatin1()));
        if (!state.isEmpty() && !name.isEmpty()) saved_.insert(name, state);
    }
    const QString last = settings.value(QStringLiteral("window/layout")).toString();
    if (presets().contains(last) || saved_.contains(last)) current_ = last;
}

void DockLayout::save(QSettings& settings) {
    settings.remove(saved_group);
    // A name may hold a slash: groups are not meant.
    for (auto at = saved_.cbegin(); at != saved_.cend(); ++at)
        settings.setValue(saved_group + QLatin1Char('/') +
                              QString::fromLatin1(at.key().toUtf8().toPercentEncoding()),
                          sealed(at.value()));
    settings.setValue(QStringLiteral("window/layout"), current_);
    if (shown_) keep();
    if (state_.isEmpty()) return;
    settings.setValue(QStringLiteral("window/docks"), sealed(state_));
    settings.setValue(QStringLiteral("window/compact"), state_compact_);
}

void DockLayout::keep() {
    state_ = window_->saveState(version);
    state_compact_ = compact_;
}

Dock* DockLayout::front() const {
    if (!shown_) return nullptr;
    Dock* const of_preset[] = {docks_.graph, docks_.timeline, docks_.compare, docks_.tuning};
    if (const auto at = presets().indexOf(current_); at >= 0 && !of_preset[at]->isHidden())
        return of_preset[at];
    const QList<QDockWidget*> seen = visible();
    return seen.isEmpty() ? nullptr : static_cast<Dock*>(seen.front());
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
