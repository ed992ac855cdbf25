// What if the selected key were relaxed: a bar of settings, the predicted gain, and its
// verification by replay.
#pragma once

#include "runs/what_if.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace blockloom::ui {

class PanelBar;
class WhatIfs;

class WhatIfStrip : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfStrip(WhatIfs* what_ifs, QWidget* parent = nullptr);

    void setKey(const QString& printable); ///< empty: none is selected
    [[nodiscard]] QString words() const;   ///< what it shows

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] runs::WhatIfPlan plan() const;
    void ask();
    void showAll();
    void showWorkers();

    WhatIfs* what_ifs_;
    PanelBar* bar_;
    QComboBox* how_;
    QSpinBox* workers_;
    QPushButton* verify_;
    QLabel* words_;
    QString key_;
};

} // namespace blockloom::ui
