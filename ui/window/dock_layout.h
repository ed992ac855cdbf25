// Arrangement of the docks: named layouts, each for two widths; the last one is restored at
// start-up.
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QObject>
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
         *inspector = nullptr, *live = nullptr, *runs = nullptr, *advice = nullptr, *log = nullptr;
    [[nodiscard]] QList<Dock*> all() const;
};

/// Below `roomy_width` the Inspector is a tab of the right-most group; below `roomy_height` Blocks
/// is beside Graph and Schedule, not above Schedule.
class DockLayout : public QObject {
    Q_OBJECT

public:
    static constexpr int roomy_width = 1400, roomy_height = 900;
    static constexpr int version = 5; ///< of saved states; older ones are ignored

    DockLayout(QMainWindow* window, const Docks& docks);

    /// The names of the built-in layouts: "Analyse", "Run", "Compare", "Tune".
    [[nodiscard]] static QStringList presets();
    /// Names of the layouts saved by the user.
    [[nodiscard]] QStringList saved() const { return saved_.keys(); }
    /// The layout chosen last; later moves become part of it only when it is saved.
    [[nodiscard]] QString current() const { return current_; }
    bool apply(const QString& name);  ///< false: no layout has this name
    bool saveAs(const QString& name); ///< may replace one of the user's, never a preset
    bool forget(const QString& name); ///< one of the user's
    void reset() { apply(current_); } ///< restores the layout, including sizes
    void hideAll();                   ///< stores the state; the start page is shown
    void showAll();                   ///< restores the stored state, else reset()
    void widthChanged();              ///< moves the Inspector, or keeps its width
    [[nodiscard]] bool isCompact() const { return compact_; }
    [[nodiscard]] bool isShown() const { return shown_; }

    void load(const QSettings& settings);
    void save(QSettings& settings);

    /// The main panel of the current layout; for a layout of the user's, the first visible one.
    /// Null: none is visible.
    [[nodiscard]] Dock* front() const;
    /// The visible panels, in reading order.
    [[nodiscard]] QList<QDockWidget*> visible() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange(const QString& preset);
    [[nodiscard]] int blocksWidth() const; ///< px, in the built-in layouts
    void giveBlocksRoom();
    void placeInspector();
    void keepInspectorWidth();
    void keep();

    QMainWindow* window_;
    Docks docks_;
    QMap<QString, QByteArray> saved_;
    QString current_ = presets().constFirst();
    QByteArray state_;
    int window_width_ = 0, inspector_width_ = 0; ///< px; 0: not laid out yet
    bool keeping_ = false;                       ///< inspector_width_ is being applied
    bool applying_ = false;                      ///< a layout
    bool compact_ = false, state_compact_ = false, shown_ = false;
};

} // namespace blockloom::ui
