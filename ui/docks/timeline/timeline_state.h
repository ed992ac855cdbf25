// The parts of a TimelineDock, for its own sources.
#pragma once

#include "canvas/fitting_label.h"
#include "canvas/legend_strip.h"
#include "docks/timeline/span_histogram.h"
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_dock.h"
#include "docks/timeline/timeline_minimap.h"
#include "docks/timeline/timeline_side.h"
#include "docks/timeline/timeline_twin.h"
#include "range/range.h"
#include "runs/kept_run.h"
#include "schedule/measured.h"
#include "session/background_work.h"
#include "session/live_spans.h"

#include <QString>

#include <string>
#include <vector>

namespace blockloom::execute {
class LiveRun;
}

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollBar;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace blockloom::ui {

class PanelBar;

/// What the list of runs has for the run that goes on, in the place of an id.
inline const QString live_run_key = QStringLiteral(":live");

/// What is read of a run, off the GUI thread.
struct TimelineDock::Loaded {
    std::shared_ptr<const profile::Timeline> timeline; ///< null: it has no spans
    std::shared_ptr<const profile::Trace> trace;       ///< what it is of
    std::vector<float> host, device;                   ///< busy shares of the whole run
    std::string error;
    [[nodiscard]] static Loaded read(const std::string& folder, const std::string& id);
};

/// When the tasks of one block ran in the run that is shown. Immutable once made.
struct TimelineDock::Measured {
    std::shared_ptr<const range::BlockRecord> block;
    schedule::MeasuredSchedule schedule;
    Nanoseconds began = 0; ///< moment 0 of the schedule, in the run
};

struct TimelineDock::State {
    Session* session = nullptr;
    Runs* runs = nullptr;
    BackgroundWork *loading = nullptr, *adding = nullptr, *marking = nullptr, *asking = nullptr;
    LiveSpans* spans = nullptr; ///< of the run that goes on
    PanelBar* bar = nullptr;
    QToolButton *back = nullptr, *forward = nullptr, *fit = nullptr, *follow = nullptr;
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
    runs::KeptRun kept;                          ///< the run that is shown
    std::shared_ptr<const profile::Trace> trace; ///< of it; null while it goes on
    std::shared_ptr<const Measured> measured;    ///< of a block that was asked about; null: none
    std::optional<std::uint32_t> told; ///< the task whose wait is shown, or being worked out
    QString shown_run;                 ///< folder and id: what was read last
    bool ask_again = false;
    bool own_pick = false; ///< the selection is being changed from here
    // Of the run that goes on.
    std::weak_ptr<execute::LiveRun> watched; ///< the last one that began
    bool wanted = false;                     ///< nobody chose another run meanwhile
    bool live = false;                       ///< it is what is shown
    bool following = false;                  ///< and it grows
    bool growing = false;                    ///< the view changes, but nobody moved it
    bool of_last_made = false; ///< the run that was watched is shown, until A is another one
    QString a;                 ///< A, when that began; null: not known yet
};

} // namespace blockloom::ui
