#include "session/measured_run.h"

#include "runs/measured_schedule.h"
#include "session/background_work.h"
#include "session/run_traces.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/run_names.h"
#include "text/to_qt.h"

namespace blockloom::ui {
namespace {

/// As the runs' documents have it; empty: the block was not executed.
std::string hash_of(const range::BlockRecord& block) {
    return block.replayed ? to_reversed_hex(block.replayed->execution->hash) : std::string();
}

bool has_block(const runs::KeptRun& run, const std::string& hash) {
    for (const runs::KeptBlock& block : run.blocks)
        if (block.hash == hash) return true;
    return false;
}

} // namespace

MeasuredRun::MeasuredRun(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), session_(session), runs_(runs), work_(new BackgroundWork(this)) {
    connect(runs_, &Runs::keptChanged, this, &MeasuredRun::follow);
    connect(runs_, &Runs::comparedChanged, this, &MeasuredRun::follow);
    connect(session_, &Session::blockChanged, this, &MeasuredRun::follow);
    connect(session_, &Session::rangeChanged, this, &MeasuredRun::follow);
    follow();
}

MeasuredRun::~MeasuredRun() = default;

MeasuredRun* MeasuredRun::of(Session* session, Runs* runs) {
    auto* const there = runs->findChild<MeasuredRun*>();
    return there != nullptr ? there : new MeasuredRun(session, runs, runs);
}

std::vector<MeasuredRun::Choice> MeasuredRun::choices() const {
    std::vector<Choice> found;
    const auto block = session_->currentBlock();
    const std::string hash = block ? hash_of(*block) : std::string();
    if (hash.empty()) return found;
    for (const runs::KeptRun& run : runs_->kept())
        if (has_block(run, hash)) found.push_back({to_qt(run.id), run_title(run)});
    return found;
}

QString MeasuredRun::chosen() const {
    return chosen_;
}

void MeasuredRun::choose(const QString& id) {
    by_user_ = true;
    if (id == chosen_) return;
    chosen_ = id;
    read();
}

void MeasuredRun::setBeside(const QStringList& ids) {
    const QStringList wanted = ids.mid(0, most_beside);
    if (wanted == beside_) return;
    beside_ = wanted;
    read();
}

std::shared_ptr<const MeasuredView> MeasuredRun::view() const {
    return view_;
}

QString MeasuredRun::why() const {
    return why_;
}

bool MeasuredRun::reading() const {
    return work_->running();
}

void MeasuredRun::follow() {
    const std::vector<Choice> all = choices();
    const auto listed = [&all](const QString& id) {
        for (const Choice& choice : all)
            if (choice.id == id) return true;
        return false;
    };
    // The user's choice stays while the block has that run; so does the choice to show none.
    if (!by_user_ || (!chosen_.isEmpty() && !listed(chosen_))) {
        by_user_ = false;
        chosen_.clear();
        for (const Runs::Side side : {Runs::Side::b, Runs::Side::a})
            if (const runs::KeptRun* run = runs_->chosen(side);
                run != nullptr && chosen_.isEmpty() && listed(to_qt(run->id)))
                chosen_ = to_qt(run->id);
        if (chosen_.isEmpty() && !all.empty()) chosen_ = all.front().id;
    }
    erase_if(beside_, [&](const QString& id) { return !listed(id); });
    if (view_ && view_->run == chosen_ && view_->block == session_->currentBlock()) {
        Q_EMIT changed();
        return;
    }
    read();
}

void MeasuredRun::read() {
    view_.reset();
    why_.clear();
    const auto block = session_->currentBlock();
    const runs::KeptRun* run = runs_->find(chosen_);
    if (run == nullptr || !block) {
        work_->cancel();
        Q_EMIT changed();
        return;
    }
    // Device activity belongs to a block window; it is shown with the window's first block.
    QString of_window;
    for (std::size_t i = 0; run->window > 1 && i < run->blocks.size(); ++i)
        if (run->blocks[i].hash == hash_of(*block))
            of_window = tr(". This run used block windows of %1 blocks: the device's activity is "
                           "shown with the first block of each block window, %2")
                            .arg(count_text(run->window),
                                 count_text(run->blocks[i / run->window * run->window].height));
    struct Other {
        std::string id, strategy;
        QString name;
    };
    std::vector<Other> others;
    for (const QString& id : beside_)
        if (const runs::KeptRun* other = id == chosen_ ? nullptr : runs_->find(id))
            others.push_back({other->id, other->strategy, run_title(*other)});
    work_->start([this, block, of_window, others = std::move(others), window = run->window,
                  aborts = runs::aborts_of(*run, block->replayed->execution->height), id = run->id,
                  name = run_title(*run), strategy = run->strategy,
                  folder = runs_->folder().toStdString(), traces = runs_->traces()](
                     const BackgroundWork::Delivery& deliver, ProgressSink&, std::stop_token stop) {
        const auto refuse = [&](const QString& why) {
            deliver([this, why] {
                why_ = why;
                Q_EMIT changed();
            });
        };
        const auto trace = traces->trace_of(folder, id);
        if (!trace) return refuse(to_qt(trace.error().message));
        const auto& spans = *trace;
        if (spans == nullptr)
            return refuse(
                tr("This run was kept or imported without spans, so it cannot be shown over "
                   "time."));
        deliver([this, spans] { trace_ = spans; });
        auto measured = runs::measured_schedule(*spans, block->replayed->execution->height,
                                                *block->analysis.index, strategy, &aborts);
        if (!measured) return refuse(to_qt(measured.error().message) + of_window);
        auto view = std::make_shared<MeasuredView>();
        view->run = to_qt(id);
        view->name = name;
        view->window = window;
        view->block = block;
        auto costs = runs::with_measured_costs(block->analysis, *measured, stop);
        if (stop.stop_requested()) return;
        if (costs)
            view->analysis = std::make_shared<const schedule::BlockAnalysis>(*std::move(costs));
        else
            view->no_prediction = to_qt(costs.error().message);
        view->measured = std::make_shared<const schedule::MeasuredSchedule>(*std::move(measured));
        std::vector<schedule::MeasuredSchedule> all{*view->measured};
        std::size_t lanes = all.front().lanes.size();
        // A table of them all has no captions.
        const auto name_lanes = [](schedule::MeasuredSchedule& of, const std::string& by) {
            for (std::string& lane : of.lanes) lane = by + " · " + lane;
        };
        for (const Other& other : others) {
            const auto more = traces->trace_of(folder, other.id);
            auto below = !more ? Result<schedule::MeasuredSchedule>(more.error())
                         : *more == nullptr
                             ? Error{ErrorCode::bad_input, "no spans were kept with it"}
                             : runs::measured_schedule(**more, block->replayed->execution->height,
                                                       *block->analysis.index, other.strategy);
            if (!below) {
                view->not_beside = tr("%1: %2").arg(other.name, to_qt(below.error().message));
                continue;
            }
            view->beside.push_back({other.name, lanes + 1, below->schedule.makespan});
            lanes += 1 + below->lanes.size();
            name_lanes(*below, other.strategy);
            all.push_back(*std::move(below));
        }
        if (all.size() > 1) name_lanes(all.front(), strategy);
        view->drawn = all.size() == 1
                          ? view->measured
                          : std::make_shared<const schedule::MeasuredSchedule>(runs::stacked(all));
        deliver([this, view] {
            view_ = view;
            Q_EMIT changed();
        });
    });
    Q_EMIT changed();
}

} // namespace blockloom::ui
