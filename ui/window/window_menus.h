// The menu bar of the window, made of its actions.
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

/// What the menus are made of; all of it lives as long as the bar.
struct MenuParts {
    WindowActions& actions;
    RecentModel& recent;
    const Docks& docks;
    LayoutMenu& layouts;
    FindBox& find;                                ///< stands in the bar's corner
    std::function<void(const QStringList&)> open; ///< a recent range
};

/// Fills the bar. Returns the button of the layouts beside the field that finds.
[[nodiscard]] QToolButton* make_menus(QMenuBar& bar, const MenuParts& parts);

} // namespace blockloom::ui
