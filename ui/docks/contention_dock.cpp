#include "docks/contention_dock.h"

#include "charts/bar_cells.h"
#include "docks/what_if_strip.h"
#include "look/cells.h"
#include "look/icons.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/contention_model.h"
#include "session/session.h"
#include "session/what_ifs.h"
#include "text/numbers.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace blockloom::ui {
namespace {

constexpr int narrow_panel = 520, narrow_gain = 128, roomy_gain = 176; // px

} // namespace

ContentionDock::ContentionDock(Session* session, Runs* runs, QWidget* parent)
    : ContentionDock(session, parent) {
    what_ifs_ = WhatIfs::of(session, runs);
    strip_ = new WhatIfStrip(what_ifs_);
    table_->parentWidget()->layout()->addWidget(strip_);
    const auto known = [this] {
        following_ = true;
        model_->setKnown(what_ifs_->base() ? what_ifs_->base()->keys
                                           : std::vector<runs::WhatIfKey>());
        following_ = false;
        showSelection();
    };
    connect(what_ifs_, &WhatIfs::changed, this, known);
    known();
}

ContentionDock::ContentionDock(Session* session, QWidget* parent)
    : Dock(QStringLiteral("contention"), tr("Contention"), parent), session_(session),
      model_(new ContentionModel(this)), rows_(new SortedRows(this)),
      table_(new Table(tr("Keys by gain"))), undo_(new QPushButton(tr("Undo"))),
      redo_(new QToolButton) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    auto* bar = new QWidget(body);
    bar->setObjectName(QStringLiteral("panelBar"));
    bar->setFixedHeight(35);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    undo_->setIcon(icon("undo"));
    undo_->setObjectName(QStringLiteral("undoRule"));
    redo_->setIcon(icon("redo"));
    redo_->setProperty("framed", true);
    redo_->setFixedHeight(26);
    auto* hint = new QLabel(tr("Tick a key to relax it; the schedule updates at once"), bar);
    set_role(hint, "caption");
    hint->setMinimumWidth(0);
    hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    hint->setToolTip(hint->text());
    row->addWidget(undo_);
    row->addWidget(redo_);
    row->addWidget(hint, 1);

    rows_->setSourceModel(model_);
    table_->setModel(rows_);
    table_->setRowHeight(36);
    table_->setItemDelegateForColumn(ContentionModel::Relax, new CheckCell(table_));
    table_->setItemDelegateForColumn(ContentionModel::Key, new TwoLineCell(table_));
    table_->setItemDelegateForColumn(ContentionModel::Gain, new BarCell(table_));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(ContentionModel::Key, QHeaderView::Stretch);
    header->setSectionResizeMode(ContentionModel::Relax, QHeaderView::Fixed);
    for (const auto& [section, width] : {std::pair{ContentionModel::Relax, 32},
                                         {ContentionModel::Kind, 72},
                                         {ContentionModel::ReadersWriters, 88},
                                         {ContentionModel::Pairs, 72},
                                         {ContentionModel::Predictable, 88},
                                         {ContentionModel::Gain, roomy_gain}})
        header->resizeSection(section, width);

    column->addWidget(bar);
    column->addWidget(table_, 1);
    setBody(body);
    setEmptyPage(
        tr("Keys that make tasks of the current block wait for each other are ranked here."));
    setHelp(tr("<b>Contention</b>: keys ranked by what relaxing them would gain. <i>Gain if "
               "relaxed</i> is the predicted parallelism without a key's conflicts, divided by the "
               "parallelism with them. <i>Predictable</i> is the share of its reads that could be "
               "given the right value beforehand. Below, the kept run is re-scheduled with the "
               "selected key relaxed; <i>Verify by replay</i> measures what was predicted. Tick a "
               "key to relax it: its accesses are no longer counted, "
               "and figures and schedule update at once. Each tick is one undo step; relaxed keys "
               "stay at the top of the list."));
    addTitleButton("copy", tr("Copy the selected keys"), {}, [this] { table_->copy(); });

    QUndoStack& stack = session_->undoStack();
    connect(undo_, &QPushButton::clicked, &stack, &QUndoStack::undo);
    connect(redo_, &QToolButton::clicked, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &ContentionDock::nameUndo);
    connect(model_, &ContentionModel::relaxRequested, session_, &Session::relaxKey);
    connect(table_, &Table::chosen, this, [this](const QModelIndex& index) {
        if (following_) return;
        if (const auto key = model_->idAt(rows_->mapToSource(index).row()))
            session_->selectKey(key);
    });
    connect(session_, &Session::blockChanged, this, &ContentionDock::showBlock);
    connect(session_, &Session::optionsChanged, this, &ContentionDock::showBlock);
    connect(session_, &Session::selectionChanged, this, &ContentionDock::showSelection);
    connect(session_, &Session::busyChanged, this, [this] { setBefore(session_->showsBefore()); });
    showBlock();
    nameUndo();
}

/// In a narrow panel the key's name needs the room; its kind is in that name, and who reads and
/// writes it is in the Inspector.
void ContentionDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    const bool narrow = width() < narrow_panel;
    for (const int column : {ContentionModel::Kind, ContentionModel::ReadersWriters})
        table_->setColumnHidden(column, narrow);
    if (std::exchange(narrow_, narrow) != narrow)
        table_->horizontalHeader()->resizeSection(ContentionModel::Gain,
                                                  narrow ? narrow_gain : roomy_gain);
}

void ContentionDock::showBlock() {
    following_ = true;
    model_->setBlock(session_->currentBlock(), session_->options().policy);
    following_ = false;
    setBefore(session_->showsBefore());
    const bool none = model_->rowCount() == 0;
    if (none && session_->currentBlock())
        setEmptyPage(tr("This block has no conflicts: there is nothing to relax."));
    showEmpty(none);
    showSelection();
}

void ContentionDock::showSelection() {
    const auto key = session_->selectedKey();
    const int row = key ? model_->rowOf(*key) : -1;
    if (strip_ != nullptr) strip_->setKey(model_->keyAt(row));
    following_ = true;
    if (row < 0)
        table_->clearSelection();
    else if (const QModelIndex index =
                 rows_->mapFromSource(model_->index(row, ContentionModel::Key));
             index.row() != table_->currentIndex().row() ||
             !table_->selectionModel()->hasSelection())
        table_->setCurrentIndex(index);
    following_ = false;
}

void ContentionDock::nameUndo() {
    const QUndoStack& stack = session_->undoStack();
    // If a button is disabled while it has the focus, the keyboard focus would be lost.
    if (undo_->hasFocus() && !stack.canUndo()) table_->setFocus(Qt::OtherFocusReason);
    undo_->setEnabled(stack.canUndo());
    const QString undo = stack.canUndo() ? tr("Undo: %1").arg(stack.undoText()) : tr("Undo");
    undo_->setText(literal_title(shortened(undo, 20, 8)));
    undo_->setToolTip(tr("%1 (Ctrl+Z)").arg(undo));
    redo_->setEnabled(stack.canRedo());
    const QString redo = stack.canRedo() ? tr("Redo: %1").arg(stack.redoText()) : tr("Redo");
    redo_->setAccessibleName(redo);
    redo_->setToolTip(tr("%1 (Ctrl+Shift+Z)").arg(redo));
}

} // namespace blockloom::ui
