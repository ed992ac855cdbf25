#include "window/layout_menu.h"

#include "look/plain_text.h"
#include "window/dock_layout.h"
#include "window/window_actions.h"

#include <QActionGroup>

namespace blockloom::ui {

LayoutMenu::LayoutMenu(const WindowActions& actions, DockLayout& layout, QWidget* parent)
    : QMenu(tr("&Layout"), parent), actions_(actions), layout_(layout) {
    connect(this, &QMenu::aboutToShow, this, &LayoutMenu::fill);
    fill();
}

void LayoutMenu::fill() {
    clear();
    addActions(actions_.layouts->actions());
    for (QAction* preset : actions_.layouts->actions())
        preset->setChecked(preset->data().toString() == layout_.current());
    addSeparator();
    for (const QString& name : layout_.saved()) {
        QAction* own = addAction(literal_title(name));
        own->setCheckable(true);
        own->setChecked(name == layout_.current());
        connect(own, &QAction::triggered, this, [this, name] { Q_EMIT chosen(name); });
    }
    addSeparator();
    addActions({actions_.save_layout, actions_.reset_layout});
    if (layout_.saved().isEmpty()) return;
    QMenu* forget = addMenu(tr("&Delete"));
    for (const QString& name : layout_.saved())
        connect(forget->addAction(literal_title(name)), &QAction::triggered, this, [this, name] {
            layout_.forget(name);
            Q_EMIT forgotten();
        });
}

} // namespace blockloom::ui
