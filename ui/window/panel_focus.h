// Where the keyboard is among the panels: F6 walks them, commands go to the one that had it last.
#pragma once

#include <QObject>

namespace blockloom::ui {

class Dock;
class DockLayout;

class PanelFocus : public QObject {
    Q_OBJECT

public:
    explicit PanelFocus(const DockLayout& layout, QObject* parent = nullptr);

    void goTo(Dock* dock); ///< brings it to the front; its canvas or table takes the focus
    /// To the front; it takes the focus only from a panel that it covers.
    void bringForward(Dock* dock);
    void take(Dock* dock); ///< the focus, without a ring; null: nothing happens
    void walk(int step);   ///< through those that can be seen, in reading order
    [[nodiscard]] Dock* last() const { return last_; } ///< that had the focus last; null: none yet

private:
    const DockLayout& layout_;
    Dock* last_ = nullptr;
};

} // namespace blockloom::ui
