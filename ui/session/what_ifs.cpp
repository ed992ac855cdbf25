#include "session/what_ifs.h"

#include "runs/kept_runs.h"
#include "runs/provenance.h"
#include "runs/run_verification.h"
#include "session/background_work.h"
#include "session/measured_run.h"
#include "session/run_traces.h"
#include "session/runs.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "text/to_qt.h"

#include <algorithm>
#include <utility>

namespace blockloom::ui {
namespace {

QString name_of(const QString& run, const runs::WhatIfPlan& plan) {
    return run + QLatin1Char('\n') + to_qt(text_of(plan));
}

Result<std::shared_ptr<const WhatIfBase>> make_base(const range::Range& range, runs::KeptRun run,
                                                    const profile::Trace& spans,
                                                    const std::stop_token& stop) {
    std::vector<std::shared_ptr<const execute::ReplayedBlock>> blocks;
    for (const runs::KeptBlock& kept : run.blocks)
        for (const auto& record : range.blocks)
            if (record->replayed && to_reversed_hex(record->replayed->execution->hash) == kept.hash)
                blocks.push_back(record->replayed);
    auto base = std::make_shared<WhatIfBase>();
    base->whole = blocks.size() == run.blocks.size();
    auto work = runs::recorded_work(run, spans, blocks);
    if (!work) return work.error();
    base->work = *std::move(work);
    auto keys = runs::rank_keys(base->work, stop);
    if (!keys) return keys.error();
    base->keys = *std::move(keys);
    auto advice = runs::advise(run, base->work, base->keys, stop);
    if (!advice) return advice.error();
    base->advice = *std::move(advice);
    base->run = std::move(run);
    return std::shared_ptr<const WhatIfBase>(std::move(base));
}

/// A replay, kept.
struct KeptReplay {
    runs::WhatIfReplay replay;
    std::shared_ptr<const profile::Trace> spans;
};

Result<KeptReplay> replay_and_keep(const runs::KeptRun& run, const runs::RunPlaces& places,
                                   const runs::WhatIfPlan& plan, const runs::WhatIf& predicted,
                                   const std::filesystem::path& folder, ProgressSink& progress,
                                   const std::stop_token& stop) {
    const auto again = runs::reopen_run(run, places, progress, stop);
    if (!again) return again.error();
    auto made =
        runs::replay_what_if(run, **again, plan, predicted, WhatIfs::repetitions, progress, stop);
    if (!made) return made.error();
    if (stop.stop_requested()) return cancelled_error();
    const auto kept = store::open_runs(folder);
    if (!kept) return kept.error();
    runs::MeasuredRun& measured = made->run;
    if (const Status done =
            runs::keep_run(*kept, measured.record, runs::provenance_now(BLOCKLOOM_VERSION),
                           measured.spans ? &*measured.spans : nullptr);
        !done)
        return done.error();
    KeptReplay replay{*std::move(made), nullptr};
    if (replay.replay.run.spans)
        replay.spans = std::make_shared<const profile::Trace>(*std::move(replay.replay.run.spans));
    return replay;
}

} // namespace

WhatIfs::WhatIfs(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), session_(session), runs_(runs),
      measured_run_(MeasuredRun::of(session, runs)), reading_(new BackgroundWork(this)),
      asking_(new BackgroundWork(this)) {
    connect(measured_run_, &MeasuredRun::changed, this, &WhatIfs::follow);
    connect(session_, &Session::rangeChanged, this, &WhatIfs::follow);
    connect(session_, &Session::busyChanged, this, &WhatIfs::changed);
    connect(reading_, &BackgroundWork::finished, this, &WhatIfs::changed);
    connect(asking_, &BackgroundWork::finished, this, &WhatIfs::changed);
}

WhatIfs::~WhatIfs() = default;

WhatIfs* WhatIfs::of(Session* session, Runs* runs) {
    auto* const there = runs->findChild<WhatIfs*>();
    return there != nullptr ? there : new WhatIfs(session, runs, runs);
}

bool WhatIfs::busy() const {
    return reading_->running() || asking_->running();
}

const runs::WhatIfKey* WhatIfs::key(const QString& printable) const {
    if (!base_) return nullptr;
    const std::string name = printable.toStdString();
    const auto at = std::find_if(base_->keys.begin(), base_->keys.end(),
                                 [&](const runs::WhatIfKey& key) { return key.key == name; });
    return at == base_->keys.end() ? nullptr : &*at;
}

void WhatIfs::want() {
    if (std::exchange(wanted_, true)) return;
    follow();
}

void WhatIfs::follow() {
    if (!wanted_) return;
    const QString chosen = measured_run_->chosen();
    const auto range = session_->range();
    if (chosen == run_ && range == range_) return;
    run_ = chosen;
    range_ = range;
    read();
}

void WhatIfs::read() {
    base_.reset();
    answer_.reset();
    why_.clear();
    asking_->cancel();
    const auto range = session_->range();
    const runs::KeptRun* const run = runs_->find(run_);
    if (run == nullptr || !range) {
        reading_->cancel();
        Q_EMIT changed();
        return;
    }
    reading_->start([this, range, run = *run, folder = runs_->folder().toStdString(),
                     traces = runs_->traces()](const BackgroundWork::Delivery& deliver,
                                               ProgressSink&, const std::stop_token& stop) {
        const auto trace = traces->trace_of(folder, run.id);
        auto base = !trace ? Result<std::shared_ptr<const WhatIfBase>>(trace.error())
                    : *trace == nullptr
                        ? Error{ErrorCode::bad_input, tr("The run was kept or imported without "
                                                         "spans, so the times of its tasks are "
                                                         "not known")
                                                          .toStdString()}
                        : make_base(*range, run, **trace, stop);
        if (stop.stop_requested()) return;
        deliver([this, base = std::move(base)] {
            if (base)
                base_ = *base;
            else
                why_ = to_qt(base.error().message);
            Q_EMIT changed();
        });
    });
    Q_EMIT changed();
}

void WhatIfs::ask(const runs::WhatIfPlan& plan) {
    if (!base_) return;
    asking_->start([this, base = base_, plan](const BackgroundWork::Delivery& deliver,
                                              ProgressSink&, const std::stop_token& stop) {
        auto answer = std::make_shared<WhatIfAnswer>();
        answer->plan = plan;
        auto result = runs::what_if(base->work, plan, stop);
        if (stop.stop_requested()) return;
        if (result)
            answer->result = *std::move(result);
        else
            answer->error = to_qt(result.error().message);
        deliver([this, base, answer] {
            if (base != base_) return;
            answer_ = answer;
            Q_EMIT answered();
        });
    });
}

QString WhatIfs::whyNotReplay(const runs::WhatIfPlan& plan) const {
    if (!base_) return tr("No run of this range is kept");
    if (const std::string why = runs::why_not_replayable(base_->run, plan); !why.empty())
        return to_qt(why);
    if (!base_->whole) return tr("The open range does not have all blocks of the run");
    return runs_->whyNotVerify(run_); // source and state must be there
}

void WhatIfs::replay(const runs::WhatIfPlan& plan) {
    if (!whyNotReplay(plan).isEmpty()) return;
    const auto predicted = runs::what_if(base_->work, plan);
    if (!predicted) {
        Q_EMIT session_->failed(to_qt(predicted.error().message));
        return;
    }
    runs::RunPlaces places;
    places.workspace = base_->run.workspace;
    if (!base_->run.state.empty()) places.state = source_of(session_->choices().state);
    places.contracts = session_->rangeOptions().contracts;
    session_->perform(
        [this, base = base_, plan, predicted = *predicted, places,
         folder = runs_->folder().toStdString()](const BackgroundWork::Delivery& deliver,
                                                 ProgressSink& sink, const std::stop_token& stop) {
            auto made = replay_and_keep(base->run, places, plan, predicted, folder, sink, stop);
            deliver([this, base, plan, folder, made = std::move(made)] {
                if (!made) {
                    if (made.error().code == ErrorCode::cancelled) return;
                    const QString why = tr("The plan was not verified by replay: %1")
                                            .arg(to_qt(made.error().message));
                    Q_EMIT session_->logged(QStringLiteral("error"), why);
                    Q_EMIT session_->failed(why);
                    return;
                }
                const runs::WhatIfReplay& replay = made->replay;
                const std::string& id = replay.run.record.id;
                const WhatIfMeasured measured{to_qt(id), replay.wall, replay.execute,
                                              to_qt(replay.difference)};
                measured_.insert(name_of(to_qt(base->run.id), plan), measured);
                Q_EMIT session_->logged(
                    QStringLiteral("info"),
                    tr("Run %1, %2: %3")
                        .arg(to_qt(id), to_qt(text_of(plan)), to_qt(text_of(replay.wall))));
                if (!measured.difference.isEmpty())
                    Q_EMIT session_->failed(
                        tr("Run %1: mismatch: %2").arg(to_qt(id), measured.difference));
                // The what-if stays that of the run it began with.
                measured_run_->choose(to_qt(base->run.id));
                runs_->traces()->finished(folder, id, made->spans);
                Q_EMIT replayed();
                runs_->reload();
            });
        },
        tr("Verify by replay"));
}

const WhatIfMeasured* WhatIfs::measured(const runs::WhatIfPlan& plan) const {
    const auto at = measured_.constFind(name_of(run_, plan));
    return at == measured_.constEnd() ? nullptr : &*at;
}

} // namespace blockloom::ui
