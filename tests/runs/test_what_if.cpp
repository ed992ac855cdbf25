// Runs re-scheduled by their measured costs, against slow recomputations; plans that are replayed
// come to the same results.
#include "runs/execution_overhead.h"
#include "runs/what_if.h"

#include "conflict/index_conflicts.h"
#include "conflict/levels.h"
#include "execute/recording.h"
#include "range/sources.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "report/what_if_json.h"
#include "runs/advice.h"
#include "runs/measured_run.h"
#include "runs/recorded_rounds.h"
#include "runs/run_json.h"
#include "runs/what_if_replay.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace blockloom;
using namespace blockloom::runs;
using execute::Phase;
using execute::Strategy;
using schedule::Relaxation;

namespace {

struct Recorded {
    KeptRun run;
    profile::Trace spans;
};

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

    const QTemporaryDir dir_;
    std::map<std::string, std::string> folders_; ///< by recipe
    std::map<std::string, std::vector<std::shared_ptr<const execute::ReplayedBlock>>> executed_;

    /// Blocks of a recipe, written once.
    std::string blocks_of(const std::string& recipe) {
        std::string& folder = folders_[recipe];
        if (!folder.empty()) return folder;
        folder = dir_.filePath(QString::fromStdString(recipe)).toStdString();
        recipes::RecipeChanges changes;
        changes.blocks = 3;
        changes.tasks = 40;
        changes.seed = 9;
        SilentProgress silent;
        if (!recipes::write_blocks(
                folder, recipes::with_changes(*recipes::find_recipe(recipe), changes), silent))
            qFatal("no blocks were written");
        return folder;
    }

    Recorded record(const std::string& recipe, Strategy strategy, std::uint32_t window = 1) {
        range::RangeOptions listing;
        listing.sources = {blocks_of(recipe)};
        listing.chain = "bitcoin";
        SilentProgress silent;
        const auto sources = range::gather_sources(listing, silent, {});
        if (!sources) qFatal("%s", sources.error().message.c_str());
        std::vector<execute::ReplaySource> all;
        for (const range::Pending& pending : sources->pending)
            all.push_back(range::replay_source(pending));
        MeasuredRunPlan plan{.blocks = all, .how = {}, .device = {}};
        plan.how.network = sources->manifest->network;
        plan.how.engine = alkanes::Engine::interpreter; // no compiler beside the measured run
        plan.how.strategy.strategy = strategy;
        plan.how.strategy.workers = 2;
        plan.how.strategy.window = window;
        plan.how.recording = std::make_shared<execute::Recording>();
        plan.sources = listing.sources;
        plan.usage = false;
        auto run = measure_run(plan, {}, silent, {});
        if (!run) qFatal("%s", run.error().message.c_str());
        run->record.id = "recorded";
        auto kept = read_run(run_json(run->record, {}), "run");
        if (!kept) qFatal("%s", kept.error().message.c_str());
        return {*std::move(kept), *std::move(run->spans)};
    }

    std::unique_ptr<ReopenedRun> reopened(const KeptRun& run) {
        SilentProgress silent;
        auto again = reopen_run(run, {}, silent, {});
        if (!again) qFatal("%s", again.error().message.c_str());
        return *std::move(again);
    }

    RecordedWork work_of(const std::string& recipe, const Recorded& recorded) {
        auto& executed = executed_[recipe];
        if (executed.empty()) {
            SilentProgress silent;
            auto made = execute_again(recorded.run, *reopened(recorded.run), silent, {});
            if (!made) qFatal("%s", made.error().message.c_str());
            executed = *std::move(made);
        }
        auto work = recorded_work(recorded.run, recorded.spans, executed);
        if (!work) qFatal("%s", work.error().message.c_str());
        return *std::move(work);
    }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_DATA_HOME", dir_.path().toUtf8()); }

    /// Between executions, since the driver began what they belong to; waits and other work are
    /// not.
    void the_time_between_executions() {
        using profile::Category;
        using profile::LaneKind;
        const auto span = [](Nanoseconds begin, Nanoseconds end, Category category) {
            profile::Span made;
            made.begin = begin;
            made.end = end;
            made.category = category;
            return made;
        };
        profile::Trace trace;
        QCOMPARE(overhead_of_an_execution(trace), Nanoseconds{0});
        trace.lanes.push_back({"driver",
                               LaneKind::driver,
                               {span(100, 400, Category::round), span(500, 700, Category::round)}});
        // 10 after the round began, 20 after the first, none after a wait, 4 after other work.
        trace.lanes.push_back(
            {"worker 0",
             LaneKind::worker,
             {span(110, 150, Category::message), span(170, 200, Category::message),
              span(210, 300, Category::wait), span(300, 320, Category::message),
              span(330, 350, Category::phase), span(354, 390, Category::message)}});
        // It slept before the second round, which does not count: 16 since that began.
        trace.lanes.push_back({"worker 1", LaneKind::worker, {span(516, 600, Category::message)}});
        QCOMPARE(overhead_of_an_execution(trace), Nanoseconds{(10 + 20 + 0 + 4 + 16) / 5});
    }

    /// Executions belong to the round that was running when they began. What follows the last one
    /// ends the round; waits are not work beside it.
    void rounds_are_recorded() {
        using profile::Category;
        using profile::LaneKind;
        const auto span = [](Nanoseconds begin, Nanoseconds end, Category category,
                             std::uint32_t task = profile::none) {
            profile::Span made;
            made.begin = begin;
            made.end = end;
            made.category = category;
            made.task = task;
            if (category == Category::message) made.block = 0;
            return made;
        };
        profile::Trace trace;
        trace.heights = {7};
        trace.lanes.push_back({"driver",
                               LaneKind::driver,
                               {span(100, 400, Category::round), span(500, 700, Category::round)}});
        trace.lanes.push_back(
            {"worker 0",
             LaneKind::worker,
             {span(90, 110, Category::phase), span(110, 150, Category::message, 0),
              span(170, 330, Category::message, 2), span(340, 360, Category::wait),
              span(390, 520, Category::phase), span(530, 600, Category::message, 2),
              span(710, 720, Category::message, 3)}});
        trace.lanes.push_back(
            {"worker 1",
             LaneKind::worker,
             {span(120, 160, Category::message, 1), span(200, 205, Category::message, 1)}});
        const RecordedRounds rounds(trace);
        QVERIFY(!rounds.at(99) && rounds.at(100) == std::size_t{0});
        QVERIFY(!rounds.at(400) && rounds.at(699) == std::size_t{1} && !rounds.at(700));
        QCOMPARE(rounds.ending(0), Nanoseconds{70});
        QCOMPARE(rounds.ending(1), Nanoseconds{100});
        const auto beside = [&](std::size_t round) {
            const auto there = rounds.beside(round);
            return std::vector(there.begin(), there.end());
        };
        QCOMPARE(beside(0), (std::vector<Nanoseconds>{10, 10}));
        QCOMPARE(beside(1), std::vector<Nanoseconds>{20});

        auto block = std::make_shared<trace::BlockTrace>();
        block->sets.begin = {0, 0, 0, 0, 0};
        auto policed = std::make_shared<trace::PolicedTrace>();
        policed->original = block;
        const auto index =
            conflict::index_without_pairs(policed, conflict::ConflictModel::multi_version, {});
        QVERIFY(index);
        schedule::MeasuredSchedule measured;
        measured.stands_under = {0, 1, 2, 3};
        const ExecutionOrder order = execution_order(rounds, trace, 7, *index, measured);
        QCOMPARE(order.rounds.size(), std::size_t{2});
        QVERIFY(order.rounds.at(0) == (ExecutionOrder::Costs{{0, 40}, {1, 5}, {2, 160}}));
        QVERIFY(order.rounds.at(1) == (ExecutionOrder::Costs{{2, 70}}));
        QCOMPARE(order.in_order, std::vector<trace::TaskId>{3});
        QVERIFY(execution_order(rounds, trace, 8, *index, measured).is_nothing());
    }

    /// The rounds of `dag` are simulated one by one, what ran in block order as such: with one
    /// worker that is all that was executed.
    void dag_is_simulated_as_it_ran() {
        const Recorded recorded = record("mixed", Strategy::dag);
        const RecordedWork work = work_of("mixed", recorded);
        Nanoseconds executed = 0;
        for (const RecordedWindow& window : work.windows) {
            QVERIFY(!window.order.is_nothing());
            executed += window.endings;
            for (const auto& [round, costs] : window.order.rounds) {
                for (const auto& [task, cost] : costs)
                    executed += static_cast<Nanoseconds>(cost) + work.overhead;
                for (const Nanoseconds beside : window.beside.at(round))
                    executed += std::max<Nanoseconds>(1, beside) + work.overhead;
            }
            for (const trace::TaskId task : window.order.in_order)
                executed += static_cast<Nanoseconds>(window.trace->cost_of(task)) + work.overhead;
        }
        WhatIfPlan alone;
        alone.workers = 1;
        const auto by_one = what_if(work, alone);
        QVERIFY(by_one);
        Nanoseconds sum = 0;
        for (const WhatIfWindow& window : by_one->windows) sum += window.predicted;
        QCOMPARE(sum, executed);
    }

    void nothing_changed_predicts_the_run_itself() {
        for (const Strategy strategy : execute::all_strategies) {
            const Recorded recorded = record("mixed", strategy);
            const RecordedWork work = work_of("mixed", recorded);
            QCOMPARE(work.windows.size(), std::size_t{3});
            const auto same = what_if(work, {});
            QVERIFY2(same, name_of(strategy));
            QCOMPARE(same->measured, recorded.run.last_phases.sum());
            QCOMPARE(same->before, same->predicted);
            QCOMPARE(same->strategy, recorded.run.strategy);
            QVERIFY(same->before >= same->measured); // what is not explained is kept
            QCOMPARE(same->gain(), 1.0);
            QVERIFY(!same->assumptions.empty());
            std::uint64_t tasks = 0;
            for (const WhatIfWindow& window : same->windows) {
                tasks += window.tasks;
                QVERIFY(window.span_before <= window.before && window.work > 0);
                QVERIFY(window.span_before <= window.work);
            }
            QCOMPARE(tasks, recorded.run.tasks);
            WhatIfPlan free;
            free.free_commit = free.free_transfer = true;
            const auto cheaper = what_if(work, free);
            const execute::Phases& phases = recorded.run.last_phases;
            QCOMPARE(same->predicted - cheaper->predicted,
                     phases[Phase::commit] + phases[Phase::verify] + phases[Phase::pack] +
                         phases[Phase::upload] + phases[Phase::download]);
        }
    }

    /// The gain of each key, against the critical paths of the whole range without it.
    void every_gain_is_that_of_the_plan() {
        for (const std::uint32_t window : {1U, 3U}) {
            const Recorded recorded = record("mixed", Strategy::levels, window);
            const RecordedWork work = work_of("mixed", recorded);
            QCOMPARE(work.windows.size(), std::size_t{window == 1 ? 3U : 1U});
            const auto keys = rank_keys(work);
            QVERIFY(keys && keys->size() > 10);
            double before = 1e9;
            std::size_t gains = 0;
            for (const WhatIfKey& key : *keys) {
                QVERIFY(key.gain_if_relaxed <= before);
                before = key.gain_if_relaxed;
                gains += key.gain_if_relaxed > 1;
                WhatIfPlan plan;
                plan.keys = {{key.key, Relaxation::ignore, 2}};
                const auto relaxed = what_if(work, plan);
                QVERIFY(relaxed);
                Nanoseconds all = 0, rest = 0;
                for (const WhatIfWindow& one : relaxed->windows)
                    all += one.span_before, rest += one.span;
                const double gain = static_cast<double>(all) / static_cast<double>(rest);
                QVERIFY2(std::abs(gain - key.gain_if_relaxed) < 1e-6 * gain, key.key.c_str());
            }
            QVERIFY(gains > 0);
        }
    }

    /// Every mint adds to one counter: predicted, the chain is gone but for its pilots.
    void a_counter_is_predicted() {
        const Recorded recorded = record("mainnet-2026", Strategy::levels);
        const RecordedWork work = work_of("mainnet-2026", recorded);
        const auto keys = rank_keys(work);
        QVERIFY(keys && !keys->empty());
        const WhatIfKey& first = keys->front();
        QVERIFY2(first.key.find("totalsupply") != std::string::npos, first.key.c_str());
        QVERIFY(first.gain_if_relaxed > 1 && first.reads > 20);
        QCOMPARE(first.hits, first.reads);
        QCOMPARE(std::string(main_effect(first.effects)), std::string("adds"));
        for (const RecordedWindow& window : work.windows)
            for (const KeyPrediction& one : window.predictions) {
                QVERIFY(std::is_sorted(one.misses.begin(), one.misses.end()));
                QVERIFY(one.hits <= one.reads);
            }
        const auto time = [&](Relaxation how, std::uint32_t parts = 2) {
            WhatIfPlan plan;
            plan.keys = {{first.key, how, parts}};
            plan.strategy = "levels";
            plan.workers = 8;
            const auto result = what_if(work, plan);
            if (!result) qFatal("%s", result.error().message.c_str());
            return result->predicted;
        };
        const Nanoseconds ignored = time(Relaxation::ignore);
        QVERIFY(ignored <= time(Relaxation::predicted));
        QVERIFY(time(Relaxation::predicted) < time(Relaxation::split));
        QVERIFY(time(Relaxation::split, 8) <= time(Relaxation::split));
        QVERIFY(time(Relaxation::split) < what_if(work, {})->predicted);
        // The updates read the counter: commutative, they need not wait for each other.
        QCOMPARE(time(Relaxation::commutative), ignored);
        WhatIfPlan predicted;
        predicted.keys = {{first.key, Relaxation::predicted, 2}};
        QCOMPARE(what_if(work, predicted)->strategy, std::string("predict"));
    }

    /// One read after the other: the same hits and misses as of the whole block, with their values.
    void predicted_values_are_shown() {
        const Recorded recorded = record("mainnet-2026", Strategy::serial);
        (void)work_of("mainnet-2026", recorded);
        std::size_t hits = 0, pilots = 0;
        for (const auto& block : executed_["mainnet-2026"]) {
            const auto keys = predict_keys(*block->context, *block->execution, *block->trace);
            std::map<trace::KeyId, std::pair<std::uint64_t, std::uint64_t>> sums;
            std::uint32_t last = ~0U;
            for (trace::TaskId task = 0; task < block->trace->tasks(); ++task) {
                const auto section = prediction_section(*block, task);
                const auto reads =
                    predicted_reads(*block->context, *block->execution, *block->trace, task);
                QCOMPARE(section.rows.size(), reads.size());
                const std::uint32_t transaction = block->trace->transaction[task];
                if (transaction == last) continue; // its tasks share a log
                last = transaction;
                for (std::size_t i = 0; i < reads.size(); ++i) {
                    const PredictedRead& read = reads[i];
                    sums[read.key].first += !read.pilot;
                    sums[read.key].second += read.hit;
                    if (read.hit) QVERIFY(read.predicted && *read.predicted == read.truth);
                    if (read.pilot) QVERIFY(!read.predicted && !read.hit);
                    const bool said = section.rows[i].value.find(
                                          read.pilot       ? "pilot"
                                          : read.hit       ? ": hit"
                                          : read.predicted ? ": miss"
                                                           : "no prediction") != std::string::npos;
                    QVERIFY2(said, section.rows[i].value.c_str());
                    hits += read.hit;
                    pilots += read.pilot;
                }
            }
            for (const KeyPrediction& key : keys) {
                QCOMPARE(key.reads, sums[key.key].first);
                QCOMPARE(key.hits, sums[key.key].second);
            }
        }
        QVERIFY(hits > 50 && pilots >= 4);
    }

    /// Each line is a what-if of the same run; most gain first, and none below what is worth it.
    void advice_rests_on_what_ifs() {
        for (const char* recipe : {"mixed", "mainnet-2026", "chained"})
            for (const Strategy strategy : execute::all_strategies) {
                const Recorded recorded = record(recipe, strategy);
                const RecordedWork work = work_of(recipe, recorded);
                const auto keys = rank_keys(work);
                const auto advice = advise(recorded.run, work, *keys);
                QVERIFY2(advice, advice ? "" : advice.error().message.c_str());
                double before = 1e9;
                for (const Advice& one : *advice) {
                    QVERIFY(one.gain() >= least_advised_gain && one.gain() <= before);
                    before = one.gain();
                    QVERIFY(!one.limit.empty() && !one.figure.empty());
                    QVERIFY(!one.plan.changes_nothing());
                    const auto again = what_if(work, one.plan);
                    QCOMPARE(again->predicted, one.predicted);
                    QCOMPARE(again->before, one.before);
                    QCOMPARE(one.why_not, why_not_replayable(recorded.run, one.plan));
                    QVERIFY(text_of(one).find(one.limit) != std::string::npos);
                }
            }
        // One counter chains all mints: the first line says so, and that predict ends it.
        const Recorded recorded = record("mainnet-2026", Strategy::speculative);
        const RecordedWork work = work_of("mainnet-2026", recorded);
        const auto advice = advise(recorded.run, work, *rank_keys(work));
        const auto found = std::find_if(advice->begin(), advice->end(), [](const Advice& one) {
            return one.limit.find("totalsupply") != std::string::npos;
        });
        QVERIFY(found != advice->end());
        QCOMPARE(found->plan.strategy, std::string("predict"));
        QVERIFY(found->why_not.empty());
    }

    void plans_that_make_no_sense_are_refused() {
        const Recorded recorded = record("mixed", Strategy::serial);
        const RecordedWork work = work_of("mixed", recorded);
        const auto why = [&](const WhatIfPlan& plan) {
            const auto result = what_if(work, plan);
            return result ? std::string() : result.error().message;
        };
        WhatIfPlan plan;
        plan.workers = 4;
        QVERIFY(why(plan).find("one thread") != std::string::npos);
        plan.strategy = "levels";
        QVERIFY(why(plan).empty());
        plan.keys = {{"storage:nothing", Relaxation::ignore, 2}};
        QVERIFY(why(plan).find("found none") != std::string::npos);
        plan.keys = {{"kind:storage", Relaxation::ignore, 2},
                     {"storage:*", Relaxation::commutative, 2}};
        QVERIFY(why(plan).find("found two") != std::string::npos);
        plan.keys = {{"storage:[", Relaxation::ignore, 2}};
        QVERIFY(!why(plan).empty());
        plan = {};
        plan.no_barrier = true;
        QVERIFY(why(plan).find("has none") != std::string::npos);
        plan = {};
        plan.batch_max = 4;
        QVERIFY(why(plan).find("no batches") != std::string::npos);
    }

    void relaxations_are_read() {
        for (const char* text : {"storage:2:0:/a=b=ignore", "x=commutative", "x=predicted",
                                 "x=split:2", "x=split:1024"})
            QVERIFY2(key_relaxation(text), text);
        QCOMPARE(key_relaxation("storage:2:0:/a=b=ignore")->key, std::string("storage:2:0:/a=b"));
        QCOMPARE(key_relaxation("x=split:7")->parts, 7U);
        for (const char* text : {"", "x", "=ignore", "x=", "x=Ignore", "x=split", "x=split:",
                                 "x=split:1", "x=split:1025", "x=split:3x", "x=split:-2"})
            QVERIFY2(!key_relaxation(text), text);
        WhatIfPlan plan;
        QVERIFY(plan.changes_nothing());
        QCOMPARE(text_of(plan), std::string("nothing changed"));
        plan.keys = {{"k", Relaxation::split, 3}};
        plan.workers = 8;
        plan.no_barrier = true;
        QCOMPARE(text_of(plan), std::string("k split into 3 keys; 8 workers; no barriers"));
        QVERIFY(!plan.changes_nothing());
    }

    /// Strategy, workers and limits can be replayed, and nothing that would change a result.
    void plans_are_verified_by_replay() {
        SilentProgress silent;
        const Recorded recorded = record("mixed", Strategy::levels);
        const RecordedWork work = work_of("mixed", recorded);
        const auto again = reopened(recorded.run);
        for (const Strategy strategy : execute::all_strategies) {
            WhatIfPlan plan;
            plan.strategy = name_of(strategy);
            if (strategy != Strategy::serial) plan.workers = 3;
            QCOMPARE(why_not_replayable(recorded.run, plan), std::string());
            const auto predicted = what_if(work, plan);
            QVERIFY(predicted);
            const auto replay =
                replay_what_if(recorded.run, *again, plan, *predicted, 2, silent, {});
            QVERIFY2(replay, replay ? "" : replay.error().message.c_str());
            QCOMPARE(replay->difference, std::string());
            QCOMPARE(replay->run.record.strategy, plan.strategy);
            QCOMPARE(replay->run.record.walls.size(), std::size_t{2});
            QCOMPARE(replay->wall.measured, *std::min_element(replay->run.record.walls.begin(),
                                                              replay->run.record.walls.end()));
            QCOMPARE(replay->wall.predicted, predicted->predicted);
            QVERIFY(replay->execute.measured > 0 &&
                    replay->execute.measured <= replay->wall.measured);
            QCOMPARE(replay->execute.predicted, predicted->execute);
            const auto keys = rank_keys(work);
            const QJsonObject json =
                QJsonDocument::fromJson(QByteArray::fromStdString(report::what_if_json(
                                            work, plan, *predicted, *keys, {}, {"kept", &*replay})))
                    .object();
            QCOMPARE(json[QStringLiteral("schema")].toString(),
                     QStringLiteral("blockloom.what_if/1"));
            QCOMPARE(json[QStringLiteral("windows")].toArray().size(), qsizetype{3});
            QCOMPARE(json[QStringLiteral("keys")].toArray().size(),
                     static_cast<qsizetype>(keys->size()));
            const QJsonObject shown = json[QStringLiteral("replay")].toObject();
            QCOMPARE(shown[QStringLiteral("measured_ns")].toInteger(), replay->wall.measured);
            QVERIFY(shown[QStringLiteral("difference")].isNull());
        }
        QCOMPARE(text_of(CheckedPrediction{900'000, 1'000'000}),
                 std::string("predicted 900 µs, measured 1.00 ms: off by −10.0 %"));
        QCOMPARE(text_of(CheckedPrediction{1'200'000, 1'000'000}),
                 std::string("predicted 1.20 ms, measured 1.00 ms: off by +20.0 %"));

        const auto refused = [&](auto change) {
            WhatIfPlan plan;
            KeptRun run = recorded.run;
            change(run, plan);
            return !why_not_replayable(run, plan).empty();
        };
        for (const Relaxation how :
             {Relaxation::ignore, Relaxation::commutative, Relaxation::split})
            QVERIFY(refused([&](KeptRun&, WhatIfPlan& plan) { plan.keys = {{"k", how, 2}}; }));
        QVERIFY(!refused([&](KeptRun&, WhatIfPlan& plan) {
            plan.keys = {{"k", Relaxation::predicted, 2}};
        }));
        QVERIFY(refused([](KeptRun&, WhatIfPlan& plan) { plan.free_commit = true; }));
        QVERIFY(refused([](KeptRun&, WhatIfPlan& plan) { plan.free_transfer = true; }));
        QVERIFY(refused([](KeptRun&, WhatIfPlan& plan) { plan.strategy = "magic"; }));
        QVERIFY(refused([](KeptRun& run, WhatIfPlan&) { run.backend = "vulkan"; }));
        QVERIFY(refused([](KeptRun& run, WhatIfPlan&) { run.looked_closer = true; }));
        QCOMPARE(refused([](KeptRun&, WhatIfPlan& plan) { plan.no_barrier = true; }),
                 !execute::strategy_named("dag").has_value());
    }

    void changed_results_are_found() {
        SilentProgress silent;
        Recorded recorded = record("mixed", Strategy::speculative);
        std::string& digest = recorded.run.blocks[1].digest;
        digest[3] = digest[3] == '0' ? '1' : '0';
        const auto again = reopened(recorded.run);
        const auto executed = execute_again(recorded.run, *again, silent, {});
        QVERIFY(!executed && executed.error().message.find("digest") != std::string::npos);
        const auto replay = replay_what_if(recorded.run, *again, {}, WhatIf{}, 1, silent, {});
        QVERIFY(replay);
        QVERIFY2(replay->difference.starts_with("block " +
                                                std::to_string(recorded.run.blocks[1].height)),
                 replay->difference.c_str());
        recorded.run.blocks[1].hash[0] = recorded.run.blocks[1].hash[0] == '0' ? '1' : '0';
        QVERIFY(!execute_again(recorded.run, *again, silent, {}));
        QVERIFY(!recorded_work(recorded.run, recorded.spans, executed_["mixed"]));
        recorded.spans.dropped = 1;
        QVERIFY(!recorded_work(recorded.run, recorded.spans, {}));
    }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "test_what_if.moc"
