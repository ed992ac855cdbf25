#include "docks/blocks/blocks_dock.h"

#include "charts/bar_cells.h"
#include "docks/blocks/blocks_figures.h"
#include "look/cells.h"
#include "look/table.h"
#include "models/blocks_model.h"
#include "session/session.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <tuple>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int most_rows_first = 8, scroll_bar = 12;
constexpr int roomy = 600; ///< for the columns of messages and the conflict pairs, px

} // namespace

BlocksDock::BlocksDock(Session* session, QWidget* parent)
    : Dock(QStringLiteral("blocks"), tr("Blocks"), parent), session_(session),
      model_(new BlocksModel(this)), totals_model_(new BlockTotalsModel(this)),
      rows_(new SortedRows(this)), table_(new Table(tr("Blocks of the range"))),
      totals_(new Table(tr("Totals of the range"))), filter_(new QLineEdit) {
    auto* body = new QSplitter(Qt::Vertical, this);
    body->setChildrenCollapsible(false);
    body->setHandleWidth(1);
    auto* upper = new QWidget(body);
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    auto* bar = new QWidget(upper);
    bar->setObjectName(QStringLiteral("panelBar"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    filter_->setPlaceholderText(tr("Filter by regular expression"));
    filter_->setAccessibleName(tr("Filter the blocks"));
    filter_->setClearButtonEnabled(true);
    row->addWidget(filter_);
    bar->hide();

    rows_->setSourceModel(model_);
    // Rows of what was left out stay below the blocks in every order.
    rows_->setRank([this](int source_row) { return model_->isBlock(source_row) ? 0 : 1; });
    table_->setModel(rows_);
    table_->setItemDelegateForColumn(BlocksModel::Status, new MarkCell(table_));
    table_->setItemDelegateForColumn(BlocksModel::LevelSizes, new SparklineCell(table_));
    table_->setItemDelegateForColumn(BlocksModel::Parallelism, new BarCell(table_));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder); // chain order until asked otherwise
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(BlocksModel::Status, QHeaderView::Fixed);
    header->setSectionResizeMode(BlocksModel::LevelSizes, QHeaderView::Stretch);

    totals_->setObjectName(QStringLiteral("totals"));
    totals_->setModel(totals_model_);
    totals_->horizontalHeader()->hide();
    totals_->setSelectionMode(QAbstractItemView::NoSelection);
    totals_->setFocusPolicy(Qt::NoFocus);
    totals_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    totals_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    totals_->setFixedHeight(27);

    column->addWidget(bar);
    column->addWidget(table_, 1);
    column->addWidget(totals_);
    // The rows have priority: the figures of one block take the remaining space, and scroll.
    auto* figures = new QScrollArea(body);
    figures->setObjectName(QStringLiteral("details"));
    figures->setFrameShape(QFrame::NoFrame);
    figures->setWidgetResizable(true);
    figures->setFocusPolicy(Qt::NoFocus);
    figures->setWidget(new BlocksFigures(session, figures));
    figures->widget()->setObjectName(QStringLiteral("detailsPage"));
    figures->setMinimumHeight(40);
    table_->setMinimumHeight(26 + 3 * 26);
    body->addWidget(upper);
    body->addWidget(figures);
    body->setStretchFactor(0, 1);
    body->setStretchFactor(1, 0);
    split_ = body;
    connect(body, &QSplitter::splitterMoved, this, [this] { split_moved_ = true; });
    setBody(body);
    setEmptyPage(tr("The blocks of the open range are listed here."));
    setHelp(tr("<b>Blocks</b>: how parallel is each block? <i>Levels</i> is the length of the "
               "longest chain of dependencies. <i>Parallelism</i> is work / span: the highest "
               "speed-up that any schedule preserving the block's order can reach (predicted). The "
               "icon at the left shows whether the block's own commitments (merkle root, witness) "
               "are valid. Stale and unreadable blocks are listed at the end with the reason."));

    QToolButton* filter_button = addTitleButton("filter", tr("Filter the blocks"),
                                                QKeySequence(Qt::CTRL | Qt::Key_L), [] {});
    filter_button->defaultAction()->setCheckable(true);
    connect(filter_button->defaultAction(), &QAction::toggled, this, [this, bar](bool on) {
        bar->setVisible(on);
        if (on)
            filter_->setFocus(Qt::ShortcutFocusReason);
        else
            filter_->clear();
    });
    addTitleButton("copy", tr("Copy the selected rows"), {}, [this] { table_->copy(); });

    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(rows_, changed, this, &BlocksDock::spanLeftOut);
    connect(rows_, &QAbstractItemModel::layoutChanged, this, &BlocksDock::spanLeftOut);
    connect(rows_, &QAbstractItemModel::modelReset, this, &BlocksDock::spanLeftOut);
    connect(filter_, &QLineEdit::textChanged, this, &BlocksDock::setFilter);
    connect(header, &QHeaderView::sectionResized, this, &BlocksDock::alignTotals);
    connect(header, &QHeaderView::geometriesChanged, this, &BlocksDock::alignTotals);
    connect(table_->horizontalScrollBar(), &QScrollBar::valueChanged,
            totals_->horizontalScrollBar(), &QScrollBar::setValue);
    connect(table_, &Table::chosen, this, [this](const QModelIndex& index) {
        const int source_row = rows_->mapToSource(index).row();
        if (!following_ && model_->isBlock(source_row)) session_->setCurrentRow(source_row);
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        int first = -1, last = -1, chosen = 0;
        for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
            const int at = rows_->mapToSource(index).row();
            if (!model_->isBlock(at)) continue;
            first = first < 0 ? at : std::min(first, at);
            last = std::max(last, at);
            ++chosen;
        }
        Q_EMIT rowsSelected(first, last, chosen);
    });
    connect(session_, &Session::rangeChanged, this, &BlocksDock::showRange);
    connect(session_, &Session::blockChanged, this, &BlocksDock::showRow);
    // The figures of a block are as high as it has facts.
    connect(session_, &Session::blockChanged, this, &BlocksDock::giveRows, Qt::QueuedConnection);
    const auto label = [this] { setBefore(session_->showsBefore()); };
    connect(session_, &Session::busyChanged, this, label);
    connect(session_, &Session::optionsChanged, this, label);
    showRange();
}

void BlocksDock::showRange() {
    const auto range = session_->range();
    following_ = true;
    model_->setRange(range);
    totals_model_->setRange(range);
    following_ = false;
    // A column of icons is narrow; texts (invalid, stale, left out) get their width where there are
    // any.
    bool words = range && !range->left_out.empty();
    for (int row = 0; row < model_->blockCount(); ++row)
        words = words || !model_->index(row, BlocksModel::Status).data().toString().isEmpty();
    table_->horizontalHeader()->resizeSection(BlocksModel::Status, words ? 84 : 30);
    showColumns();
    clearError();
    showEmpty(range == nullptr);
    showRow();
    alignTotals();
    giveRows();
}

/// Where there is not enough room for all, the columns of messages replace pairs and levels; both
/// are among the figures below.
void BlocksDock::showColumns() {
    const auto range = session_->range();
    const bool executed = range && range->totals.executed != 0;
    const bool wide = !executed || width() >= roomy;
    for (Table* table : {table_, totals_}) {
        for (const int column : {BlocksModel::Messages, BlocksModel::Reverted, BlocksModel::Fuel})
            table->setColumnHidden(column, !executed);
        for (const int column : {BlocksModel::Pairs, BlocksModel::Levels})
            table->setColumnHidden(column, !wide);
    }
    if (executed_ != executed) // widths that the user chose stay
        for (const auto& [section, narrow, full] : {std::tuple{BlocksModel::Block, 68, 72},
                                                    {BlocksModel::Tasks, 54, 58},
                                                    {BlocksModel::Messages, 74, 74},
                                                    {BlocksModel::Reverted, 64, 68},
                                                    {BlocksModel::Fuel, 56, 60},
                                                    {BlocksModel::Pairs, 64, 58},
                                                    {BlocksModel::Levels, 54, 54},
                                                    {BlocksModel::Parallelism, 84, 96}})
            table_->horizontalHeader()->resizeSection(
                section, std::max({executed ? narrow : full, table_->headerWidth(section),
                                   totals_->contentWidth(section)}));
    // The stretched column gets what is left: its header needs some of the others' slack.
    for (const int section :
         {BlocksModel::Parallelism, BlocksModel::Tasks, BlocksModel::Messages}) {
        const int now_wide = table_->columnWidth(section);
        const int slack =
            now_wide - std::max(table_->headerWidth(section), totals_->contentWidth(section));
        const int lacking = sizesLacking();
        if (lacking > 0 && slack > 0)
            table_->horizontalHeader()->resizeSection(section, now_wide - std::min(lacking, slack));
    }
    // Reverted messages are among the figures below, too.
    if (!wide && sizesLacking() > 0)
        for (Table* table : {table_, totals_}) table->setColumnHidden(BlocksModel::Reverted, true);
    executed_ = executed;
    alignTotals();
}

/// Pixels by which the header of the level sizes is cut; 0 or less: it is not.
int BlocksDock::sizesLacking() const {
    // What the others leave: the header stretches the column itself only later.
    int room = table_->viewport()->width();
    for (int section = 0; section < BlocksModel::ColumnCount; ++section)
        if (section != BlocksModel::LevelSizes) room -= table_->columnWidth(section);
    return table_->headerWidth(BlocksModel::LevelSizes) - room;
}

void BlocksDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    if ((event->oldSize().width() < roomy) != (width() < roomy) || sizesLacking() > 0)
        showColumns();
    // The table has its new width when the layout below the dock is done.
    if (executed_ == true)
        QMetaObject::invokeMethod(this, &BlocksDock::showColumns, Qt::QueuedConnection);
    giveRows();
}

/// Until the user moves the line between them: eight rows come first, then the figures as high as
/// they are, then more rows.
void BlocksDock::giveRows() {
    if (split_moved_) return;
    const int all = split_->height() - split_->handleWidth();
    const int bar = split_->widget(0)->sizeHint().height() - table_->sizeHint().height();
    const int rows = 26 + most_rows_first * 26 + std::max(bar, 0);
    auto* figures = static_cast<QScrollArea*>(split_->widget(1));
    static_cast<BlocksFigures*>(figures->widget())->setRoom(width() - scroll_bar);
    const int wanted = figures->widget()->sizeHint().height();
    const int below = std::clamp(all - rows, figures->minimumHeight(), std::max(wanted, 40));
    split_->setSizes({all - below, below});
}

void BlocksDock::showRow() {
    const int row = session_->currentRow();
    if (row < 0) return;
    model_->setRecord(row, session_->currentBlock());
    const QModelIndex index = rows_->mapFromSource(model_->index(row, BlocksModel::Block));
    if (!index.isValid() || index.row() == table_->currentIndex().row()) return;
    following_ = true;
    table_->setCurrentIndex(index);
    following_ = false;
}

void BlocksDock::spanLeftOut() {
    table_->clearSpans();
    for (int row = 0; row < rows_->rowCount(); ++row)
        if (!model_->isBlock(rows_->mapToSource(rows_->index(row, 0)).row()))
            table_->setSpan(row, BlocksModel::Tasks, 1,
                            BlocksModel::ColumnCount - BlocksModel::Tasks);
}

void BlocksDock::alignTotals() {
    for (int column = 0; column < BlocksModel::ColumnCount; ++column)
        totals_->setColumnWidth(column, table_->columnWidth(column));
}

void BlocksDock::setFilter(const QString& text) {
    following_ = true; // rows that come and go are not the user's choice
    if (rows_->setFilterText(text))
        clearError();
    else
        showError(
            tr("Not a valid regular expression: %1").arg(QRegularExpression(text).errorString()));
    following_ = false;
    showRow();
}

} // namespace blockloom::ui
