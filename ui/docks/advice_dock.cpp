#include "docks/advice_dock.h"

#include "canvas/panel_bar.h"
#include "charts/bar_cells.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/advice_model.h"
#include "session/what_ifs.h"
#include "text/numbers.h"
#include "text/run_names.h"
#include "text/to_qt.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace blockloom::ui {

AdviceDock::AdviceDock(Session* session, Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("advice"), tr("Advice"), parent), what_ifs_(WhatIfs::of(session, runs)),
      model_(new AdviceModel(this)), rows_(new SortedRows(this)),
      table_(new Table(tr("What limits the run"))), bar_(new PanelBar), about_(new QLabel(bar_)),
      try_(new QPushButton(tr("Verify by replay"), bar_)) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    set_role(about_, "caption");
    try_->setObjectName(QStringLiteral("adviceTry"));
    try_->setSizePolicy(QSizePolicy::Fixed,
                        QSizePolicy::Fixed); // as wide as its words
    bar_->add(try_);
    bar_->add(about_, 1);
    bar_->addStretch();
    rows_->setSourceModel(model_);
    table_->setModel(rows_);
    table_->setRowHeight(36);
    table_->setItemDelegateForColumn(AdviceModel::Gain, new BarCell(table_));
    table_->setItemDelegateForColumn(AdviceModel::Limit, new TwoLineCell(table_));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(AdviceModel::Limit, QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair{AdviceModel::Gain, 112},
                                         {AdviceModel::WhatIf, 80},
                                         {AdviceModel::Measured, 84}})
        header->resizeSection(section, width);
    table_->setFitted({AdviceModel::WhatIf}, 220); // the limits have the room first
    table_->setMinimumHeight(52);
    column->addWidget(bar_);
    column->addWidget(table_, 1);
    setBody(body);
    setHelp(tr(
        "<b>Advice</b>: what limits the kept run that the Schedule shows, ranked by the predicted "
        "gain of changing it. Each line rests on a figure of the run and on a what-if: the run "
        "re-scheduled by its measured costs. <i>Verify by replay</i> runs the selected line and "
        "shows what it measured; lines that no strategy can run say so."));
    addTitleButton("copy", tr("Copy the selected lines"), {}, [this] { table_->copy(); });
    connect(table_, &Table::chosen, this, &AdviceDock::showButton);
    connect(table_, &Table::activated, this, &AdviceDock::tryIt);
    connect(try_, &QPushButton::clicked, this, &AdviceDock::tryIt);
    connect(what_ifs_, &WhatIfs::changed, this, &AdviceDock::showAdvice);
    connect(what_ifs_, &WhatIfs::replayed, this, &AdviceDock::showAdvice);
    showAdvice();
}

void AdviceDock::showEvent(QShowEvent* event) {
    Dock::showEvent(event);
    what_ifs_->want();
}

int AdviceDock::currentRow() const {
    const QModelIndex at = table_->currentIndex();
    return at.isValid() ? rows_->mapToSource(at).row() : -1;
}

void AdviceDock::showAdvice() {
    const auto base = what_ifs_->base();
    model_->setAdvice(base,
                      [this](const runs::WhatIfPlan& plan) { return what_ifs_->measured(plan); });
    if (!base)
        setEmptyPage(what_ifs_->busy() ? tr("Reading the run…")
                     : what_ifs_->why().isEmpty()
                         ? tr("Run the range once (Ctrl+Return) to see what limits it.")
                         : tr("No advice: %1.").arg(what_ifs_->why()));
    else if (base->advice.empty())
        setEmptyPage(tr("Nothing that is known here would make this run faster by %1 or more.")
                         .arg(percent_text(runs::least_advised_gain - 1)));
    showEmpty(model_->rowCount() == 0);
    bool replayed = false;
    for (int row = 0; row < model_->rowCount(); ++row)
        replayed = replayed || what_ifs_->measured(model_->adviceAt(row)->plan) != nullptr;
    table_->setColumnHidden(AdviceModel::Measured, !replayed);
    about_->setText(
        base ? tr("%1; wall time %2").arg(run_title(base->run), time_text(base->work.phases.sum()))
             : QString());
    about_->setToolTip(about_->text());
    bar_->refit();
    if (model_->rowCount() > 0 && !table_->currentIndex().isValid())
        table_->setCurrentIndex(rows_->index(0, AdviceModel::Limit));
    showButton();
}

void AdviceDock::showButton() {
    const runs::Advice* const advice = model_->adviceAt(currentRow());
    const QString why =
        advice == nullptr ? tr("Select a line") : what_ifs_->whyNotReplay(advice->plan);
    if (try_->hasFocus() && !why.isEmpty()) table_->setFocus(Qt::OtherFocusReason);
    try_->setEnabled(why.isEmpty());
    try_->setToolTip(why.isEmpty() ? tr("Replays the run %1 times: %2; the new run is kept")
                                         .arg(WhatIfs::repetitions)
                                         .arg(to_qt(text_of(advice->plan)))
                                   : tr("Cannot be replayed: %1").arg(why));
}

void AdviceDock::tryIt() {
    const runs::Advice* const advice = model_->adviceAt(currentRow());
    if (advice != nullptr && what_ifs_->whyNotReplay(advice->plan).isEmpty())
        what_ifs_->replay(advice->plan);
}

} // namespace blockloom::ui
