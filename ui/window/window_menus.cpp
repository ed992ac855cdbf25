#include "window/window_menus.h"

#include "docks/dock.h"
#include "look/plain_text.h"
#include "models/recent_model.h"
#include "text/numbers.h"
#include "text/words.h"
#include "window/dock_layout.h"
#include "window/find_box.h"
#include "window/layout_menu.h"
#include "window/window_actions.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QToolButton>

namespace blockloom::ui {
namespace {

constexpr int menu_height = 32;

/// The ranges that were opened last, as they are when the menu is opened.
void fill_when_shown(QMenu* menu, const MenuParts& parts) {
    const auto fill = [menu, recent = &parts.recent, open = parts.open] {
        menu->clear();
        for (int row = 0; row < recent->rowCount(); ++row) {
            const QString missing = recent->isMissing(row) ? words(" (not found)") : QString();
            QAction* action = menu->addAction(
                literal_title(QStringLiteral("%1 · %2%3")
                                  .arg(shortened(recent->at(row).title, 60, 20),
                                       shortened(recent->place(row), 60, 60), missing)));
            action->setEnabled(missing.isEmpty());
            QObject::connect(action, &QAction::triggered, menu,
                             [open, sources = recent->at(row).sources] { open(sources); });
        }
        if (menu->isEmpty()) menu->addAction(words("No recent ranges"))->setEnabled(false);
    };
    QObject::connect(menu, &QMenu::aboutToShow, menu, fill);
}

} // namespace

QToolButton* make_menus(QMenuBar& bar, const MenuParts& parts) {
    WindowActions& a = parts.actions;
    QMenu* file = bar.addMenu(words("&File"));
    file->addActions({a.open_demo, a.open_files, a.open_folder, a.open_node});
    fill_when_shown(file->addMenu(words("&Recent")), parts);
    file->addSeparator();
    file->addActions({a.export_report, a.export_runs, a.export_view});
    file->addSeparator();
    file->addAction(a.settings);
    file->addSeparator();
    file->addActions({a.close_range, a.quit});

    QMenu* edit = bar.addMenu(words("&Edit"));
    edit->addActions({a.undo, a.redo});
    edit->addSeparator();
    edit->addActions({a.copy, a.find});
    edit->addSeparator();
    edit->addActions({a.back, a.forward, a.clear_selection});

    QMenu* view = bar.addMenu(words("&View"));
    for (Dock* dock : parts.docks.all()) view->addAction(dock->toggleViewAction());
    view->addSeparator();
    QMenu* theme = view->addMenu(words("&Theme"));
    theme->addActions({a.theme_system, a.theme_dark, a.theme_light});
    view->addMenu(&parts.layouts);

    QMenu* range = bar.addMenu(words("&Range"));
    range->addActions({a.next_block, a.previous_block});
    range->addSeparator();
    QMenu* chain = range->addMenu(words("Read &as"));
    chain->addActions(a.chains->actions());
    QMenu* rules = range->addMenu(words("R&ules"));
    rules->addActions(a.rules->actions());
    rules->addSection(words("Fuel"));
    rules->addActions(a.fuel->actions());
    range->addAction(a.workspace);
    QMenu* state = range->addMenu(words("&Initial state"));
    state->addActions({a.state_database, a.state_node, a.state_bundle, a.state_none});
    range->addSeparator();
    range->addActions({a.run, a.use_tuned, a.pause, a.cancel});
    range->addSeparator();
    range->addActions({a.check, a.show_check});
    range->addSeparator();
    range->addActions({a.follow, a.reload});

    QMenu* analyse = bar.addMenu(words("&Analyse"));
    analyse->addSection(words("Conflict model"));
    analyse->addActions({a.single_version, a.multi_version});
    analyse->addSection(words("Cost"));
    analyse->addActions({a.unit_cost, a.own_cost});
    analyse->addSeparator();
    analyse->addActions({a.relax_key, a.policy, a.clear_policy});

    QMenu* window = bar.addMenu(words("&Window"));
    window->addActions({a.next_panel, a.previous_panel, a.full_screen});

    QMenu* help = bar.addMenu(words("&Help"));
    help->addActions({a.palette, a.guide, a.shortcuts, a.about});
    // A holder, because a corner widget fills the bar from edge to edge.
    auto* corner = new QWidget(&bar);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 2, 6, 2); // the focus ring fits
    QSizePolicy room = parts.find.sizePolicy();
    room.setRetainSizeWhenHidden(true); // it comes with the first range
    parts.find.setSizePolicy(room);
    row->setSpacing(8);
    row->addWidget(&parts.find);
    auto* layouts = new QToolButton(corner);
    layouts->setObjectName(QStringLiteral("layoutButton"));
    layouts->setPopupMode(QToolButton::InstantPopup);
    layouts->setMenu(&parts.layouts);
    layouts->setFocusPolicy(Qt::TabFocus);
    layouts->setToolTip(words("Arrangement of the panels"));
    layouts->setFixedSize(132, 26); // the corner is laid out once, before it has a text
    QSizePolicy place = layouts->sizePolicy();
    place.setRetainSizeWhenHidden(true);
    layouts->setSizePolicy(place);
    row->addWidget(layouts);
    bar.setFixedHeight(menu_height);
    bar.setCornerWidget(corner, Qt::TopRightCorner);
    return layouts;
}

} // namespace blockloom::ui
