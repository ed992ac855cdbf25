// Settings: look, start, where runs are kept, and what a device may do. The latter are lines of the
// file that the command line reads too (docs/compute.md).
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

/// What the window itself keeps.
struct WindowSettings {
    ThemeChoice theme = ThemeChoice::system;
    bool restore = true; ///< open at a start what was open last
    QString workspace;   ///< where runs are kept; empty: the user's own
    friend bool operator==(const WindowSettings&, const WindowSettings&) = default;
};

/// Applies when it is accepted, and only what is valid: until then the button says what is wrong.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// `file`: of the device settings; `backends`: what this machine has.
    SettingsDialog(const WindowSettings& window, std::string file,
                   const std::vector<Backend>& backends, QWidget* parent = nullptr);

    [[nodiscard]] WindowSettings chosen() const;
    [[nodiscard]] QPushButton* applyButton() const { return apply_; }
    /// A setting of the file by its name: the field, and what is wrong with it (empty: nothing).
    [[nodiscard]] QWidget* field(const char* name) const;
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void applied(); ///< the file is written; the window's settings are those that were chosen()

private:
    /// One line of the file.
    struct Entry {
        const char* name;
        QWidget* field;
        std::function<QString()> text; ///< as the file has it; empty: the standard
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
    QString unreadable_; ///< what is wrong with the file before anything is changed
    QPushButton* apply_;
    QList<Entry> entries_;
};

/// What file and environment say of batches becomes what the next run uses. What is wrong with
/// them; empty: nothing.
QString take_limits(Runs& runs);

} // namespace blockloom::ui
