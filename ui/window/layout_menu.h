// The menu of layouts: the presets, the user's own, and the actions on them.
#pragma once

#include <QMenu>

namespace blockloom::ui {

class DockLayout;
class WindowActions;

/// Rebuilt each time it is opened.
class LayoutMenu : public QMenu {
    Q_OBJECT

public:
    /// `layout` and `actions` must outlive the menu.
    LayoutMenu(const WindowActions& actions, DockLayout& layout, QWidget* parent);

Q_SIGNALS:
    void chosen(const QString& name); ///< a layout of the user's; presets have their own actions
    void forgotten();

private:
    void fill();

    const WindowActions& actions_;
    DockLayout& layout_;
};

} // namespace blockloom::ui
