// The menu bar of the window, made from its actions.
#pragma once

#include <QStringList>

#include <functional>

class QMenuBar;
class QToolButton;

namespace blockloom::ui {

class FindBox;
class LayoutMenu;
class RecentModel;
class WindowActions;
struct Docks;

/// What the menus are made from; all of it must outlive the bar.
struct MenuParts {
    WindowActions& actions;
    RecentModel& recent;
    const Docks& docks;
    LayoutMenu& layouts;
    FindBox& find;                                ///< shown in the bar's corner
    std::function<void(const QStringList&)> open; ///< opens a recent range
};

/// Fills the bar. Returns the layout button beside the search field.
[[nodiscard]] QToolButton* make_menus(QMenuBar& bar, const MenuParts& parts);

} // namespace blockloom::ui
