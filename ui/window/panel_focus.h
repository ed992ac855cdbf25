// Keyboard focus among the panels: F6 steps through them; commands go to the panel that had it
// last.
#pragma once

#include <QObject>
#include <QPoint>

namespace blockloom::ui {

class Dock;
class DockLayout;

class PanelFocus : public QObject {
    Q_OBJECT

public:
    explicit PanelFocus(const DockLayout& layout, QObject* parent = nullptr);

    void goTo(Dock* dock); ///< brings it to the front; its canvas or table takes the focus
    /// Brings it to the front; it takes the focus only from a panel that it covers.
    void bringForward(Dock* dock);
    void take(Dock* dock); ///< gives it the focus, without a ring; null: does nothing
    void walk(int step);   ///< through the visible panels, in reading order
    /// The panel that had the focus last; null: none yet.
    [[nodiscard]] Dock* last() const { return last_; }

protected:
    /// A click on what takes no focus, such as a segment, gives it to the panel around it; one on a
    /// tab, to the panel that it brings to the front.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void keepInPanel(const QWidget* old, const QWidget* now);
    void takeRaised(const Dock* before, QPoint click);
    const DockLayout& layout_;
    Dock* last_ = nullptr;
};

} // namespace blockloom::ui
