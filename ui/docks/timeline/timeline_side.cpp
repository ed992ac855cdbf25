#include "docks/timeline/timeline_side.h"

#include "docks/parts/segments.h"
#include "docks/timeline/span_histogram.h"
#include "look/cells.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/span_kinds_model.h"
#include "models/span_words.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

/// Kinds and histogram are shown one below the other if both fit, else one at a time.
constexpr int room_for_both = 520;

} // namespace

TimelineSide::TimelineSide(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), marked_(new QLabel(this)), wait_(new QLabel(this)),
      facts_(new QGridLayout), segments_(new QWidget(this)), lengths_(new QWidget(this)),
      parts_(new QButtonGroup(this)), counts_(new QButtonGroup(this)),
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
    wait_->setObjectName(QStringLiteral("timelineWait"));
    wait_->setAccessibleName(tr("Why the selected task waited"));
    wait_->setWordWrap(true);
    wait_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    wait_->setContentsMargins(12, 0, 12, 6);
    wait_->hide();
    column->addWidget(wait_);

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
    // Room for the longest name with its swatch, whatever the font.
    const int name = table_->fontMetrics().horizontalAdvance(tr("tokens moved")) + 40;
    table_->setFitted({SpanKindsModel::Count, SpanKindsModel::Busy, SpanKindsModel::Median}, name);
    table_->setMinimumHeight(26 * 3);
    column->addWidget(table_, 1);

    auto* below = new QVBoxLayout(lengths_);
    below->setContentsMargins(0, 4, 0, 4);
    below->setSpacing(0);
    set_role(marked_, "second");
    marked_->setObjectName(QStringLiteral("markedSpans"));
    marked_->setContentsMargins(12, 2, 12, 2);
    counts_row_ = segments(counts_, {tr("Linear"), tr("Log")}, tr("Counts"), "histogramCounts");
    counts_row_->setToolTip(tr("Scale of the counts, linear or logarithmic (L in the histogram); "
                               "lengths are always logarithmic"));
    auto* above = new QHBoxLayout;
    above->setContentsMargins(0, 0, 12, 0);
    above->addWidget(marked_, 1);
    above->addWidget(counts_row_);
    below->addLayout(above);
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
    connect(counts_, &QButtonGroup::idClicked, histogram_,
            [this](int id) { histogram_->setLogCounts(id == 1); });
    connect(histogram_, &SpanHistogram::logCountsChanged, this,
            [this](bool logarithmic) { counts_->button(logarithmic ? 1 : 0)->setChecked(true); });
    showFacts(Of::run);
    showKind();
    showParts();
}

void TimelineSide::setStatistics(std::shared_ptr<const profile::Timeline> timeline,
                                 std::shared_ptr<const profile::RangeStatistics> statistics,
                                 Of of) {
    const bool other_run = timeline != timeline_ && of != Of::newest;
    timeline_ = std::move(timeline);
    statistics_ = std::move(statistics);
    if (other_run) kind_.reset();
    filling_ = true;
    model_->setStatistics(timeline_, statistics_);
    // When a run is first shown: the most frequent kind.
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
    showFacts(of);
    showKind();
}

void TimelineSide::showFacts(Of of) {
    title_->setText(of == Of::run        ? tr("Whole run")
                    : of == Of::last     ? tr("Last repetition")
                    : of == Of::selected ? tr("Selected range")
                                         : tr("Newest spans, run in progress"));
    std::vector<std::pair<QString, QString>> facts;
    if (statistics_ && timeline_) {
        const profile::TimeRange range = statistics_->range;
        facts.emplace_back(tr("From – to"),
                           QStringLiteral("%1 – %2").arg(moment_text(range.begin).chopped(3),
                                                         moment_text(range.end)));
        facts.emplace_back(tr("Length"), time_text(range.length()));
        facts.emplace_back(tr("Spans"), timeline_->dropped() == 0
                                            ? count_text(statistics_->spans)
                                            : tr("%1; %2 dropped")
                                                  .arg(count_text(statistics_->spans),
                                                       count_text(timeline_->dropped())));
        for (std::size_t i = 0; i < timeline_->groups().size(); ++i) {
            const profile::TimelineGroup& group = timeline_->groups()[i];
            const QString share = percent_text(statistics_->busy_shares[i]);
            facts.emplace_back(
                group.waves    ? tr("Waves busy")
                : group.device ? tr("Device busy")
                               : tr("Host busy"),
                group.waves
                    ? tr("%1 of %2").arg(share, counted(group.lanes, tr("wave"), tr("waves")))
                : group.device
                    ? share
                    : tr("%1 of %2").arg(share, counted(group.lanes, tr("worker"), tr("workers"))));
        }
    }
    // During a run values change many times a second: existing labels are reused.
    while (facts_labels_.size() > facts.size()) {
        delete facts_labels_.back().first;
        delete facts_labels_.back().second;
        facts_labels_.pop_back();
    }
    while (facts_labels_.size() < facts.size()) {
        const int row = static_cast<int>(facts_labels_.size());
        auto* left = new QLabel(this);
        set_role(left, "second");
        auto* right = new QLabel(this);
        right->setTextInteractionFlags(Qt::TextSelectableByMouse);
        right->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        facts_->addWidget(left, row, 0);
        facts_->addWidget(right, row, 1);
        facts_labels_.emplace_back(left, right);
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
        facts_labels_[i].first->setText(facts[i].first);
        facts_labels_[i].second->setText(facts[i].second);
        facts_labels_[i].second->setAccessibleName(facts[i].first);
        facts_labels_[i].second->setToolTip(facts[i].second);
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
    const QString name = kind_ && timeline_ ? to_qt(timeline_->names()[*kind_]) : QString();
    histogram_->setLengths(kind_.value_or(0), name,
                           kind == nullptr ? profile::Histogram() : kind->lengths);
    setMarked(std::nullopt);
}

void TimelineSide::setWait(const QString& sentence) {
    show_sentence(*wait_, sentence);
    wait_->setVisible(!sentence.isEmpty());
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
    if (kind == nullptr) return marked_->setText(tr("Span lengths"));
    const QString name = to_qt(timeline_->names()[kind->name]);
    marked_->setText(count ? tr("%1 of %2 marked").arg(count_text(*count), count_text(kind->count))
                           : tr("Length of %1").arg(name));
    marked_->setToolTip(
        tr("Lengths of %1 spans; drag in the histogram to mark those between two lengths")
            .arg(name));
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
