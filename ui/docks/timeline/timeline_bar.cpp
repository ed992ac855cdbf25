#include "docks/timeline/timeline_bar.h"

#include "docks/parts/run_box.h"
#include "look/fitting_label.h"

#include <QLineEdit>
#include <QToolButton>

namespace blockloom::ui {

TimelineBar::TimelineBar(QWidget* parent)
    : PanelBar(parent), back(makeButton("back", tr("Previous view (Backspace)"))),
      forward(makeButton("forward", tr("Next view (Shift+Backspace)"))),
      fit(makeButton("fit", tr("Fit the selection, then the whole run (F)"))),
      run(new RunBox(this, tr("Run (also A in Runs)"), 22)), follow(new QToolButton(this)),
      find(new QLineEdit(this)), hint(new FittingLabel(this)),
      side(makeButton("side", tr("Statistics beside the lanes: kinds and lengths of spans"))) {
    enum Yields { stays = 0, run_yields, find_yields };
    run->setObjectName(QStringLiteral("timelineRun"));
    run->setPlaceholderText(tr("Choose a run"));
    find->setObjectName(QStringLiteral("timelineFind"));
    find->setPlaceholderText(tr("Find span…"));
    find->setAccessibleName(tr("Find a span by name, task or block"));
    find->setToolTip(tr("Name, task or block; Return finds the next"));
    find->setClearButtonEnabled(true);
    find->setFixedWidth(150);
    follow->setObjectName(QStringLiteral("timelineFollow"));
    follow->setText(tr("Auto-scroll"));
    follow->setCheckable(true);
    follow->setProperty("segment", true);
    follow->setFocusPolicy(Qt::TabFocus);
    follow->setAccessibleName(tr("Auto-scroll to the newest spans"));
    follow->setToolTip(
        tr("Keep showing the newest spans (End); zooming, moving or selecting stops this"));
    hint->setAccessibleName(tr("What is shown"));
    for (QToolButton* button : {back, forward, fit}) add(button, stays);
    addCaptioned(tr("Run"), run, run_yields);
    add(follow, stays);
    setWanted(follow, false);
    add(find, find_yields);
    add(hint, stays);
    side->setObjectName(QStringLiteral("timelineStatistics"));
    side->setCheckable(true);
    add(side, stays);
}

} // namespace blockloom::ui
