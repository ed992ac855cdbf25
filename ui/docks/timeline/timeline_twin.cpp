#include "docks/timeline/timeline_twin.h"

#include "look/table.h"
#include "look/theme_style.h"
#include "models/spans_model.h"
#include "text/numbers.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace blockloom::ui {

TimelineTwin::TimelineTwin(QWidget* parent)
    : QWidget(parent), model_(new SpansModel(this)), rows_(new SortedRows(this)),
      table_(new Table(tr("Spans"), this)), filter_(new QLineEdit(this)), note_(new QLabel(this)) {
    rows_->setSourceModel(model_);
    table_->setObjectName(QStringLiteral("spans"));
    table_->setModel(rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(SpansModel::Detail, QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair{SpansModel::Lane, 120},
                                         {SpansModel::Name, 110},
                                         {SpansModel::Begin, 130},
                                         {SpansModel::Duration, 110},
                                         {SpansModel::Block, 90},
                                         {SpansModel::Task, 70}})
        header->resizeSection(section, width);
    filter_->setPlaceholderText(tr("Filter rows"));
    filter_->setAccessibleName(tr("Filter rows"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(260);
    set_role(note_, "second");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(12);
    row->addWidget(filter_, 1);
    row->addWidget(note_, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(table_, 1);
    setFocusProxy(table_);

    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        quiet_ = true;
        rows_->setFilterText(text);
        quiet_ = false;
        showNote();
    });
    connect(table_, &Table::chosen, this, [this](const QModelIndex& index) {
        const auto span = model_->at(rows_->mapToSource(index).row());
        if (!quiet_ && span) Q_EMIT chosen(*span);
    });
}

void TimelineTwin::setRange(std::shared_ptr<const profile::Timeline> timeline,
                            profile::TimeRange range) {
    if (timeline == timeline_ && range == range_) return;
    timeline_ = std::move(timeline);
    range_ = range;
    filled_ = false;
    if (isVisible()) fill();
}

void TimelineTwin::fill() {
    filled_ = true;
    quiet_ = true;
    model_->setRange(timeline_, range_);
    quiet_ = false;
    showNote();
}

void TimelineTwin::showNote() {
    const auto shown = static_cast<quint64>(rows_->rowCount());
    const auto held = static_cast<quint64>(model_->rowCount());
    QString text =
        shown == held
            ? counted(shown, tr("span"), tr("spans"))
            : tr("%1 of %2").arg(count_text(shown), counted(held, tr("span"), tr("spans")));
    if (held < model_->all())
        text += tr(" · the first of %1: select a shorter range").arg(count_text(model_->all()));
    note_->setText(text);
}

void TimelineTwin::setCurrent(std::optional<profile::SpanRef> span) {
    if (!span || !filled_) return;
    const int row = model_->rowOf(*span);
    if (row < 0) return;
    const QModelIndex at = rows_->mapFromSource(model_->index(row, 0));
    if (at.row() == table_->currentIndex().row()) return;
    quiet_ = true;
    table_->setCurrentIndex(at);
    quiet_ = false;
}

void TimelineTwin::showEvent(QShowEvent* event) {
    if (!filled_) fill();
    QWidget::showEvent(event);
}

} // namespace blockloom::ui
