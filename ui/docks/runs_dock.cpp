#include "docks/runs_dock.h"

#include "canvas/panel_bar.h"
#include "look/cells.h"
#include "look/elided_label.h"
#include "look/icons.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "models/runs_model.h"
#include "session/runs.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int room_for_words = 900, room_for_all = 1100; ///< of the columns, px

} // namespace

RunsDock::RunsDock(Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("runs"), tr("Runs"), parent), runs_(runs), model_(new RunsModel(this)),
      rows_(new SortedRows(this)), table_(new Table(tr("Kept runs, newest first"))),
      as_a_(new QPushButton(tr("Use as A"))), as_b_(new QPushButton(tr("Use as B"))),
      verify_(new QPushButton(tr("Verify"))), note_(new QPushButton(tr("Note"))),
      pin_(new QPushButton(tr("Set baseline"))), remove_(new QPushButton(tr("Delete"))),
      older_(new QPushButton(tr("Load older"))),
      show_check_(new QAction(tr("Show the check against a node"), this)), hint_(new ElidedLabel) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    bar_ = new PanelBar(body);
    as_a_->setToolTip(tr("Use the selected run as A in Breakdown and Compare (A)"));
    as_b_->setToolTip(tr("Use the selected run as B in Breakdown and Compare (B)"));
    set_role(hint_, "caption");
    hint_->setObjectName(QStringLiteral("runsCount"));
    hint_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // What a narrow panel has no room for is in the table's context menu; the highest goes first.
    bar_->add(as_a_);
    bar_->add(as_b_);
    note_->setToolTip(tr("Add a note to the selected run (F2 in its cell)"));
    remove_->setToolTip(tr("Delete the selected run; undo restores it (Del)"));
    bar_->add(verify_, 2);
    bar_->add(note_, 4);
    bar_->add(pin_, 5);
    bar_->add(remove_, 3);
    bar_->addStretch();
    bar_->add(hint_, 6);
    bar_->add(older_, 1);
    verify_->setObjectName(QStringLiteral("verifyRun"));
    pin_->setObjectName(QStringLiteral("pinRun"));
    note_->setObjectName(QStringLiteral("noteRun"));
    remove_->setObjectName(QStringLiteral("deleteRun"));
    older_->setObjectName(QStringLiteral("readOlder"));
    older_->setToolTip(
        tr("Load five times as many runs, newest first; baselines are always listed"));
    column->addWidget(bar_);

    rows_->setSourceModel(model_);
    table_->setModel(rows_);
    table_->setItemDelegateForColumn(RunsModel::Verified, new MarkCell(table_));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder); // newest first until asked otherwise
    QHeaderView* header = table_->horizontalHeader();
    table_->setItemDelegateForColumn(RunsModel::Baseline, new SwatchCell(table_));
    table_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    header->setSectionResizeMode(RunsModel::Verified, QHeaderView::Fixed);
    header->setSectionResizeMode(RunsModel::Note, QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair{RunsModel::Compared, 38},
                                         {RunsModel::Run, 126},
                                         {RunsModel::Source, 84},
                                         {RunsModel::Blocks, 52},
                                         {RunsModel::Tasks, 56},
                                         {RunsModel::Time, 72},
                                         {RunsModel::Speedup, 70},
                                         {RunsModel::How, 200},
                                         {RunsModel::Baseline, 84},
                                         {RunsModel::Digest, 116}})
        header->resizeSection(section, width);
    table_->setFitted({RunsModel::Run, RunsModel::Tasks, RunsModel::Blocks, RunsModel::Time,
                       RunsModel::Speedup, RunsModel::Digest, RunsModel::Source, RunsModel::How},
                      40);
    table_->setMinimumHeight(52); // in a low panel the table scrolls, not the panel around it
    column->addWidget(table_, 1);
    setBody(body);
    setHelp(
        tr("<b>Runs</b>: the replays that this window and blockloom-cli have kept. The icon at the "
           "left shows whether a run was verified; equal state digests mean the same state after "
           "the last block. Choose two runs to see where their time went (Breakdown) and which was "
           "faster (Compare). Speed-up is measured, relative to the fastest serial run of the same "
           "blocks. Edit notes and baseline names in their cells (F2); deleting can be undone."));
    addTitleButton("copy", tr("Copy the selected runs"), {}, [this] { table_->copy(); });
    setExport([this] { askReport(); }, tr("Export a report of the selected runs"));

    auto* report = new QAction(icon("report"), tr("Export report…"), table_);
    report->setObjectName(QStringLiteral("reportRunAction"));
    table_->addAction(report);
    connect(report, &QAction::triggered, this, &RunsDock::askReport);
    auto* verify = new QAction(icon("check"), tr("Verify against the serial reference"), table_);
    verify->setObjectName(QStringLiteral("verifyRunAction"));
    table_->addAction(verify);
    connect(verify, &QAction::triggered, verify_, &QPushButton::click);
    show_check_->setObjectName(QStringLiteral("showCheckAction"));
    table_->addAction(show_check_);
    connect(show_check_, &QAction::triggered, this, [this] { Q_EMIT checkRequested(currentId()); });
    for (QPushButton* button : {note_, pin_, remove_}) {
        auto* action = new QAction(button->text(), table_);
        table_->addAction(action);
        connect(action, &QAction::triggered, button, &QPushButton::click);
        in_menu_.append({button, action});
    }
    connect(verify_, &QPushButton::clicked, this, &RunsDock::verify);
    connect(as_a_, &QPushButton::clicked, this, [this] { choose(0); });
    connect(as_b_, &QPushButton::clicked, this, [this] { choose(1); });
    for (const auto& [key, side] : {std::pair{Qt::Key_A, 0}, {Qt::Key_B, 1}}) {
        auto* shortcut = new QShortcut(QKeySequence(key), table_);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, side = side] { choose(side); });
    }
    auto* remove_key = new QShortcut(QKeySequence::Delete, table_);
    remove_key->setContext(Qt::WidgetShortcut);
    connect(remove_key, &QShortcut::activated, remove_, &QPushButton::click);
    connect(remove_, &QPushButton::clicked, this, [this] { runs_->remove(currentId()); });
    connect(pin_, &QPushButton::clicked, this, &RunsDock::togglePin);
    connect(older_, &QPushButton::clicked, this, [this] {
        older_->setEnabled(false); // until they are read
        runs_->readOlder();
    });
    connect(note_, &QPushButton::clicked, this, [this] {
        const QModelIndex at = table_->currentIndex();
        if (!at.isValid()) return;
        table_->setCurrentIndex(at.siblingAtColumn(RunsModel::Note));
        table_->edit(at.siblingAtColumn(RunsModel::Note));
    });
    connect(model_, &RunsModel::noteEdited, runs_, &Runs::setNote);
    connect(model_, &RunsModel::baselineEdited, runs_, &Runs::pin);
    connect(table_, &Table::chosen, this, &RunsDock::showButtons);
    connect(runs_, &Runs::keptChanged, this, &RunsDock::showKept);
    connect(runs_, &Runs::liveChanged, this, &RunsDock::showEmptyPage);
    connect(runs_, &Runs::comparedChanged, this, &RunsDock::showCompared);
    showKept();
}

void RunsDock::choose(int side) {
    const QModelIndex at = table_->currentIndex();
    if (!at.isValid()) return;
    runs_->choose(side == 0 ? Runs::Side::a : Runs::Side::b,
                  model_->idAt(rows_->mapToSource(at).row()));
}

QStringList RunsDock::selectedIds() const {
    QModelIndexList rows = table_->selectionModel()->selectedRows(RunsModel::Run);
    std::sort(rows.begin(), rows.end(),
              [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    QStringList ids;
    for (const QModelIndex& at : rows) ids.append(model_->idAt(rows_->mapToSource(at).row()));
    if (ids.isEmpty() && !currentId().isEmpty()) ids.append(currentId());
    return ids;
}

void RunsDock::askReport() {
    const QStringList ids = selectedIds();
    if (ids.isEmpty()) return showError(tr("No run is selected, so there is nothing to report"));
    clearError();
    Q_EMIT reportRequested(ids);
}

QString RunsDock::currentId() const {
    const QModelIndex at = table_->currentIndex();
    return at.isValid() ? model_->idAt(rows_->mapToSource(at).row()) : QString();
}

/// The name is edited in its cell; clearing the baseline removes it.
void RunsDock::togglePin() {
    const runs::KeptRun* run = runs_->find(currentId());
    if (run == nullptr) return;
    if (!run->notes.baseline.empty()) return runs_->pin(currentId(), QString());
    runs_->pin(currentId(), run_words(*run));
}

void RunsDock::showButtons() {
    const runs::KeptRun* run = runs_->find(currentId());
    for (QPushButton* button : {as_a_, as_b_, verify_, note_, pin_, remove_})
        button->setEnabled(run != nullptr);
    show_check_->setEnabled(run != nullptr && run->check);
    const QString why = runs_->whyNotVerify(currentId());
    verify_->setToolTip(why.isEmpty() ? tr("Execute the blocks of the selected run serially again "
                                           "and compare the results")
                                      : tr("Cannot be verified. %1").arg(why));
    const bool pinned = run != nullptr && !run->notes.baseline.empty();
    pin_->setText(pinned ? tr("Clear baseline") : tr("Set baseline"));
    pin_->setToolTip(
        pinned ? tr("Stop using the selected run as a baseline")
               : tr("Make the selected run a named baseline; edit the name in its cell (F2)"));
    showMenu();
}

/// The context menu has the bar's buttons, too: a narrow bar has no room for all of them.
void RunsDock::showMenu() {
    for (const auto& [button, action] : in_menu_) {
        action->setText(button->text());
        action->setEnabled(button->isEnabled());
    }
}

/// Or says why not: its source or its state is unavailable, or something else is running.
void RunsDock::verify() {
    const QString why = runs_->whyNotVerify(currentId());
    if (!why.isEmpty()) return showError(tr("Run %1 cannot be verified. %2").arg(currentId(), why));
    clearError();
    runs_->verify(currentId());
}

void RunsDock::showKept() {
    const QString current = currentId();
    model_->setRuns(runs_->kept());
    const int row = std::max(model_->rowOf(current), 0);
    if (model_->rowCount() > 0)
        // The first column: a narrow table stays at its left edge.
        table_->setCurrentIndex(rows_->mapFromSource(model_->index(row, RunsModel::Verified)));
    showButtons();
    showCount();
    showColumns();
    showEmptyPage();
    showCompared();
}

void RunsDock::showEmptyPage() {
    const QString why = runs_->whyNotStart();
    setEmptyPage(tr("Runs kept in the workspace are listed here, including those of blockloom-cli "
                    "replay. %1")
                     .arg(why.isEmpty() ? why : why + QLatin1Char('.')),
                 why.isEmpty() ? tr("Run") : QString(), [this] { runs_->start(); });
    showEmpty(model_->rowCount() == 0);
}

int RunsDock::widthOfHow() const {
    return std::clamp(table_->contentWidth(RunsModel::How), 200, 260);
}

/// Of a panel that shows digests; wide fonts need more.
int RunsDock::roomForDigests() const {
    int room = 32 + 38 + std::max(126, table_->contentWidth(RunsModel::Run)) + widthOfHow() + 16;
    for (const int column : {RunsModel::Time, RunsModel::Speedup, RunsModel::Digest})
        room += std::max(table_->contentWidth(column), table_->headerWidth(column));
    return room + table_->headerWidth(RunsModel::Note);
}

/// Digests and notes differ between runs; columns that most rows share give way to them.
void RunsDock::showColumns() {
    const std::vector<runs::KeptRun>& runs = runs_->kept();
    const bool all = width() >= room_for_all;
    const bool named = std::any_of(runs.begin(), runs.end(),
                                   [](const auto& run) { return !run.notes.baseline.empty(); });
    const bool wrong = std::any_of(runs.begin(), runs.end(),
                                   [](const auto& run) { return run.verified == false; });
    for (const int column : {RunsModel::Source, RunsModel::Blocks, RunsModel::Tasks})
        table_->setColumnHidden(column, !all);
    table_->setColumnHidden(RunsModel::Baseline, !all && !named);
    table_->setColumnHidden(RunsModel::Digest, width() < roomForDigests());
    table_->horizontalHeader()->resizeSection(RunsModel::How, all ? 232 : widthOfHow());
    // A narrow table scrolls sideways; what names a run is never cut.
    table_->horizontalHeader()->resizeSection(RunsModel::Run,
                                              std::max(126, table_->contentWidth(RunsModel::Run)));
    // An icon without text has it in the tooltip; a mismatch is spelled out.
    const int words = std::max(104, 40 + fontMetrics().horizontalAdvance(tr("not verified")));
    const int verified = width() >= room_for_words || wrong ? words : 32;
    table_->horizontalHeader()->resizeSection(RunsModel::Verified, verified);
}

void RunsDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    const int before = event->oldSize().width();
    for (const int room : {room_for_words, room_for_all, roomForDigests()})
        if ((before < room) != (width() < room)) return showColumns();
}

void RunsDock::showCount() {
    const std::size_t all = runs_->keptInAll(), read = runs_->kept().size();
    bar_->setWanted(older_, read < all);
    older_->setEnabled(true);
    hint_->setText(read < all
                       ? tr("%1 of %2").arg(count_text(read), counted(all, tr("run"), tr("runs")))
                       : tr("Kept in the workspace; copy them with blockloom-cli runs export"));
    hint_->setToolTip(read < all ? tr("The newest runs and all baselines are listed; runs that are "
                                      "not loaded cannot be compared or found")
                                 : hint_->text());
    bar_->refit();
}

void RunsDock::showCompared() {
    const auto id = [this](Runs::Side side) {
        const runs::KeptRun* run = runs_->chosen(side);
        return run == nullptr ? QString() : to_qt(run->id);
    };
    model_->setCompared(id(Runs::Side::a), id(Runs::Side::b));
}

} // namespace blockloom::ui
