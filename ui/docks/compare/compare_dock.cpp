#include "docks/compare/compare_dock.h"

#include "canvas/legend_strip.h"
#include "canvas/panel_bar.h"
#include "charts/chart_view.h"
#include "docks/compare/run_card.h"
#include "docks/parts/segments.h"
#include "docks/parts/status_badge.h"
#include "look/cells.h"
#include "look/fitting_label.h"
#include "look/icons.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/compare_model.h"
#include "report/ratio_chart.h"
#include "session/background_work.h"
#include "session/breakdown_figures.h"
#include "session/divergence_search.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr int narrow_head = 640; // px

QToolButton* toggle(const QString& name, const QString& tip) {
    auto* button = new QToolButton;
    button->setText(name);
    button->setToolTip(tip);
    button->setAccessibleName(name);
    button->setCheckable(true);
    button->setProperty("framed", true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

CompareDock::CompareDock(Session* session, Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("compare"), tr("Compare"), parent), session_(session), runs_(runs),
      a_(new RunCard(QLatin1Char('A'))), b_(new RunCard(QLatin1Char('B'))), swap_(new QToolButton),
      verdict_strip_(new QWidget), apart_(new QWidget), badge_(new StatusBadge),
      verdict_(new QLabel), interval_(new FittingLabel), digest_(new QLabel), notes_(new QLabel),
      apart_words_(new QLabel), apart_button_(new QPushButton), find_button_(new QPushButton),
      search_(new DivergenceSearch(session, runs, this)), work_(new BackgroundWork(this)),
      ratio_(new ChartView(QStringLiteral("ratioChart"), tr("Ratio of medians"))),

      parts_(new QButtonGroup(this)), views_(new QButtonGroup(this)),
      model_(new CompareModel(this)), rows_(new SortedRows(this)),
      table_(new Table(tr("Two runs compared"))), cell_(new PairCell(this)),
      legend_(new LegendStrip) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeHead(body);
    column->addWidget(makeBar(body));
    rows_->setSourceModel(model_);
    table_->setModel(rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    for (const int bars : {CompareModel::A, CompareModel::B, CompareModel::Bars})
        table_->setItemDelegateForColumn(bars, cell_);
    table_->setItemDelegateForColumn(CompareModel::Digests, new MarkCell(table_));
    column->addWidget(table_, 1);
    column->addWidget(legend_);
    setBody(body);
    setHelp(
        tr("<b>Compare</b>: two kept runs of the same inputs. The badge shows whether their "
           "digests are equal: only then are their times ranked. The ratio is that of the medians, "
           "A over B, with its bootstrap interval; where it contains 1, the difference is not "
           "significant. Where digests differ, <i>Find the divergence</i> executes the block again "
           "as each run did and leads to the message, host call, key and instruction. Bars share "
           "one scale; hatched phases ran serially. Runs with other inputs are greyed out, with "
           "the reason."));
    addTitleButton("copy", tr("Copy the comparison"), {}, [this] {
        if (!table_->selectionModel()->hasSelection()) table_->selectAll();
        table_->copy();
    });
    setExport([this] { askReport(); }, tr("Export a report of the comparison"));

    connect(a_, &RunCard::chosen, this,
            [this](const QString& id) { runs_->choose(Runs::Side::a, id); });
    connect(b_, &RunCard::chosen, this,
            [this](const QString& id) { runs_->choose(Runs::Side::b, id); });
    connect(swap_, &QToolButton::clicked, runs_, &Runs::swap);
    connect(parts_, &QButtonGroup::idClicked, this, &CompareDock::showPart);
    connect(views_, &QButtonGroup::idClicked, this, &CompareDock::showView);
    connect(apart_button_, &QPushButton::clicked, this, &CompareDock::showDivergence);
    connect(find_button_, &QPushButton::clicked, search_,
            [this] { search_->running() ? search_->cancel() : search_->start(); });
    connect(search_, &DivergenceSearch::changed, this, &CompareDock::showApart);
    connect(search_, &DivergenceSearch::ended, this, &CompareDock::showDivergence);
    connect(table_, &QTableView::activated, this, &CompareDock::showBlockOf);
    connect(runs_, &Runs::keptChanged, this, &CompareDock::showChosen);
    connect(runs_, &Runs::comparedChanged, this, &CompareDock::showChosen);
    connect(runs_, &Runs::liveChanged, this, &CompareDock::showEmptyPage);
    connect(runs_, &Runs::comparisonChanged, this, &CompareDock::showComparison);
    connect(session_, &Session::rangeChanged, this, &CompareDock::showChosen);
    showColumns();
    showChosen();
}

void CompareDock::makeHead(QWidget* body) {
    auto* column = static_cast<QVBoxLayout*>(body->layout());
    auto* cards = new QWidget(body);
    auto* row = new QHBoxLayout(cards);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    swap_->setIcon(icon("swap"));
    swap_->setIconSize({16, 16});
    swap_->setFixedSize(28, 26);
    swap_->setAccessibleName(tr("Swap A and B"));
    swap_->setToolTip(tr("Swap A and B"));
    swap_->setFocusPolicy(Qt::TabFocus);
    row->addWidget(a_, 1);
    row->addWidget(swap_);
    row->addWidget(b_, 1);
    column->addWidget(cards);

    // A time is never shown without the state of its digest: the badge comes before the verdict.
    verdict_strip_->setObjectName(QStringLiteral("panelBar"));
    verdict_strip_->setAttribute(Qt::WA_StyledBackground);
    auto* lines = new QVBoxLayout(verdict_strip_);
    lines->setContentsMargins(12, 4, 12, 6);
    lines->setSpacing(2);
    auto* first = new QHBoxLayout;
    first->setSpacing(12);
    set_role(verdict_, "title");
    set_role(interval_, "second");
    set_role(notes_, "caption");
    verdict_->setObjectName(QStringLiteral("compareVerdict"));
    interval_->setAlignment(Qt::AlignLeft);
    digest_->setProperty("mono", true);
    first->addWidget(badge_);
    first->addWidget(verdict_);
    ratio_->setObjectName(QStringLiteral("ratioView"));
    ratio_->setCompact(46);
    ratio_->setFixedSize(190, 46);
    first->addWidget(ratio_);
    first->addWidget(interval_, 1);
    first->addWidget(digest_);
    notes_->setWordWrap(true);
    lines->addLayout(first);
    lines->addWidget(notes_);
    column->addWidget(verdict_strip_);

    apart_->setObjectName(QStringLiteral("errorBar"));
    apart_->setAttribute(Qt::WA_StyledBackground);
    auto* apart = new QHBoxLayout(apart_);
    apart->setContentsMargins(12, 6, 12, 6);
    apart->setSpacing(12);
    apart_words_->setWordWrap(true);
    apart_words_->setObjectName(QStringLiteral("compareApart"));
    apart_words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    apart_words_->setAccessibleName(tr("Where the runs diverge"));
    apart_button_->setObjectName(QStringLiteral("compareShowApart"));
    apart_button_->setAccessibleName(tr("Show the block in which the runs diverge"));
    find_button_->setObjectName(QStringLiteral("compareFindApart"));
    find_button_->setAccessibleName(tr("Find the place at which the runs diverge"));
    apart->addWidget(apart_words_, 1);
    apart->addWidget(find_button_, 0, Qt::AlignTop);
    apart->addWidget(apart_button_, 0, Qt::AlignTop);
    column->addWidget(apart_);
    apart_->hide();
}

PanelBar* CompareDock::makeBar(QWidget* body) {
    auto* bar = new PanelBar(body);
    bar->add(segments(parts_,
                      {tr("Phases"), tr("Blocks"), tr("Percentiles"), tr("Statuses"), tr("Gap")},
                      tr("Compare"), "compareParts"));
    bar->add(segments(views_, {tr("Side by side"), tr("Overlay"), tr("Deltas")}, tr("Bars"),
                      "compareViews"),
             1);
    QToolButton* normal =
        toggle(tr("Normalise"), tr("Show each run's values as shares of its own total"));
    normal->setObjectName(QStringLiteral("compareNormalise"));
    QToolButton* root = toggle(tr("√ scale"), tr("Bar lengths by square root, so that small ones "
                                                 "can be seen; the numbers do not change"));
    root->setAccessibleName(tr("Square root scale"));
    bar->add(normal, 2);
    bar->add(root, 3);
    bar->addStretch();
    connect(normal, &QToolButton::toggled, model_, &CompareModel::setNormalised);
    connect(root, &QToolButton::toggled, model_, &CompareModel::setSquareRoot);
    return bar;
}

QString CompareDock::verdict() const {
    return verdict_->text();
}

QString CompareDock::interval() const {
    return interval_->fullText();
}

void CompareDock::showChosen() {
    const runs::KeptRun* a = runs_->chosen(Runs::Side::a);
    const runs::KeptRun* b = runs_->chosen(Runs::Side::b);
    a_->setRuns(runs_->kept(), b);
    b_->setRuns(runs_->kept(), a);
    a_->setRun(a);
    b_->setRun(b);
    swap_->setEnabled(a != nullptr || b != nullptr);
    cell_->setRuns(a, b);
    showEmptyPage();
    showComparison();
}

void CompareDock::showEmptyPage() {
    const QString why = runs_->whyNotStart();
    setEmptyPage(runs_->kept().size() == 1
                     ? tr("One run is kept. Replay the range with other settings to compare the "
                          "two runs here.")
                     : tr("This panel compares two kept runs of the same blocks. %1")
                           .arg(why.isEmpty() ? why : why + QLatin1Char('.')),
                 why.isEmpty() ? tr("Run") : QString(), [this] { runs_->start(); });
    showEmpty(runs_->kept().size() < 2);
}

void CompareDock::showComparison() {
    const runs::KeptRun* a = runs_->chosen(Runs::Side::a);
    const runs::KeptRun* b = runs_->chosen(Runs::Side::b);
    const bool both = a != nullptr && b != nullptr;
    const auto comparison = both ? runs_->comparison() : nullptr;
    model_->setComparison(comparison, a, b);
    badge_->setVisible(comparison != nullptr);
    notes_->hide();
    digest_->clear();
    if (comparison == nullptr) {
        showRatio(std::nullopt, std::nullopt);
        verdict_->setText(both ? tr("Comparing…") : tr("Choose two runs"));
        interval_->setTexts({});
    } else {
        badge_->setStatus(mark_of(comparison->digests), digests_words(comparison->digests));
        verdict_->setText(verdict_words(*comparison));
        interval_->setTexts(interval_forms(*comparison));
        const bool ranked = comparison->ranks() && comparison->digests == runs::Equality::equal;
        showRatio(ranked ? comparison->wall.ratio : std::nullopt, comparison->wall.interval);
        if (comparison->digests == runs::Equality::equal && !a->state_digest.empty()) {
            digest_->setText(shortened(to_qt(a->state_digest), 8, 6));
            digest_->setToolTip(to_qt(a->state_digest));
        }
        QStringList notes;
        for (const std::string& note : comparison->notes)
            notes.append(to_qt(note).replace(0, 1, to_qt(note).left(1).toUpper()));
        show_sentence(*notes_, notes.join(QStringLiteral(" · ")));
        notes_->setVisible(!notes.isEmpty());
    }
    showApart();
    findGap();
    table_->setEnabled(comparison != nullptr && comparison->refusal.empty());
    showColumns();
    showLegend();
}

void CompareDock::showRatio(std::optional<double> ratio,
                            std::optional<profile::Interval> interval) {
    ratio_->setChart(ratio ? report::ratio_chart(*ratio, interval) : charts::Chart());
    fitHead();
}

/// In a narrow panel the verdict and the table stay; what is elsewhere, too, goes.
void CompareDock::fitHead() {
    const bool narrow = width() < narrow_head;
    ratio_->setVisible(!narrow && !ratio_->chart().empty());
    if (std::exchange(narrow_, narrow) == narrow) return;
    a_->setNarrow(narrow);
    b_->setNarrow(narrow);
    digest_->setVisible(!narrow);
    showColumns();
}

void CompareDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    fitHead();
}

/// Where unequal runs diverge: what their digests show, and what executing the block again found.
void CompareDock::showApart() {
    const auto comparison = runs_->comparison();
    const bool unequal = comparison != nullptr && comparison->digests == runs::Equality::unequal;
    apart_->setVisible(unequal);
    if (!unequal) return;
    QStringList lines{tr("The runs diverge: %1").arg(to_qt(comparison->digest_text))};
    if (const auto found = search_->found())
        for (const std::string& line : found->lines) lines.append(to_qt(line));
    if (search_->running()) lines.append(tr("Executing the block again as each run did…"));
    if (!search_->error().isEmpty())
        lines.append(tr("The divergence was not found: %1").arg(search_->error()));
    show_sentence(*apart_words_, lines.join(QLatin1Char('\n')));
    apart_button_->setVisible(comparison->divergence.has_value());
    find_button_->setVisible(comparison->divergence.has_value());
    find_button_->setText(search_->running() ? tr("Cancel")
                          : search_->found() ? tr("Search again")
                                             : tr("Find the divergence"));
    find_button_->setAccessibleName(
        search_->running() ? tr("Cancel the search for the divergence")
                           : tr("Find the message, host call and key at which the runs diverge"));
    find_button_->setToolTip(find_button_->accessibleName());
    if (comparison->divergence)
        apart_button_->setText(tr("Show block %1").arg(count_text(comparison->divergence->height)));
}

/// Two runs that cannot be compared are not reported as a comparison.
void CompareDock::askReport() {
    const runs::KeptRun* a = runs_->chosen(Runs::Side::a);
    const runs::KeptRun* b = runs_->chosen(Runs::Side::b);
    if (a == nullptr || b == nullptr)
        return showError(tr("A report of a comparison needs two runs: choose A and B"));
    if (const auto comparison = runs_->comparison(); comparison && !comparison->refusal.empty())
        return showError(tr("The runs cannot be compared: %1").arg(to_qt(comparison->refusal)));
    clearError();
    Q_EMIT reportRequested({to_qt(a->id), to_qt(b->id)});
}

/// Reads the spans of both runs, only while the gap is shown.
void CompareDock::findGap() {
    const runs::KeptRun* a = runs_->chosen(Runs::Side::a);
    const runs::KeptRun* b = runs_->chosen(Runs::Side::b);
    if (a == nullptr || b == nullptr || !same_inputs(*a, *b)) {
        work_->cancel();
        gap_.reset();
        gap_of_.clear();
        return model_->setGap(nullptr);
    }
    std::vector<runs::KeptRun> kept;
    std::vector<std::string> ids{runs_->folder().toStdString(), a->id, b->id};
    for (const runs::KeptRun& run : runs_->kept())
        if (same_inputs(run, *a)) {
            kept.push_back(run);
            ids.push_back(run.id);
        }
    if (ids == gap_of_ && (gap_ || work_->running())) return;
    gap_of_.clear();
    gap_.reset();
    model_->setGap(nullptr);
    if (model_->part() != CompareModel::Part::gap) return;
    gap_of_ = std::move(ids);
    work_->start([this, a = *a, b = *b, kept = std::move(kept), traces = runs_->traces(),
                  folder = runs_->folder().toStdString()](const BackgroundWork::Delivery& deliver,
                                                          ProgressSink&, const std::stop_token&) {
        auto found = std::make_shared<const runs::GapDifference>(
            find_gap_difference(a, b, kept, *traces, folder));
        deliver([this, found = std::move(found)] {
            gap_ = found;
            model_->setGap(found);
            showLegend();
        });
    });
}

void CompareDock::showPart(int part) {
    model_->setPart(static_cast<CompareModel::Part>(part));
    findGap();
    table_->sortByColumn(-1, Qt::AscendingOrder);
    showColumns();
    showLegend();
}

void CompareDock::showView(int view) {
    view_ = static_cast<PairView>(view);
    cell_->setView(view_);
    showColumns();
    showLegend();
    table_->viewport()->update();
}

/// Side by side the bars fill the columns of A and B; else they have a column of their own.
void CompareDock::showColumns() {
    const bool side = view_ == PairView::side_by_side;
    const bool blocks = model_->part() == CompareModel::Part::blocks;
    const bool counts = model_->part() == CompareModel::Part::statuses ||
                        model_->part() == CompareModel::Part::gap; // a difference, no ratio
    QHeaderView* header = table_->horizontalHeader();
    table_->setColumnHidden(CompareModel::Bars, side);
    table_->setColumnHidden(CompareModel::Digests, !blocks);
    table_->setColumnHidden(CompareModel::Ratio, counts);
    table_->setColumnHidden(CompareModel::Interval, counts || narrow_);
    table_->setColumnHidden(CompareModel::Against, blocks && narrow_);
    for (const int bars : {CompareModel::A, CompareModel::B})
        header->setSectionResizeMode(bars, side ? QHeaderView::Stretch : QHeaderView::Interactive);
    header->setSectionResizeMode(CompareModel::Bars, QHeaderView::Stretch);
    if (!side)
        for (const int numbers : {CompareModel::A, CompareModel::B})
            header->resizeSection(numbers, 84);
    const int longest = // of the words that an interval can have, whatever the font
        table_->fontMetrics().horizontalAdvance(tr("no significant difference")) + 28;
    const bool gap = model_->part() == CompareModel::Part::gap;
    const int name = // of a cause that is predicted
        gap ? table_->fontMetrics().horizontalAdvance(tr("dependencies, predicted")) + 28 : 112;
    for (const auto& [section, width] : {std::pair{CompareModel::Name, name},
                                         {CompareModel::Against, 96},
                                         {CompareModel::Ratio, 84},
                                         {CompareModel::Interval, longest},
                                         {CompareModel::Digests, 88}})
        header->resizeSection(section, width);
}

void CompareDock::showLegend() {
    const scene::Theme& theme = current_theme();
    std::vector<scene::OverlayLegend> items;
    const auto add = [&items](scene::Colour colour, const QString& label) {
        scene::OverlayLegend item;
        item.sign = scene::OverlayLegend::Sign::filled;
        item.colour = colour;
        item.label = label.toStdString();
        items.push_back(std::move(item));
    };
    const runs::KeptRun* a = runs_->chosen(Runs::Side::a);
    const runs::KeptRun* b = runs_->chosen(Runs::Side::b);
    if (view_ == PairView::deltas) {
        add(theme.ok, tr("B takes less time"));
        add(theme.warning, tr("B takes more time"));
    } else if (a != nullptr && b != nullptr) {
        const bool same = colour_of(*a, theme) == colour_of(*b, theme);
        add(colour_of(*a, theme), tr("A, measured"));
        add(colour_of(*b, theme), same ? tr("B, measured (striped)") : tr("B, measured"));
        if (same) items.back().sign = scene::OverlayLegend::Sign::hatched;
    }
    legend_->setItems(items);
    QStringList notes;
    if (model_->part() == CompareModel::Part::phases) {
        if (view_ != PairView::deltas) notes.append(tr("Hatched: ran serially"));
        const auto repeated = [](const runs::KeptRun* run) {
            return run != nullptr && run->repetitions > 1;
        };
        if (repeated(a) || repeated(b))
            notes.append(tr("Medians of each phase need not sum to the wall time"));
    }
    if (model_->part() == CompareModel::Part::gap) {
        if (!gap_)
            notes.append(tr("Reading the spans of both runs…"));
        else if (!gap_->missing.empty())
            notes.append(tr("The gaps cannot be compared: %1").arg(to_qt(gap_->missing)));
        else
            notes.append(tr("Hollow: predicted · B − A of the causes adds up to that of the "
                            "measured times"));
        if (gap_ && gap_->missing.empty())
            for (const std::string& note : gap_->notes) notes.append(to_qt(note));
    }
    legend_->setCoverage(notes.join(QStringLiteral(" · ")));
    legend_->setVisible(!items.empty());
}

void CompareDock::showBlockOf(const QModelIndex& index) {
    const QString hash = model_->hashAt(rows_->mapToSource(index).row());
    const auto range = session_->range();
    if (hash.isEmpty() || !range) return;
    const auto& blocks = range->blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i]->replayed &&
            to_qt(to_reversed_hex(blocks[i]->replayed->execution->hash)) == hash)
            session_->setCurrentRow(static_cast<int>(i));
}

void CompareDock::showDivergence() {
    const auto comparison = runs_->comparison();
    const auto range = session_->range();
    if (!comparison || !comparison->divergence) return;
    const runs::Divergence& apart = *comparison->divergence;
    parts_->button(static_cast<int>(CompareModel::Part::blocks))->click();
    for (int row = 0; row < model_->rowCount(); ++row)
        if (model_->index(row, CompareModel::Digests).data(StatusRole).value<Mark>() ==
            Mark::error) {
            const QModelIndex at = rows_->mapFromSource(model_->index(row, CompareModel::Name));
            table_->setCurrentIndex(at);
            table_->scrollTo(at);
            table_->setFocus(Qt::OtherFocusReason);
            showBlockOf(at);
            break;
        }
    const auto block = session_->currentBlock();
    std::optional<std::uint32_t> transaction = apart.transaction, protostone = apart.protostone;
    if (const auto found = search_->found(); found && found->in_block) {
        transaction = found->in_block->transaction;
        protostone = found->in_block->protostone;
    }
    if (!transaction || !block || !block->replayed) return;
    quint32 task = 0;
    for (const auto& executed : block->replayed->execution->transactions)
        for (const auto& record : executed.records) {
            if (record.transaction == *transaction &&
                (!protostone || record.protostone == *protostone)) {
                session_->selectTask(task);
                return;
            }
            ++task;
        }
}

void CompareDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && legend_ != nullptr) showLegend();
}

} // namespace blockloom::ui
