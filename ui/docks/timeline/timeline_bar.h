// The bar of the Timeline panel: the history, the run, what is shown, the field that finds.
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
    QToolButton* follow; ///< not wanted until a run is shown while it goes on
    QLineEdit* find;
    FittingLabel* hint; ///< how much of the run is shown
};

} // namespace blockloom::ui
