// How a TimelineDock is put together, and how its parts and the session follow one another.
#include "docks/parts/run_box.h"
#include "docks/timeline/timeline_state.h"

#include "canvas/panel_bar.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "range/executed.h"
#include "session/runs.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "text/numbers.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace blockloom::ui {

using profile::SpanRef;

namespace {

constexpr int side_width = 310;
constexpr int room_for_side = 720; ///< pixels of the dock; below it the side yields

/// The block of the open range that a run replayed at a height; −1: it is not open.
int row_of(const range::Range& range, const runs::KeptRun& run, std::uint64_t height) {
    std::string hash;
    for (const runs::KeptBlock& block : run.blocks)
        if (block.height == height) hash = block.hash;
    for (std::size_t i = 0; i < range.blocks.size(); ++i) {
        const range::BlockRecord& block = *range.blocks[i];
        if (block.trace->block.height != height || !block.replayed) continue;
        if (hash.empty() || to_reversed_hex(block.replayed->execution->hash) == hash)
            return static_cast<int>(i);
    }
    return -1;
}

/// The first task of the transaction that a task of a block belongs to: spans are of transactions.
std::uint32_t first_of_transaction(const range::BlockRecord& block, std::uint32_t task) {
    std::uint32_t first = 0;
    for (const auto& transaction : block.replayed->execution->transactions) {
        const auto count = static_cast<std::uint32_t>(transaction.records.size());
        if (task < first + count) return first;
        first += count;
    }
    return task;
}

} // namespace

TimelineDock::Loaded TimelineDock::Loaded::read(const std::string& folder, const std::string& id) {
    Loaded loaded;
    const auto runs = store::open_runs(folder);
    if (!runs) {
        loaded.error = runs.error().message;
        return loaded;
    }
    const auto spans = runs::kept_spans(*runs, id);
    if (!spans) loaded.error = spans.error().message;
    if (!spans || *spans == nullptr || (*spans)->span_count() == 0) return loaded;
    auto timeline = std::make_shared<const profile::Timeline>(**spans);
    const profile::TimeRange all{0, timeline->duration()};
    for (const profile::TimelineGroup& group : timeline->groups()) {
        auto shares = timeline->busy_shares(group, all, TimelineMinimap::parts);
        std::vector<float>& into = group.device ? loaded.device : loaded.host;
        into.resize(shares.size());
        for (std::size_t i = 0; i < shares.size(); ++i) into[i] = std::max(into[i], shares[i]);
    }
    loaded.timeline = std::move(timeline);
    loaded.trace = *spans;
    return loaded;
}

QWidget* TimelineDock::makeBar() {
    enum Yields { stays = 0, run, find, hint };
    State& s = *state_;
    auto* bar = s.bar = new PanelBar;
    s.back = bar->makeButton("back", tr("View before (Backspace)"));
    s.forward = bar->makeButton("forward", tr("View after (Shift+Backspace)"));
    s.fit = bar->makeButton("fit", tr("Fit the selection, then the whole run (F)"));
    s.run = new RunBox(bar, tr("Run, also A in Runs"), 22);
    s.run->setObjectName(QStringLiteral("timelineRun"));
    s.run->setPlaceholderText(tr("choose a run"));
    s.find = new QLineEdit(bar);
    s.find->setObjectName(QStringLiteral("timelineFind"));
    s.find->setPlaceholderText(tr("Find span…"));
    s.find->setAccessibleName(tr("Find a span by name, task or block"));
    s.find->setToolTip(tr("Name, task or block; Return finds the next"));
    s.find->setClearButtonEnabled(true);
    s.find->setFixedWidth(150);
    s.follow = new QToolButton(bar);
    s.follow->setObjectName(QStringLiteral("timelineFollow"));
    s.follow->setText(tr("Follow"));
    s.follow->setCheckable(true);
    s.follow->setProperty("segment", true);
    s.follow->setFocusPolicy(Qt::TabFocus);
    s.follow->setAccessibleName(tr("Follow the run"));
    s.follow->setToolTip(tr("Show the newest spans as they come (End); what you look at more "
                            "closely is held"));
    s.hint = new FittingLabel(bar);
    s.hint->setAccessibleName(tr("What is shown"));
    for (QToolButton* button : {s.back, s.forward, s.fit}) bar->add(button, stays);
    bar->addCaptioned(tr("Run"), s.run, run);
    bar->add(s.follow, stays);
    bar->setWanted(s.follow, false);
    bar->add(s.find, find);
    bar->add(s.hint, stays);
    return bar;
}

QWidget* TimelineDock::makeBody() {
    State& s = *state_;
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());

    s.pages = new QStackedWidget(body);
    s.split = new QSplitter(Qt::Horizontal, s.pages);
    s.split->setChildrenCollapsible(false);
    s.split->setHandleWidth(1);
    s.views = new QStackedWidget(s.split);
    auto* drawn = new QWidget(s.views);
    auto* lines = new QVBoxLayout(drawn);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    s.minimap = new TimelineMinimap(drawn);
    s.canvas = new TimelineCanvas(drawn);
    s.scroll = new QScrollBar(Qt::Vertical, drawn);
    s.scroll->setAccessibleName(tr("Lanes"));
    s.legend = new LegendStrip(drawn);
    // The strip above is as wide as the canvas: one time, one place.
    auto* grid = new QGridLayout;
    grid->setSpacing(0);
    grid->addWidget(s.minimap, 0, 0);
    grid->addWidget(s.canvas, 1, 0);
    grid->addWidget(s.scroll, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setRowStretch(1, 1);
    lines->addLayout(grid, 1);
    lines->addWidget(s.legend);
    s.twin = new TimelineTwin(s.views);
    s.views->addWidget(drawn);
    s.views->addWidget(s.twin);
    s.side = new TimelineSide(s.split);
    s.side->setMinimumWidth(side_width);
    s.split->addWidget(s.views);
    s.split->addWidget(s.side);
    s.split->setStretchFactor(0, 1);
    s.split->setSizes({10'000, side_width});
    s.pages->addWidget(s.split);

    auto* instead = new QWidget(s.pages);
    auto* centre = new QVBoxLayout(instead);
    centre->setContentsMargins(24, 24, 24, 24);
    centre->setSpacing(12);
    s.sentence = new QLabel(instead);
    s.sentence->setWordWrap(true);
    s.sentence->setAlignment(Qt::AlignCenter);
    set_role(s.sentence, "second");
    s.act = new QPushButton(instead);
    s.act->setAccessibleName(tr("Run: replay the open range"));
    centre->addStretch(1);
    centre->addWidget(s.sentence);
    centre->addWidget(s.act, 0, Qt::AlignHCenter);
    centre->addStretch(1);
    s.pages->addWidget(instead);
    column->addWidget(s.pages, 1);
    return body;
}

void TimelineDock::connectParts() {
    State& s = *state_;
    connect(s.back, &QToolButton::clicked, s.canvas, &TimelineCanvas::goBack);
    connect(s.forward, &QToolButton::clicked, s.canvas, &TimelineCanvas::goForward);
    connect(s.fit, &QToolButton::clicked, s.canvas, &TimelineCanvas::fit);
    connect(s.act, &QPushButton::clicked, this, [this] { state_->runs->start(); });
    connect(s.run, &QComboBox::activated, this, [this](int at) {
        State& now = *state_;
        const QString id = now.run->itemData(at).toString();
        now.wanted = id == live_run_key;
        if (now.wanted) return setFollowing(true);
        if (now.live) endLive();
        now.of_last_made = false;
        now.runs->choose(Runs::Side::a, id);
        load(); // it may have been A before
    });
    connect(s.find, &QLineEdit::returnPressed, this, [this] { findNext(state_->find->text()); });
    connect(s.canvas, &TimelineCanvas::viewChanged, this, &TimelineDock::showView);
    connect(s.canvas, &TimelineCanvas::selectionChanged, this, [this] {
        askStatistics();
        showRange();
    });
    connect(s.canvas, &TimelineCanvas::painted, this,
            [this] { state_->legend->setCoverage(coverage_text(state_->canvas->coverage())); });
    connect(s.canvas, &TimelineCanvas::cleared, s.side, &TimelineSide::clearBrush);
    connect(s.canvas, &TimelineCanvas::findAsked, s.find, [this] {
        state_->find->setFocus(Qt::ShortcutFocusReason);
        state_->find->selectAll();
    });
    connect(s.canvas, &TimelineCanvas::picked, this, &TimelineDock::selectTaskOf);
    connect(s.canvas, &TimelineCanvas::focusedChanged, this,
            [this] { state_->twin->setCurrent(state_->canvas->marks().focused); });
    connect(s.canvas, &TimelineCanvas::scrolled, this, [this] {
        QScrollBar* bar = state_->scroll;
        const QSignalBlocker quiet(bar);
        const int range = state_->canvas->scrollRange();
        bar->setRange(0, range);
        bar->setPageStep(state_->canvas->height());
        bar->setSingleStep(20);
        bar->setValue(static_cast<int>(state_->canvas->view().scroll));
        bar->setVisible(range > 0);
    });
    connect(s.scroll, &QScrollBar::valueChanged, s.canvas, &TimelineCanvas::scrollTo);
    connect(s.twin, &TimelineTwin::chosen, this, [this](SpanRef span) {
        state_->canvas->setFocused(span);
        selectTaskOf(span);
    });
    connect(s.minimap, &TimelineMinimap::windowAsked, this, [this](double from, double to) {
        const auto timeline = state_->canvas->timeline();
        if (!timeline) return;
        const auto duration = static_cast<double>(timeline->duration());
        const auto begin = static_cast<Nanoseconds>(from * duration);
        // The length stays what it is to the nanosecond.
        const Nanoseconds length = state_->canvas->shown().length();
        static_cast<void>(to);
        state_->canvas->pan({begin, begin + length});
    });
    connect(s.side, &TimelineSide::brushed, this, &TimelineDock::askMarked);
    connect(s.side->histogram(), &SpanHistogram::logCountsChanged, this,
            &TimelineDock::logCountsChanged);
    connect(s.adding, &BackgroundWork::finished, this, [this] {
        if (state_->ask_again) askStatistics();
    });
    connect(s.runs, &Runs::keptChanged, this, &TimelineDock::showRuns);
    connect(s.runs, &Runs::comparedChanged, this, &TimelineDock::load);
    connect(s.session, &Session::rangeChanged, this, &TimelineDock::showRuns);
    connect(s.session, &Session::selectionChanged, this, &TimelineDock::followSession);
    connect(s.session, &Session::blockChanged, this, &TimelineDock::followSession);
}

/// Outlines the spans of the selected task; brings the first of them into view where none is and
/// the task was chosen elsewhere.
void TimelineDock::followSession() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    const auto block = s.session->currentBlock();
    const auto task = s.session->selectedTask();
    std::vector<SpanRef> spans;
    if (timeline && task && block && block->replayed && block->trace->block.height &&
        s.session->range()) {
        const std::uint64_t height = *block->trace->block.height;
        if (row_of(*s.session->range(), s.kept, height) == s.session->currentRow()) {
            const auto& original = block->analysis.index->trace->original_task;
            const std::uint32_t in_block =
                original.empty() || *task >= original.size() ? *task : original[*task];
            spans = timeline->of_task(height, first_of_transaction(*block, in_block));
        }
    }
    const bool others = spans != s.canvas->marks().picked;
    s.canvas->setPicked(spans);
    askWait(!spans.empty());
    if (others) showLegend();
    if (!others || spans.empty() || s.own_pick || s.growing) return;
    const profile::TimeRange shown = s.canvas->shown();
    for (const SpanRef at : spans) {
        const profile::Span& span = timeline->span(at);
        if (span.end > shown.begin && span.begin < shown.end)
            return s.canvas->bringIntoView(at); // scrolls only
    }
    s.canvas->bringIntoView(spans.front());
}

void TimelineDock::selectTaskOf(SpanRef at) {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    const auto range = s.session->range();
    if (!timeline || !range) return;
    const profile::Span& span = timeline->span(at);
    const auto height = timeline->height_of(span);
    if (!height) return;
    const int row = row_of(*range, s.kept, *height);
    if (row < 0) return;
    s.own_pick = true;
    s.session->setCurrentRow(row);
    if (span.task != profile::none) {
        // A policy may have left tasks out: those of the analysis are numbered without them.
        const auto& index = *range->blocks[static_cast<std::size_t>(row)]->analysis.index;
        const auto& original = index.trace->original_task;
        const auto found = std::find(original.begin(), original.end(), span.task);
        if (original.empty() && span.task < index.tasks())
            s.session->selectTask(span.task);
        else if (found != original.end())
            s.session->selectTask(static_cast<quint32>(found - original.begin()));
    }
    s.own_pick = false;
}

/// The next span after the focused one, lane by lane, whose name, task or block it is; from the
/// start again at the end.
void TimelineDock::findNext(const QString& text) {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    const QString wanted = text.trimmed().remove(QLatin1Char(','));
    if (!timeline || wanted.isEmpty()) return;
    bool number = false;
    const quint64 value = wanted.toULongLong(&number);
    std::vector<bool> named;
    for (const std::string& name : timeline->names())
        named.push_back(QString::fromStdString(name).contains(wanted, Qt::CaseInsensitive));
    const auto fits = [&](const profile::Span& span) {
        if (named[span.name]) return true;
        return number && ((span.task != profile::none && span.task == value) ||
                          timeline->height_of(span) == value);
    };
    const auto rows = static_cast<std::uint32_t>(timeline->row_count());
    if (rows == 0) return;
    const SpanRef from = s.canvas->marks().focused.value_or(SpanRef{0, 0});
    const std::uint32_t skip = s.canvas->marks().focused ? 1 : 0;
    for (std::uint32_t step = 0; step <= rows; ++step) {
        const std::uint32_t row = (from.row + step) % rows;
        const auto spans = timeline->spans(row);
        for (std::size_t i = step == 0 ? from.index + skip : 0; i < spans.size(); ++i)
            if (fits(spans[i]))
                return s.canvas->setFocused(SpanRef{row, static_cast<std::uint32_t>(i)});
    }
    s.find->setToolTip(tr("No span is called \"%1\"").arg(text));
    s.hint->setTexts({tr("No span is called \"%1\"").arg(text), tr("Not found"), QString()});
}

void TimelineDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    state_->side->setVisible(width() >= room_for_side);
}

} // namespace blockloom::ui
