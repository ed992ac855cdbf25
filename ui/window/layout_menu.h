// The menu of layouts: the presets, those of the user, and what can be done with them.
#pragma once

#include <QMenu>

namespace blockloom::ui {

class DockLayout;
class WindowActions;

/// Made anew each time it is opened.
class LayoutMenu : public QMenu {
    Q_OBJECT

public:
    /// `layout` and `actions` live as long as the menu.
    LayoutMenu(const WindowActions& actions, DockLayout& layout, QWidget* parent);

Q_SIGNALS:
    void chosen(const QString& name); ///< one of the user's; presets are actions of their own
    void forgotten();

private:
    void fill();

    const WindowActions& actions_;
    DockLayout& layout_;
};

} // namespace blockloom::ui
