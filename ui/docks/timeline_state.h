// The parts of a TimelineDock, for its own sources.
#pragma once

#include "canvas/fitting_label.h"
#include "canvas/legend_strip.h"
#include "docks/span_histogram.h"
#include "docks/timeline_canvas.h"
#include "docks/timeline_dock.h"
#include "docks/timeline_minimap.h"
#include "docks/timeline_side.h"
#include "docks/timeline_twin.h"
#include "report/kept_run.h"
#include "session/background_work.h"

#include <QString>

#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollBar;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace blockloom::ui {

/// What is read of a run, off the GUI thread.
struct TimelineDock::Loaded {
    std::shared_ptr<const profile::Timeline> timeline; ///< null: it has no spans
    std::vector<float> host, device;                   ///< busy shares of the whole run
    std::string error;
    [[nodiscard]] static Loaded read(const std::string& folder, const std::string& id);
};

struct TimelineDock::State {
    Session* session = nullptr;
    Runs* runs = nullptr;
    BackgroundWork *loading = nullptr, *adding = nullptr, *marking = nullptr;
    QToolButton *back = nullptr, *forward = nullptr, *fit = nullptr;
    QComboBox* run = nullptr;
    QLineEdit* find = nullptr;
    FittingLabel* hint = nullptr;
    QStackedWidget *pages = nullptr, *views = nullptr; ///< views or message; canvas or table
    QSplitter* split = nullptr;
    QLabel* sentence = nullptr;
    QPushButton* act = nullptr;
    TimelineMinimap* minimap = nullptr;
    TimelineCanvas* canvas = nullptr;
    QScrollBar* scroll = nullptr;
    TimelineSide* side = nullptr;
    TimelineTwin* twin = nullptr;
    LegendStrip* legend = nullptr;
    report::KeptRun kept; ///< the run that is shown
    QString shown_run;    ///< folder and id: what was read last
    bool ask_again = false;
    bool own_pick = false; ///< the selection is being changed from here
};

} // namespace blockloom::ui
