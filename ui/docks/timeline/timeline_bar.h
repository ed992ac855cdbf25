// The bar of the Timeline panel: history buttons, the run, what is shown, the search field.
#pragma once

#include "canvas/panel_bar.h"

class QLineEdit;
class QToolButton;

namespace blockloom::ui {

class FittingLabel;
class RunBox;

class TimelineBar : public PanelBar {
    Q_OBJECT

public:
    explicit TimelineBar(QWidget* parent = nullptr);

    QToolButton *back, *forward, *fit;
    RunBox* run;
    QToolButton* follow; ///< hidden unless a run in progress is shown
    QLineEdit* find;
    FittingLabel* hint; ///< how much of the run is shown
    QToolButton* side;  ///< shows and hides the statistics
};

} // namespace blockloom::ui
