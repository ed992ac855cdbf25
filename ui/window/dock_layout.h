// Where the docks stand: the layout "Analyse" in two widths, kept between runs.
#pragma once

#include <QByteArray>
#include <QList>

class QDockWidget;
class QMainWindow;
class QSettings;

namespace blockloom::ui {

class Dock;

/// The docks of the window by role; all are children of the window.
struct Docks {
    Dock *blocks = nullptr, *graph = nullptr, *schedule = nullptr, *contention = nullptr,
         *breakdown = nullptr, *inspector = nullptr, *runs = nullptr, *log = nullptr;
    [[nodiscard]] QList<Dock*> all() const;
};

/// At less than `roomy_width` the Inspector is a tab of the right-most group; at less than
/// `roomy_height` the Blocks stand beside Graph and Schedule, not over the Schedule.
class DockLayout {
public:
    static constexpr int roomy_width = 1400, roomy_height = 900;
    static constexpr int version = 2; ///< of saved states; older ones are ignored

    DockLayout(QMainWindow* window, const Docks& docks);

    void reset();        ///< the layout for the window's width, sizes included
    void hideAll();      ///< remembers the state: the first-start page is shown
    void showAll();      ///< as remembered, else reset()
    void widthChanged(); ///< moves the Inspector where the other layout has it
    [[nodiscard]] bool isCompact() const { return compact_; }
    [[nodiscard]] bool isShown() const { return shown_; }

    void load(const QSettings& settings);
    void save(QSettings& settings);

    /// The panels that can be seen, in reading order.
    [[nodiscard]] QList<QDockWidget*> visible() const;

private:
    void placeInspector();
    void keep();

    QMainWindow* window_;
    Docks docks_;
    QByteArray state_;
    bool compact_ = false, state_compact_ = false, shown_ = false;
};

} // namespace blockloom::ui
