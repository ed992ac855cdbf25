// A choice among runs in the bar of a panel.
#pragma once

#include <QComboBox>

namespace blockloom::ui {

/// As wide as the names of runs where the bar is wide; else it leaves the room to others, and its
/// list shows what they differ by: names differ at their end.
class RunBox : public QComboBox {
public:
    /// `bar`: whose width counts. `characters`: seen at least.
    RunBox(QWidget* bar, const QString& name, int characters);

    void showPopup() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit(int room);
};

} // namespace blockloom::ui
