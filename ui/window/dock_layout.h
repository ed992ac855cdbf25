// Where the docks stand: layouts by name, each in two widths; the last one is kept between runs.
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QStringList>

class QDockWidget;
class QMainWindow;
class QSettings;

namespace blockloom::ui {

class Dock;

/// The docks of the window by role; all are children of the window.
struct Docks {
    Dock *blocks = nullptr, *graph = nullptr, *schedule = nullptr, *contention = nullptr,
         *breakdown = nullptr, *compare = nullptr, *tuning = nullptr, *timeline = nullptr,
         *inspector = nullptr, *live = nullptr, *runs = nullptr, *log = nullptr;
    [[nodiscard]] QList<Dock*> all() const;
};

/// At less than `roomy_width` the Inspector is a tab of the right-most group; at less than
/// `roomy_height` the Blocks stand beside Graph and Schedule, not over the Schedule.
class DockLayout {
public:
    static constexpr int roomy_width = 1400, roomy_height = 900;
    static constexpr int version = 4; ///< of saved states; older ones are ignored

    DockLayout(QMainWindow* window, const Docks& docks);

    /// The names of the layouts that are always there: "Analyse", "Run", "Compare", "Tune".
    [[nodiscard]] static QStringList presets();
    /// Those that the user saved, by name.
    [[nodiscard]] QStringList saved() const { return saved_.keys(); }
    /// The layout that was chosen last; what was moved since is part of it only once it is saved.
    [[nodiscard]] QString current() const { return current_; }
    bool apply(const QString& name);  ///< false: there is none of this name
    bool saveAs(const QString& name); ///< replaces one of the user's; presets keep their names
    bool forget(const QString& name); ///< one of the user's
    void reset() { apply(current_); } ///< as it was chosen, sizes included
    void hideAll();                   ///< remembers the state: the first-start page is shown
    void showAll();                   ///< as remembered, else reset()
    void widthChanged();              ///< moves the Inspector where the other layout has it
    [[nodiscard]] bool isCompact() const { return compact_; }
    [[nodiscard]] bool isShown() const { return shown_; }

    void load(const QSettings& settings);
    void save(QSettings& settings);

    /// What the current layout is for; of a layout of the user's the first that can be seen. Null:
    /// nothing is shown.
    [[nodiscard]] Dock* front() const;
    /// The panels that can be seen, in reading order.
    [[nodiscard]] QList<QDockWidget*> visible() const;

private:
    void arrange(const QString& preset);
    void placeInspector();
    void keep();

    QMainWindow* window_;
    Docks docks_;
    QMap<QString, QByteArray> saved_;
    QString current_ = presets().constFirst();
    QByteArray state_;
    bool compact_ = false, state_compact_ = false, shown_ = false;
};

} // namespace blockloom::ui
