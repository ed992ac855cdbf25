// Settings: theme, start-up, the workspace of runs, and limits for devices. The latter are lines of
// the file that the command line reads, too (docs/compute.md).
#pragma once

#include "look/theme_style.h"

#include <QDialog>
#include <QList>

#include <functional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace blockloom::ui {

struct Backend;
class Runs;

/// Settings of the window itself.
struct WindowSettings {
    ThemeChoice theme = ThemeChoice::system;
    bool restore = true; ///< restore the last session at start-up
    QString workspace;   ///< where runs are kept; empty: the user's own
    friend bool operator==(const WindowSettings&, const WindowSettings&) = default;
};

/// Applied on accept, and only if valid: until then the dialog says what is wrong.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// `file`: the file of device settings; `backends`: those of this machine.
    SettingsDialog(const WindowSettings& window, std::string file,
                   const std::vector<Backend>& backends, QWidget* parent = nullptr);

    [[nodiscard]] WindowSettings chosen() const;
    [[nodiscard]] QPushButton* applyButton() const { return apply_; }
    /// The field of a setting of the file, by name; the first problem of the dialog (empty: none).
    [[nodiscard]] QWidget* field(const char* name) const;
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void applied(); ///< the file is written; chosen() has the window's settings

private:
    /// One line of the file.
    struct Entry {
        const char* name;
        QWidget* field;
        std::function<QString()> text; ///< value for the file; empty: the default
        QString before;
    };
    void addWindow(const WindowSettings& window);
    void addDevices(const std::vector<Backend>& backends);
    void addRow(const QString& label, QWidget* field, const QString& what);
    void addLine(const char* name, const QString& label, const QString& standard,
                 const QString& what);
    void addBackends(const std::vector<Backend>& backends);
    void readFile();
    void check();
    void apply();
    void askFolder();

    std::string file_;
    QFormLayout* form_;
    QComboBox *theme_, *backend_;
    QCheckBox *restore_, *validation_;
    QLineEdit* workspace_;
    QLabel *problem_icon_, *problem_;
    QString unreadable_; ///< what was wrong with the file when it was read
    QPushButton* apply_;
    QList<Entry> entries_;
};

/// Sets the next run's batch limits from the file and the environment. Returns what is wrong with
/// them; empty: nothing.
QString take_limits(Runs& runs);

} // namespace blockloom::ui
