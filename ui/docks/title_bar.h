// The title of a dock: the tabs of its group (a copy of QMainWindow's own tab bar, which is
// hidden), an "out of date" label and icon buttons.
#pragma once

#include <QKeySequence>
#include <QWidget>

#include <functional>

class QDockWidget;
class QHBoxLayout;
class QLabel;
class QTabBar;
class QToolButton;

namespace blockloom::ui {

/// If tabs and buttons do not fit, tabs first move closer together, then buttons move into the "…"
/// menu; only then do tabs scroll.
class TitleBar : public QWidget {
    Q_OBJECT

public:
    explicit TitleBar(QDockWidget* dock);

    /// Adds a button; buttons are ordered by `rank`, lowest at the left.
    QToolButton* addButton(int rank, const char* icon, const QString& name, const QKeySequence& key,
                           std::function<void()> act);
    void setBefore(bool before);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    static constexpr int height_px = 28;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    void fillMore();
    void followGroup(); ///< copies the group's tabs from the main window's tab bar
    [[nodiscard]] QTabBar* groupBar() const;

    QDockWidget* dock_;
    QTabBar* tabs_;
    QLabel* before_;
    QHBoxLayout* row_;
    QToolButton* more_; ///< a menu of the buttons that do not fit
    bool following_ = false;
};

} // namespace blockloom::ui
