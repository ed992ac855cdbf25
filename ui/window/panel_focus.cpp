#include "window/panel_focus.h"

#include "docks/dock.h"
#include "window/dock_layout.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPointer>
#include <QTabBar>
#include <QTimer>

namespace blockloom::ui {

PanelFocus::PanelFocus(const DockLayout& layout, QObject* parent)
    : QObject(parent), layout_(layout) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* old, QWidget* now) {
        keepInPanel(old, now);
        for (QWidget* at = now; at != nullptr; at = at->parentWidget())
            if (auto* dock = qobject_cast<Dock*>(at)) {
                last_ = dock;
                return;
            }
    });
    qApp->installEventFilter(this);
}

/// A control that is hidden or disabled loses the focus, and Qt gives it to the next one in the
/// window, such as the "?" of the title: what its panel shows now takes it instead. So it does
/// where that is another control of the panel, which nobody chose.
void PanelFocus::keepInPanel(const QWidget* old, const QWidget* now) {
    if (old == nullptr || (old->isVisible() && old->isEnabled())) return;
    for (QWidget* at = old->parentWidget(); at != nullptr; at = at->parentWidget()) {
        auto* dock = qobject_cast<Dock*>(at);
        if (dock == nullptr) continue;
        if (dock->isVisible() && (!old->isEnabled() || !dock->widget()->isAncestorOf(now)))
            take(dock);
        return;
    }
}

bool PanelFocus::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::MouseButtonPress) return false;
    auto* clicked = qobject_cast<QWidget*>(watched);
    if (clicked == nullptr || (clicked->focusPolicy() & Qt::ClickFocus) != 0) return false;
    const QWidget* focus = QApplication::focusWidget();
    for (QWidget* at = clicked; at != nullptr; at = at->parentWidget()) {
        if (auto* dock = qobject_cast<Dock*>(at)) {
            if (!dock->isAncestorOf(focus)) take(dock); // before the click does its work
            if (qobject_cast<QTabBar*>(clicked) != nullptr)
                takeRaised(dock, static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
            return false;
        }
        if (at->isWindow()) return false;
    }
    return false;
}

/// A click on a tab may bring another panel of the group to the front: keys are for that one.
void PanelFocus::takeRaised(const Dock* before, QPoint click) {
    QTimer::singleShot(0, this, [this, before, click] {
        for (QWidget* at = QApplication::widgetAt(click); at != nullptr; at = at->parentWidget())
            if (auto* dock = qobject_cast<Dock*>(at); dock != nullptr && dock != before)
                return take(dock);
    });
}

void PanelFocus::goTo(Dock* dock) {
    dock->show();
    dock->raise();
    QWidget* target = dock->focusTarget();
    (target != nullptr ? target : dock->widget())->setFocus(Qt::TabFocusReason);
}

void PanelFocus::bringForward(Dock* dock) {
    const QPointer<QWidget> had = QApplication::focusWidget();
    dock->show();
    dock->raise();
    QTimer::singleShot(0, dock, [this, dock, had] {
        if (last_ != nullptr && (had == nullptr || !had->isVisible())) take(dock);
    });
}

void PanelFocus::take(Dock* dock) {
    if (dock == nullptr) return;
    // Only then has the layout given the panel and its widgets their sizes.
    QTimer::singleShot(0, dock, [dock] {
        QWidget* target = dock->focusTarget();
        if (target != nullptr) target->setFocus(Qt::OtherFocusReason);
    });
}

void PanelFocus::walk(int step) {
    const QList<QDockWidget*> panels = layout_.visible();
    if (panels.isEmpty()) return;
    qsizetype at = step > 0 ? -1 : 0;
    for (qsizetype i = 0; i < panels.size(); ++i)
        if (panels.at(i)->isAncestorOf(QApplication::focusWidget())) at = i;
    goTo(static_cast<Dock*>(panels.at((at + step + panels.size()) % panels.size())));
}

} // namespace blockloom::ui
