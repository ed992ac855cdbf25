// The set-up of a sweep: blocks, devices, values of each axis, budget.
#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace blockloom::ui {

class Runs;
class Tunings;

class TuningSetup : public QWidget {
    Q_OBJECT

public:
    TuningSetup(Tunings* tunings, Runs* runs, QWidget* parent = nullptr);
    /// Why the entered values cannot be swept; empty: they can.
    [[nodiscard]] QString whyNot() const;

private:
    QLineEdit* addList(const QString& caption, const char* name, const QString& tip,
                       const QString& placeholder);
    void showChoices();
    void addStrategies();
    void showBackends();
    void take();

    Tunings* tunings_;
    Runs* runs_;
    QComboBox* scope_;
    QVBoxLayout *rows_, *devices_;
    QGridLayout* strategies_;
    QLineEdit *workers_ = nullptr, *batch_min_ = nullptr, *batch_max_ = nullptr, *slices_ = nullptr,
              *windows_ = nullptr;
    QComboBox* placement_;
    QSpinBox* seconds_;
    QCheckBox* coarse_;
    QLabel* points_;
    QString why_;
    bool following_ = false; ///< the controls are being set from the model
};

} // namespace blockloom::ui
