// A combo box of runs in the bar of a panel.
#pragma once

#include <QComboBox>

namespace blockloom::ui {

/// As wide as the names of runs if the bar is wide. Otherwise it leaves room for the other
/// controls, and only its list shows the ends of the names, which is where they differ.
class RunBox : public QComboBox {
public:
    /// `bar`: the bar whose width decides. `characters`: how many are visible at least.
    RunBox(QWidget* bar, const QString& name, int characters);

    void showPopup() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit(int room);
};

} // namespace blockloom::ui
