#include "docks/timeline_side.h"

#include "docks/span_histogram.h"
#include "look/cells.h"
#include "look/numbers.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/span_kinds_model.h"
#include "models/span_words.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

/// Kinds and histogram stand under one another where both have room, else one at a time.
constexpr int room_for_both = 520;

} // namespace

TimelineSide::TimelineSide(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), marked_(new QLabel(this)), facts_(new QGridLayout),
      segments_(new QWidget(this)), lengths_(new QWidget(this)), parts_(new QButtonGroup(this)),
      model_(new SpanKindsModel(this)), rows_(new SortedRows(this)),
      table_(new Table(tr("Kinds of spans"), this)), histogram_(new SpanHistogram(this)) {
    setObjectName(QStringLiteral("timelineSide"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    set_role(title_, "heading");
    title_->setContentsMargins(12, 8, 12, 2);
    column->addWidget(title_);
    facts_->setContentsMargins(12, 0, 12, 6);
    facts_->setHorizontalSpacing(12);
    facts_->setVerticalSpacing(2);
    facts_->setColumnStretch(1, 1);
    column->addLayout(facts_);

    auto* row = new QHBoxLayout(segments_);
    row->setContentsMargins(12, 2, 12, 6);
    row->setSpacing(0);
    for (const QString& name : {tr("Kinds"), tr("Histogram")}) {
        auto* button = new QToolButton(segments_);
        button->setText(name);
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(tr("Show: %1").arg(name));
        parts_->addButton(button, static_cast<int>(parts_->buttons().size()));
        row->addWidget(button);
    }
    row->addStretch(1);
    parts_->button(0)->setChecked(true);
    column->addWidget(segments_);

    rows_->setSourceModel(model_);
    table_->setObjectName(QStringLiteral("spanKinds"));
    table_->setModel(rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setItemDelegateForColumn(SpanKindsModel::Name, new SwatchCell(table_));
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(SpanKindsModel::Name, QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair{SpanKindsModel::Count, 58},
                                         {SpanKindsModel::Busy, 64},
                                         {SpanKindsModel::Median, 80}})
        header->resizeSection(section, width);
    table_->setMinimumHeight(26 * 3);
    column->addWidget(table_, 1);

    auto* below = new QVBoxLayout(lengths_);
    below->setContentsMargins(0, 4, 0, 4);
    below->setSpacing(0);
    set_role(marked_, "second");
    marked_->setObjectName(QStringLiteral("markedSpans"));
    marked_->setContentsMargins(12, 2, 12, 2);
    below->addWidget(marked_);
    below->addWidget(histogram_, 1);
    column->addWidget(lengths_, 1);

    connect(parts_, &QButtonGroup::idClicked, this, &TimelineSide::showParts);
    connect(table_, &Table::chosen, this, [this](const QModelIndex& index) {
        const auto* kind = model_->at(rows_->mapToSource(index).row());
        if (filling_ || kind == nullptr || kind_ == kind->name) return;
        kind_ = kind->name;
        showKind();
    });
    connect(histogram_, &SpanHistogram::brushed, this, &TimelineSide::brushed);
    showFacts(true);
    showKind();
    showParts();
}

void TimelineSide::setStatistics(std::shared_ptr<const profile::Timeline> timeline,
                                 std::shared_ptr<const profile::RangeStatistics> statistics,
                                 bool whole) {
    const bool other_run = timeline != timeline_;
    timeline_ = std::move(timeline);
    statistics_ = std::move(statistics);
    if (other_run) kind_.reset();
    filling_ = true;
    model_->setStatistics(timeline_, statistics_);
    // Of a run that is looked at first: what there is most of.
    if (!kind_ && statistics_) {
        const profile::KindStatistics* most = nullptr;
        for (const auto& kind : statistics_->kinds)
            if (most == nullptr || kind.count > most->count) most = &kind;
        if (most != nullptr) kind_ = most->name;
    }
    if (kind_) {
        const int row = model_->rowOf(*kind_);
        const QModelIndex at = rows_->mapFromSource(model_->index(row, 0));
        if (row >= 0) table_->setCurrentIndex(at);
    }
    filling_ = false;
    showFacts(whole);
    showKind();
}

void TimelineSide::showFacts(bool whole) {
    while (QLayoutItem* item = facts_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    title_->setText(whole ? tr("Whole run") : tr("Selected range"));
    if (!statistics_ || !timeline_) return;
    auto add = [this, row = 0](const QString& name, const QString& value) mutable {
        auto* left = new QLabel(name, this);
        set_role(left, "second");
        auto* right = new QLabel(value, this);
        right->setTextInteractionFlags(Qt::TextSelectableByMouse);
        right->setAccessibleName(name);
        right->setToolTip(value);
        right->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        facts_->addWidget(left, row, 0);
        facts_->addWidget(right, row++, 1);
    };
    const profile::TimeRange range = statistics_->range;
    add(tr("From – to"),
        QStringLiteral("%1 – %2").arg(moment_text(range.begin).chopped(3), moment_text(range.end)));
    add(tr("Length"), time_text(range.length()));
    add(tr("Spans"), timeline_->dropped() == 0 ? count_text(statistics_->spans)
                                               : tr("%1; %2 had no room")
                                                     .arg(count_text(statistics_->spans),
                                                          count_text(timeline_->dropped())));
    for (std::size_t i = 0; i < timeline_->groups().size(); ++i) {
        const profile::TimelineGroup& group = timeline_->groups()[i];
        const QString share = percent_text(statistics_->busy_shares[i]);
        add(group.device ? tr("Device busy") : tr("Host busy"),
            group.device
                ? share
                : tr("%1 of %2").arg(share, counted(group.lanes, tr("worker"), tr("workers"))));
    }
}

QString TimelineSide::factsText() const {
    QStringList lines{title_->text()};
    for (int i = 0; i < facts_->count(); ++i)
        if (const auto* label = qobject_cast<QLabel*>(facts_->itemAt(i)->widget()))
            lines.append(label->text());
    return lines.join(QLatin1Char('\n'));
}

void TimelineSide::showKind() {
    const int row = kind_ ? model_->rowOf(*kind_) : -1;
    const auto* kind = model_->at(row);
    const QString name =
        kind_ && timeline_ ? QString::fromStdString(timeline_->names()[*kind_]) : QString();
    histogram_->setLengths(kind_.value_or(0), name,
                           kind == nullptr ? profile::Histogram() : kind->lengths);
    setMarked(std::nullopt);
}

std::optional<profile::LengthBand> TimelineSide::band() const {
    const auto marked = histogram_->marked();
    if (!marked || !kind_) return std::nullopt;
    return profile::LengthBand{*kind_, marked->first, marked->second};
}

void TimelineSide::clearBrush() {
    histogram_->clearMarks();
}

void TimelineSide::setMarked(std::optional<std::uint64_t> count) {
    const auto* kind = kind_ ? model_->at(model_->rowOf(*kind_)) : nullptr;
    if (kind == nullptr) return marked_->setText(tr("Lengths of spans"));
    const QString name = QString::fromStdString(timeline_->names()[kind->name]);
    marked_->setText(
        count ? tr("%1: %2 of %3 marked").arg(name, count_text(*count), count_text(kind->count))
              : tr("Length of %1 · drag marks spans").arg(name));
}

void TimelineSide::showParts() {
    const bool both = height() >= room_for_both;
    const int part = parts_->checkedId();
    segments_->setVisible(!both);
    table_->setVisible(both || part == 0);
    lengths_->setVisible(both || part == 1);
}

void TimelineSide::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showParts();
}

} // namespace blockloom::ui
