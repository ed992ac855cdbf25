#include "session/session.h"

#include "range/left_out.h"
#include "range/node_blocks.h"
#include "range/open_range.h"
#include "runs/statistics_line.h"
#include "session/background_work.h"
#include "session/rules.h"
#include "session/selection_history.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int looks_per_second = 30;
constexpr qint64 steady_after_ms = 1000;

/// The first block whose tasks wait for each other, else the first block.
int first_with_conflicts(const range::Range& range) {
    const auto at = std::find_if(range.blocks.begin(), range.blocks.end(), [](const auto& record) {
        return record->analysis.index->edges() > 0;
    });
    return at == range.blocks.end() ? 0 : static_cast<int>(at - range.blocks.begin());
}

/// The demo's first block is its densest: one whose graph can be read, and has several levels with
/// several tasks each, says more at first sight.
int most_telling(const range::Range& range) {
    const auto at = std::find_if(range.blocks.begin(), range.blocks.end(), [](const auto& record) {
        constexpr std::size_t most_tasks = 300, least_levels = 10, most_levels = 40;
        const conflict::ConflictIndex& index = *record->analysis.index;
        const std::size_t levels = index.level_sizes.size();
        return index.tasks() <= most_tasks && levels >= least_levels && levels <= most_levels &&
               index.tasks() >= 4 * levels;
    });
    return at == range.blocks.end() ? first_with_conflicts(range)
                                    : static_cast<int>(at - range.blocks.begin());
}

/// One line for each executed block.
QStringList statistics_of(const range::Range& range, const std::stop_token& stop) {
    QStringList lines;
    for (const auto& record : range.blocks)
        if (record->replayed && !stop.stop_requested())
            lines.append(to_qt(runs::statistics_line(*record->replayed, "CPU")));
    return lines;
}

/// The same task in an analysis under other rules; nothing where those leave it out.
std::optional<quint32> same_task(const range::BlockRecord& before, const range::BlockRecord& after,
                                 std::optional<quint32> task) {
    if (!task || !before.analysis.index || !after.analysis.index) return std::nullopt;
    const trace::PolicedTrace& old_trace = *before.analysis.index->trace;
    const trace::PolicedTrace& new_trace = *after.analysis.index->trace;
    if (*task >= old_trace.tasks()) return std::nullopt;
    const trace::TaskId original = old_trace.task_in_block(*task);
    if (new_trace.original_task.empty()) return original;
    const auto& ids = new_trace.original_task; // ascending: tasks keep block order
    const auto at = std::lower_bound(ids.begin(), ids.end(), original);
    if (at == ids.end() || *at != original) return std::nullopt;
    return static_cast<quint32>(at - ids.begin());
}

/// The same key; nothing where keys were coarsened on either side and ids lead elsewhere.
std::optional<quint32> same_key(const range::BlockRecord& before, const range::BlockRecord& after,
                                std::optional<quint32> key) {
    if (!key || !before.analysis.index || !after.analysis.index) return std::nullopt;
    const bool same =
        before.analysis.index->trace->keys.get() == after.analysis.index->trace->keys.get();
    return same ? key : std::nullopt;
}

} // namespace

struct Session::State {
    explicit State(Session* session) : owner(session), work(session) {}

    Session* owner;
    BackgroundWork work;
    QString work_name; ///< of the work in progress, for cancel()
    std::function<QString()> work_loss;
    bool remakes = true; ///< the work will replace what is on screen
    std::shared_ptr<alkanes::Contracts> contracts = std::make_shared<alkanes::Contracts>();
    QTimer look; ///< copies the work's progress while it runs
    QElapsedTimer phase_clock;
    WorkProgress progress;

    std::shared_ptr<const range::Range> range;
    QStringList sources;
    OpenChoices choices;
    schedule::AnalysisOptions options;
    Rules shown; ///< the rules that made what is on screen
    qint64 analysis_ns = -1;
    bool reanalysed = false; ///< `analysis_ns` covers neither reading nor execution

    int row = -1;
    std::shared_ptr<const range::BlockRecord> block;
    schedule::Strategy strategy = schedule::Strategy::list;
    quint32 workers = 8;
    std::shared_ptr<const schedule::Schedule> schedule; ///< null: to be made

    std::optional<quint32> task, key;
    SelectionHistory history;
    QUndoStack undo;
    std::vector<std::pair<range::RangeGrowth, Rules>> growing; ///< not shown yet

    [[nodiscard]] range::RangeOptions options_of(const QStringList& of,
                                                 const OpenChoices& by) const;
    [[nodiscard]] Rules rules() const { return {options.model, options.policy, options.use_cost}; }

    void run(BackgroundWork::Job job, bool remaking = true) {
        const bool was_busy = work.running();
        remakes = remaking;
        progress = {};
        phase_clock.start();
        work.start(std::move(job));
        look.start(1000 / looks_per_second);
        if (!was_busy) Q_EMIT owner->busyChanged(true);
        Q_EMIT owner->progressChanged();
    }

    void ended() {
        look.stop();
        progress = {};
        Q_EMIT owner->busyChanged(false);
        Q_EMIT owner->progressChanged();
        grow();
    }

    /// Shows what has changed at the end of the range.
    void grow() {
        if (!range || growing.empty() || (work.running() && remakes)) return;
        std::shared_ptr<const range::Range> now = range;
        bool other_rules = false;
        for (const auto& [growth, made_by] : growing) {
            now = range::grown(*now, growth);
            other_rules = other_rules || (!growth.added.empty() && !(made_by == rules()));
        }
        if (now->blocks.empty()) return; // until there are those that come instead
        growing.clear();
        take_grown(std::move(now));
        if (other_rules) reanalyse();
    }

    void take_grown(std::shared_ptr<const range::Range> now) {
        const bool at_end = row + 1 == static_cast<int>(range->blocks.size()) && !task && !key;
        const auto& blocks = now->blocks;
        const auto at = std::find(blocks.begin(), blocks.end(), block);
        const bool moves = at_end || at == blocks.end();
        const int last = static_cast<int>(blocks.size()) - 1;
        // Steps to earlier selections name rows.
        if (blocks.front() != range->blocks.front() || blocks.size() < range->blocks.size())
            history.clear();
        range = std::move(now);
        choices.from = range->options.from;
        choices.to = range->options.to;
        row = moves ? last : static_cast<int>(at - range->blocks.begin());
        const bool selected = moves && (task || key);
        const bool other = moves && range->blocks[static_cast<std::size_t>(row)] != block;
        if (moves) {
            task.reset();
            key.reset();
            block = range->blocks[static_cast<std::size_t>(row)];
            schedule.reset();
        }
        Q_EMIT owner->rangeChanged();
        if (other) {
            Q_EMIT owner->blockChanged();
            Q_EMIT owner->scheduleChanged();
        }
        if (selected) Q_EMIT owner->selectionChanged();
    }

    void take_progress() {
        const Progress latest = work.latest();
        const QString phase = to_qt(latest.phase);
        // Phases of one total are parts of one piece of work: repetitions, baseline, verification.
        if (latest.total != progress.total || latest.done < progress.done ||
            (latest.total == 0 && phase != progress.phase))
            phase_clock.restart();
        if (phase == progress.phase && latest.done == progress.done) return;
        progress = {phase, latest.done, latest.total, -1};
        const qint64 elapsed = phase_clock.elapsed();
        if (elapsed > steady_after_ms && latest.total > latest.done && latest.done > 0)
            progress.remainingNs = elapsed * 1'000'000 / static_cast<qint64>(latest.done) *
                                   static_cast<qint64>(latest.total - latest.done);
        Q_EMIT owner->progressChanged();
    }

    void fail(const Error& error) {
        if (error.code == ErrorCode::cancelled) return;
        QString message = to_qt(error.message);
        // The engine speaks of the command line.
        const QLatin1String option("--state: ");
        if (message.startsWith(option))
            message = Session::tr("Initial state: %1").arg(message.mid(option.size()));
        if (message.contains(QLatin1String("--workspace")))
            message += Session::tr("; in the window: Range ▸ Execute on the state of a workspace, "
                                   "or Range ▸ Initial state");
        else if (message.contains(QLatin1String("--node-")) ||
                 message.contains(QLatin1String("--from")))
            message += Session::tr("; in the window: File ▸ Open from a node");
        else if (message.contains(QLatin1String("--state-")))
            message += Session::tr("; in the window: Range ▸ Initial state");
        Q_EMIT owner->logged(QStringLiteral("error"), message);
        Q_EMIT owner->failed(message);
    }

    void show_block(std::shared_ptr<const range::BlockRecord> record) {
        block = std::move(record);
        schedule.reset();
        Q_EMIT owner->blockChanged();
        Q_EMIT owner->scheduleChanged();
    }

    /// The current block under new rules: the selection is carried over.
    void replace_block(std::shared_ptr<const range::BlockRecord> record) {
        const auto old = block;
        const auto old_task = task, old_key = key;
        if (old && record) {
            task = same_task(*old, *record, task);
            key = same_key(*old, *record, key);
            // If the rules changed the numbering, older steps would lead to other tasks.
            if (old->analysis.index->trace->original_task !=
                record->analysis.index->trace->original_task)
                history.clear();
        }
        show_block(std::move(record));
        if (task != old_task || key != old_key) Q_EMIT owner->selectionChanged();
    }

    void take_opened(const std::shared_ptr<const range::Range>& opened,
                     const QStringList& from_where, const OpenChoices& by, qint64 ns,
                     const Rules& made_by, const QStringList& statistics) {
        if (opened->blocks.empty()) {
            fail({ErrorCode::bad_input,
                  opened->left_out.empty() ? "No blocks found" : opened->left_out.front().reason});
            return;
        }
        growing.clear();
        range = opened;
        sources = from_where;
        choices = by;
        analysis_ns = ns;
        reanalysed = false;
        shown = made_by;
        history.clear();
        task.reset();
        key.reset();
        row = sources == QStringList{QStringLiteral("demo")} ? most_telling(*range)
                                                             : first_with_conflicts(*range);
        block = range->blocks[static_cast<std::size_t>(row)];
        schedule.reset();
        Q_EMIT owner->logged(
            QStringLiteral("info"),
            Session::tr("Opened %1 in %2").arg(to_qt(range->title), time_text(ns)));
        for (const range::LeftOut& out : range->left_out)
            Q_EMIT owner->logged(QStringLiteral("warning"),
                                 Session::tr("Left out %1: %2")
                                     .arg(to_qt(out.source), to_qt(range::reason_alone(out))));
        for (const QString& line : statistics) Q_EMIT owner->logged(QStringLiteral("info"), line);
        if (!range->state.empty())
            Q_EMIT owner->logged(QStringLiteral("info"),
                                 Session::tr("Initial state: %1").arg(to_qt(range->state)));
        for (const std::string& note : range->notes)
            Q_EMIT owner->logged(QStringLiteral("warning"), to_qt(note));
        Q_EMIT owner->rangeChanged();
        Q_EMIT owner->blockChanged();
        Q_EMIT owner->scheduleChanged();
        Q_EMIT owner->selectionChanged();
        Q_EMIT owner->opened();
        if (!(made_by == rules())) reanalyse(); // changed while it was being opened
    }

    void take_reanalysed(const std::shared_ptr<const range::Range>& made, qint64 ns,
                         const Rules& made_by) {
        range = made;
        analysis_ns = ns;
        reanalysed = true;
        shown = made_by;
        Q_EMIT owner->logged(
            QStringLiteral("info"),
            Session::tr("Reanalysed %1 in %2")
                .arg(counted(range->blocks.size(), Session::tr("block"), Session::tr("blocks")),
                     time_text(ns)));
        Q_EMIT owner->rangeChanged();
        if (row >= 0 && row < static_cast<int>(range->blocks.size()))
            replace_block(range->blocks[static_cast<std::size_t>(row)]);
    }

    /// The current block first, then the range; both in one job, so that a newer change replaces
    /// both.
    void reanalyse() {
        if (!range) return;
        work_name = Session::tr("Analysis");
        work_loss = [] { return Session::tr("the figures are out of date"); };
        run([this, old = range, current = block, rules = options, made_by = this->rules()](
                const BackgroundWork::Delivery& deliver, ProgressSink& sink, std::stop_token stop) {
            Stopwatch watch;
            if (current) {
                auto one = range::reanalyse(*current, rules, stop);
                if (!one) {
                    deliver([this, error = one.error()] { fail(error); });
                    return;
                }
                deliver([this, record = *one, current] {
                    if (block == current) replace_block(record);
                });
            }
            auto all = range::reanalyse(*old, rules, sink, stop);
            const qint64 ns = watch.lap();
            deliver([this, all = std::move(all), ns, made_by] {
                if (all)
                    take_reanalysed(*all, ns, made_by);
                else
                    fail(all.error());
            });
        });
    }

    void apply(const Rules& rules) {
        options.model = rules.model;
        options.policy = rules.policy;
        options.use_cost = rules.use_cost;
        Q_EMIT owner->optionsChanged();
        reanalyse();
    }

    void change(const Rules& after, const QString& text) {
        if (after == rules()) return;
        undo.push(new RuleCommand(rules(), after, text, [this](const Rules& r) { apply(r); }));
    }

    void go_to(const Selected& step) {
        if (step.row != row) enter(step.row);
        task = step.task;
        key = step.key;
        Q_EMIT owner->selectionChanged();
    }

    void enter(int to) {
        row = to;
        show_block(range->blocks[static_cast<std::size_t>(to)]);
    }

    void select(std::optional<quint32> new_task, std::optional<quint32> new_key) {
        if (new_task == task && new_key == key) return;
        task = new_task;
        key = new_key;
        history.visit({row, task, key});
        Q_EMIT owner->selectionChanged();
    }
};

Session::Session(QObject* parent) : QObject(parent), state_(std::make_unique<State>(this)) {
    State& s = *state_;
    connect(&s.look, &QTimer::timeout, this, [this] { state_->take_progress(); });
    connect(&s.work, &BackgroundWork::finished, this, [this] { state_->ended(); });
}

Session::~Session() {
    // Docks may still be connected, but the destruction does not concern them.
    blockSignals(true);
    state_->undo.blockSignals(true);
}

range::RangeOptions Session::State::options_of(const QStringList& of, const OpenChoices& by) const {
    range::RangeOptions made;
    for (const QString& source : of) made.sources.push_back(source.toStdString());
    made.keep_going = true; // blocks that could not be read are listed beside the others
    made.chain = by.chain.toStdString();
    made.workspace = by.workspace.toStdString();
    made.state = source_of(by.state);
    made.nodes.credentials_file = by.credentials.toStdString();
    made.nodes.ca_file = by.certificates.toStdString();
    if (by.from) made.from = *by.from;
    if (by.to) made.to = *by.to;
    made.line = alkanes::rule_line_from_name(by.rules.toStdString());
    made.fuel = wasm::fuel_rule_from_name(by.fuel.toStdString());
    made.record = true; // for the Inspector
    made.analysis = options;
    made.contracts = contracts;
    return made;
}

range::RangeOptions Session::rangeOptions() const {
    return state_->options_of(state_->sources, state_->choices);
}

void Session::perform(BackgroundWork::Job job, const QString& name, const QString& loss) {
    perform(std::move(job), name, [loss] { return loss; });
}

void Session::perform(BackgroundWork::Job job, const QString& name, std::function<QString()> loss) {
    state_->work_name = name.isEmpty() ? tr("Work") : name;
    state_->work_loss = std::move(loss);
    state_->run(std::move(job), false);
}

bool Session::performs() const {
    return busy() && !state_->remakes;
}

QString Session::workName() const {
    return busy() ? state_->work_name : QString();
}

void Session::open(const QStringList& sources, const OpenChoices& choices) {
    if (sources.isEmpty()) return;
    State& s = *state_;
    const range::RangeOptions options = s.options_of(sources, choices);
    QStringList shown;
    for (const QString& source : sources)
        shown.append(to_qt(range::shown_source(source.toStdString())));
    s.work_name = tr("Opening %1").arg(shortened(shown.join(QStringLiteral(", ")), 60, 20));
    s.work_loss = [stays = s.range != nullptr] {
        return stays ? tr("the previous range stays open") : tr("nothing is open");
    };
    s.run([&s, sources, choices, options, rules = s.rules()](
              const BackgroundWork::Delivery& deliver, ProgressSink& sink, std::stop_token stop) {
        Stopwatch watch;
        range::RangeOptions exact = options;
        const Status heights = range::choose_heights(exact, stop);
        auto opened = heights ? range::open_range(exact, sink, stop)
                              : Result<std::shared_ptr<const range::Range>>(heights.error());
        const qint64 ns = watch.lap();
        const QStringList statistics = opened ? statistics_of(**opened, stop) : QStringList();
        OpenChoices chosen = choices;
        if (exact.from) chosen.from = *exact.from;
        if (exact.to) chosen.to = *exact.to;
        deliver([&s, sources, choices = chosen, rules, ns, statistics, opened = std::move(opened)] {
            if (opened)
                s.take_opened(*opened, sources, choices, ns, rules, statistics);
            else
                s.fail(opened.error());
        });
    });
}

void Session::cancel() {
    if (!busy()) return;
    const WorkProgress at = progress();
    QString words = tr("%1 cancelled").arg(workName());
    if (at.total > 0)
        words += tr(" at %1 of %2 (%3)").arg(count_text(at.done), count_text(at.total), at.phase);
    if (const QString loss = state_->work_loss ? state_->work_loss() : QString(); !loss.isEmpty())
        words += QStringLiteral("; ") + loss;
    state_->work.cancel();
    // Compilations that are still queued are cancelled with the work that requested them.
    state_->contracts = std::make_shared<alkanes::Contracts>();
    Q_EMIT logged(QStringLiteral("info"), words);
    state_->ended();
    Q_EMIT cancelled(words);
}

void Session::close() {
    cancel();
    State& s = *state_;
    if (!s.range) return;
    s.range.reset();
    s.block.reset();
    s.schedule.reset();
    s.growing.clear();
    s.sources.clear();
    s.choices = {};
    s.row = -1;
    s.task.reset();
    s.key.reset();
    s.history.clear();
    Q_EMIT rangeChanged();
    Q_EMIT blockChanged();
    Q_EMIT scheduleChanged();
    Q_EMIT selectionChanged();
}

bool Session::busy() const {
    return state_->work.running();
}

const WorkProgress& Session::progress() const {
    return state_->progress;
}

std::shared_ptr<const range::Range> Session::range() const {
    return state_->range;
}

const OpenChoices& Session::choices() const {
    return state_->choices;
}

void Session::grow(const range::RangeGrowth& growth, const Rules& made_by) {
    state_->growing.emplace_back(growth, made_by);
    state_->grow();
}

void Session::setFollows(bool on) {
    if (state_->choices.follow == on) return;
    state_->choices.follow = on;
    Q_EMIT followsChanged();
}

QStringList Session::sources() const {
    return state_->sources;
}

bool Session::showsBefore() const {
    const State& s = *state_;
    return s.range != nullptr && ((s.work.running() && s.remakes) || !(s.shown == s.rules()));
}

qint64 Session::analysisNs() const {
    return state_->analysis_ns;
}

QString Session::analysisWords() const {
    const State& s = *state_;
    if (s.reanalysed) return tr("reanalysed");
    return s.range && s.range->totals.executed != 0 ? tr("executed and analysed")
                                                    : tr("read and analysed");
}

int Session::currentRow() const {
    return state_->row;
}

void Session::setCurrentRow(int row) {
    State& s = *state_;
    if (!s.range || row == s.row || row < 0 || row >= static_cast<int>(s.range->blocks.size()))
        return;
    const bool had_selection = s.task || s.key;
    s.task.reset();
    s.key.reset();
    s.enter(row);
    if (had_selection) Q_EMIT selectionChanged();
}

std::shared_ptr<const range::BlockRecord> Session::currentBlock() const {
    return state_->block;
}

schedule::Strategy Session::strategy() const {
    return state_->strategy;
}

quint32 Session::workers() const {
    return state_->workers;
}

void Session::setStrategy(schedule::Strategy strategy) {
    if (strategy == state_->strategy) return;
    state_->strategy = strategy;
    state_->schedule.reset();
    Q_EMIT scheduleChanged();
}

void Session::setWorkers(quint32 workers) {
    workers = std::min(workers, most_workers);
    if (workers == 0 || workers == state_->workers) return;
    state_->workers = workers;
    state_->schedule.reset();
    Q_EMIT scheduleChanged();
}

std::shared_ptr<const schedule::Schedule> Session::currentSchedule() const {
    State& s = *state_;
    if (!s.schedule && s.block && s.block->analysis.index)
        s.schedule = std::make_shared<const schedule::Schedule>(
            schedule::make_schedule(*s.block->analysis.index, s.strategy, s.workers));
    return s.schedule;
}

std::optional<quint32> Session::selectedTask() const {
    return state_->task;
}

std::optional<quint32> Session::selectedKey() const {
    return state_->key;
}

void Session::selectTask(std::optional<quint32> task) {
    State& s = *state_;
    if (task && (!s.block || *task >= s.block->analysis.index->tasks())) return;
    s.select(task, s.key);
}

void Session::selectKey(std::optional<quint32> key) {
    state_->select(state_->task, key);
}

void Session::goBack() {
    if (canGoBack()) state_->go_to(state_->history.back());
}

void Session::goForward() {
    if (canGoForward()) state_->go_to(state_->history.forward());
}

bool Session::canGoBack() const {
    return state_->history.canGoBack();
}

bool Session::canGoForward() const {
    return state_->history.canGoForward();
}

const schedule::AnalysisOptions& Session::options() const {
    return state_->options;
}

void Session::setModel(conflict::ConflictModel model) {
    Rules rules = state_->rules();
    rules.model = model;
    state_->change(rules, tr("use the %1 model").arg(name_of(model)));
}

void Session::setUseCost(bool own) {
    Rules rules = state_->rules();
    rules.use_cost = own;
    state_->change(rules, own ? tr("use the trace's costs") : tr("use unit cost"));
}

void Session::setPolicy(const trace::KeyPolicy& policy, const QString& description) {
    Rules rules = state_->rules();
    rules.policy = policy;
    state_->change(rules, description);
}

void Session::relaxKey(const QString& printableKey, bool relaxed) {
    // A key may be a kind alone.
    const QString kind =
        printableKey.section(QLatin1Char(':'), 1).isEmpty()
            ? QString()
            : shortened(printableKey.section(QLatin1Char(':'), 0, 0)) + QLatin1Char(' ');
    const QString text = (relaxed ? tr("relax key \"%1\"") : tr("stop relaxing key \"%1\""))
                             .arg(kind + short_key(printableKey));
    setPolicy(with_key(state_->options.policy, printableKey.toStdString(), relaxed), text);
}

void Session::restore(const Rules& rules, schedule::Strategy strategy, quint32 workers) {
    setStrategy(strategy);
    setWorkers(workers);
    state_->apply(rules);
}

QUndoStack& Session::undoStack() {
    return state_->undo;
}

} // namespace blockloom::ui
