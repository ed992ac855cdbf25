#include "look/table.h"

#include "look/cells.h"
#include "look/icons.h"
#include "look/roles.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <numeric>
#include <utility>

namespace blockloom::ui {

SortedRows::SortedRows(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void SortedRows::setRank(std::function<int(int)> rank) {
    rank_ = std::move(rank);
    invalidate();
}

bool SortedRows::setFilterText(const QString& text) {
    const QRegularExpression pattern(text, QRegularExpression::CaseInsensitiveOption);
    if (!pattern.isValid()) return false;
    setFilterRegularExpression(pattern);
    return true;
}

bool SortedRows::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (rank_) {
        const int a = rank_(left.row()), b = rank_(right.row());
        if (a != b) return (a < b) == (sortOrder() == Qt::AscendingOrder);
    }
    const QVariant a = left.data(SortRole), b = right.data(SortRole);
    // Heights are numbers and names are text: numbers first, never compared as words.
    const bool a_text = a.typeId() == QMetaType::QString, b_text = b.typeId() == QMetaType::QString;
    if (a_text != b_text) return b_text;
    return QSortFilterProxyModel::lessThan(left, right);
}

bool SortedRows::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QRegularExpression pattern = filterRegularExpression();
    if (pattern.pattern().isEmpty()) return true;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column) {
        const QModelIndex index = sourceModel()->index(row, column, parent);
        for (const int role : {int(Qt::DisplayRole), int(Qt::AccessibleTextRole), int(CopyRole)})
            if (index.data(role).toString().contains(pattern)) return true;
    }
    return false;
}

Table::Table(const QString& accessibleName, QWidget* parent) : QTableView(parent) {
    setAccessibleName(accessibleName);
    setItemDelegate(new Cell(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setFrameShape(NoFrame);
    setMouseTracking(false);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(20);
    setRowHeight(26);
    horizontalHeader()->setFixedHeight(26);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(24);
    horizontalHeader()->setSectionsMovable(false);
    horizontalHeader()->setAccessibleName(tr("Columns of %1").arg(accessibleName));
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
        const bool pressed = QGuiApplication::mouseButtons() != Qt::NoButton;
        if (pressed && horizontalHeader()->underMouse()) fitted_.removeAll(section);
        if (!pressed && isVisible()) fitHeader(section);
    });
}

int Table::headerWidth(int column) const {
    if (model() == nullptr) return 0;
    // As resources/style.qss pads it; QHeaderView's own hint has room for a sort sign in each.
    constexpr int padding = 18, sort_sign = 12;
    const QHeaderView* header = horizontalHeader();
    const QString text = model()->headerData(column, Qt::Horizontal).toString();
    const bool sorted = header->isSortIndicatorShown() && header->sortIndicatorSection() == column;
    return text.isEmpty()
               ? 0
               : header->fontMetrics().horizontalAdvance(text) + padding + (sorted ? sort_sign : 0);
}

void Table::fitHeader(int section) {
    QHeaderView* header = horizontalHeader();
    if (header->isHidden() || header->isSectionHidden(section) ||
        header->sectionResizeMode(section) != QHeaderView::Interactive)
        return;
    const int least = headerWidth(section);
    if (header->sectionSize(section) < least) header->resizeSection(section, least);
}

void Table::fitHeaders() {
    for (int section = 0; section < horizontalHeader()->count(); ++section) fitHeader(section);
}

void Table::fitChangedHeaders() {
    QList<int> widths;
    for (int section = 0; section < horizontalHeader()->count(); ++section) {
        widths.append(headerWidth(section));
        if (isVisible() && widths.back() > header_widths_.value(section)) fitHeader(section);
    }
    header_widths_ = widths;
}

void Table::setModel(QAbstractItemModel* rows) {
    if (QAbstractItemModel* before = model(); before != nullptr) {
        disconnect(before, &QAbstractItemModel::modelReset, this, &Table::fitChangedHeaders);
        disconnect(before, &QAbstractItemModel::headerDataChanged, this, &Table::fitChangedHeaders);
    }
    QTableView::setModel(rows);
    if (rows == nullptr) return;
    connect(rows, &QAbstractItemModel::modelReset, this, &Table::fitChangedHeaders);
    connect(rows, &QAbstractItemModel::headerDataChanged, this, &Table::fitChangedHeaders);
    fitChangedHeaders();
}

void Table::setFitted(const QList<int>& columns, int least) {
    fitted_ = columns;
    least_ = least;
    const auto later = [this] {
        // Once for all changes of one turn, when the view has taken them.
        if (!std::exchange(fitting_, true))
            QMetaObject::invokeMethod(
                this,
                [this] {
                    fitting_ = false;
                    fitCells();
                },
                Qt::QueuedConnection);
    };
    connect(model(), &QAbstractItemModel::modelReset, this, later);
    connect(model(), &QAbstractItemModel::rowsInserted, this, later);
    connect(model(), &QAbstractItemModel::dataChanged, this, later);
}

void Table::fitCells() {
    QHeaderView* header = horizontalHeader();
    if (fitted_.isEmpty() || !isVisible()) return;
    int spare = viewport()->width() - header->length();
    for (int section = 0; section < header->count(); ++section)
        if (!header->isSectionHidden(section) &&
            header->sectionResizeMode(section) == QHeaderView::Stretch)
            spare += header->sectionSize(section) - std::max(least_, headerWidth(section));
    for (const int section : QList<int>(fitted_)) {
        if (header->isSectionHidden(section)) continue;
        const int now = header->sectionSize(section);
        const int more = std::min(spare, contentWidth(section) - now);
        if (more <= 0) continue;
        header->resizeSection(section, now + more);
        spare -= more;
    }
}

void Table::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitCells();
}

void Table::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    fitHeaders(); // earlier, the final fonts and style sheet were not set
    fitCells();
}

void Table::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitHeaders();
}

void Table::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("tableMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!actions().isEmpty()) {
        menu->addActions(actions()); // of the panel that it stands in
        menu->addSeparator();
    }
    QAction* rows = menu->addAction(icon("copy"), tr("Copy the selected rows"), this, &Table::copy);
    rows->setShortcut(QKeySequence::Copy);
    rows->setEnabled(selectionModel() != nullptr && selectionModel()->hasSelection());
    menu->addAction(tr("Copy the whole table"), this, &Table::copyAll);
    menu->popup(event->globalPos());
}

void Table::setRowHeight(int pixels) {
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(pixels);
}

QString Table::selectedAsText() const {
    if (model() == nullptr || selectionModel() == nullptr) return {};
    QList<int> rows;
    for (const QModelIndex& row : selectionModel()->selectedRows()) rows.append(row.row());
    std::sort(rows.begin(), rows.end());
    return asText(rows);
}

QString Table::wholeAsText() const {
    if (model() == nullptr) return {};
    QList<int> rows(model()->rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    return asText(rows);
}

QString Table::asText(const QList<int>& rows) const {
    if (rows.isEmpty()) return {};
    const auto cell = [](const QModelIndex& index) {
        const QVariant whole = index.data(CopyRole);
        QString text = (whole.isValid() ? whole : index.data(Qt::DisplayRole)).toString();
        return text.replace(QLatin1Char('\t'), QLatin1Char(' '))
            .replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    QStringList lines, cells;
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (isColumnHidden(column)) continue;
        const QString name =
            model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        cells.append(
            name.isEmpty()
                ? model()->headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString()
                : name);
    }
    lines.append(cells.join(QLatin1Char('\t')));
    for (const int row : rows) {
        cells.clear();
        for (int column = 0; column < model()->columnCount(); ++column)
            if (!isColumnHidden(column)) cells.append(cell(model()->index(row, column)));
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void Table::copy() const {
    const QString selected = selectedAsText();
    QGuiApplication::clipboard()->setText(selected.isEmpty() ? wholeAsText() : selected);
}

void Table::copyAll() const {
    QGuiApplication::clipboard()->setText(wholeAsText());
}

void Table::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        event->accept();
        return;
    }
    if (event->key() == Qt::Key_Space && currentIndex().isValid()) {
        // Rows are the unit: Space toggles the row's tick wherever the focus is in it.
        for (int column = 0; column < model()->columnCount(); ++column) {
            const QModelIndex index = currentIndex().siblingAtColumn(column);
            if (!index.flags().testFlag(Qt::ItemIsUserCheckable)) continue;
            const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
            model()->setData(index, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
            event->accept();
            return;
        }
    }
    QTableView::keyPressEvent(event);
}

void Table::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (current.isValid() && current.row() != previous.row()) Q_EMIT chosen(current);
}

} // namespace blockloom::ui
