// A replay that is watched and held while it runs: what it tells is what it did, and a pause
// changes no result and is no part of any time.
#include "execute/live_run.h"
#include "headers/waiting.h"

#include "execute/recording.h"
#include "execute/replayed_recipes.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace blockloom;
using namespace blockloom::execute;

namespace {

std::shared_ptr<LiveRun> live_run() {
    return std::make_shared<LiveRun>(
        LiveSettings{"cpu", "this processor", "interpreter", "speculative", 1});
}

ReplayOptions options_of(Strategy strategy, std::shared_ptr<LiveRun> live) {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    options.strategy.strategy = strategy;
    options.strategy.workers = 3;
    options.live = std::move(live);
    return options;
}

/// A replay on a thread of its own.
class Replaying {
public:
    Replaying(const std::vector<ReplaySource>& sources, const ReplayOptions& options,
              const state::StateView* before, std::function<void()> after_first = {})
        : thread_([=, this](const std::stop_token& stop) {
              SilentProgress silent;
              const Nanoseconds begin = now_ns();
              summary = replay_on(
                  before, sources, options, false,
                  [&](const std::shared_ptr<const ReplayedBlock>& block) {
                      digests.push_back(block->execution->digest);
                      phases += block->phases;
                      if (digests.size() == 1 && after_first) after_first();
                      return Status();
                  },
                  silent, stop);
              real = now_ns() - begin;
              over = true;
          }) {}
    void cancel() { thread_.request_stop(); }
    void join() {
        if (thread_.joinable()) thread_.join();
    }

    std::atomic<bool> over{false};
    Result<ReplaySummary> summary = cancelled_error();
    std::vector<Hash256> digests;
    Phases phases;
    Nanoseconds real = 0; ///< from its begin to its end, pauses included

private:
    std::jthread thread_;
};

std::vector<Hash256> digests_of(const std::vector<ReplaySource>& sources,
                                const ReplayOptions& options) {
    std::vector<Hash256> digests;
    const auto blocks = tests::replay(sources, options);
    for (const auto& block : *blocks) digests.push_back(block->execution->digest);
    return digests;
}

/// An empty state that closes the gate while a task reads it.
class PausingState final : public state::StateView {
public:
    PausingState(PauseGate& gate, int at) : gate_(gate), left_(at) {}
    Result<state::Value> get(const state::KeyView&) const override {
        if (--left_ == 0) gate_.pause();
        return state::Value();
    }

private:
    PauseGate& gate_;
    mutable std::atomic<int> left_;
};

ReplayedBlock finished_block(std::uint64_t height, std::uint64_t tasks) {
    alkanes::BlockExecution execution;
    execution.height = height;
    execution.tasks = execution.messages = tasks;
    execution.succeeded = tasks - 1;
    ReplayedBlock block;
    block.execution = std::make_shared<const alkanes::BlockExecution>(std::move(execution));
    block.phases[Phase::execute] = 1000;
    block.rounds.executions = tasks + 2;
    block.rounds.batches = {tasks};
    return block;
}

} // namespace

class LiveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tells_what_was_done_data() {
        QTest::addColumn<int>("strategy");
        QTest::newRow("serial") << static_cast<int>(Strategy::serial);
        QTest::newRow("levels") << static_cast<int>(Strategy::levels);
        QTest::newRow("speculative") << static_cast<int>(Strategy::speculative);
    }
    void tells_what_was_done() {
        QFETCH(int, strategy);
        const auto sources = tests::sources_of("mixed", 60, 3);
        const auto live = live_run();
        const auto options = options_of(static_cast<Strategy>(strategy), live);
        const auto blocks = tests::replay(sources, options);
        QVERIFY(blocks);
        live->finish();
        const auto reported = live->latest();
        QCOMPARE(reported->state, LiveState::finished);
        LiveCounts truth;
        Phases phases;
        for (const auto& block : *blocks) {
            ++truth.blocks;
            truth.tasks += block->execution->tasks;
            truth.succeeded += block->execution->succeeded;
            truth.reverted += block->execution->messages - block->execution->succeeded;
            truth.executions += block->rounds.executions;
            truth.rounds += block->rounds.rounds;
            truth.batches += block->rounds.batches.size();
            phases += block->phases;
        }
        QVERIFY(truth.tasks > 0);
        QCOMPARE(reported->blocks, std::uint64_t{3});
        QCOMPARE(reported->done.blocks, truth.blocks);
        QCOMPARE(reported->done.tasks, truth.tasks);
        QCOMPARE(reported->done.succeeded, truth.succeeded);
        QCOMPARE(reported->done.reverted, truth.reverted);
        QCOMPARE(reported->done.redone(), truth.executions - truth.tasks);
        QCOMPARE(reported->done.rounds, truth.rounds);
        QCOMPARE(reported->done.batches, truth.batches);
        QCOMPARE(reported->phases.sum(), phases.sum());
        QVERIFY(reported->tried > 0);
        QVERIFY(reported->busy > 0);
        QVERIFY(reported->busy_share() > 0 && reported->busy_share() <= 1);
        QVERIFY(reported->tasks_a_second() > 0 && reported->blocks_a_second() > 0);
        QCOMPARE(reported->stretches->size(), std::size_t{3});
        QCOMPARE(reported->stretches->at(1).wall, (*blocks)[1]->phases.sum());
        QCOMPARE(reported->workers, strategy == static_cast<int>(Strategy::serial) ? 1U : 3U);
        QCOMPARE(live->latest(), reported); // nothing more will come
    }

    void nothing_is_made_that_nobody_looks_at() {
        const auto live = live_run();
        live->expect(1, 1);
        for (std::uint64_t i = 0; i < 100'000; ++i) {
            live->tried(0, 1);
            live->at_hand({i, i, 1, 1}, {});
        }
        QCOMPARE(live->made(), std::uint64_t{0});
        const auto newest = live->latest();
        QCOMPARE(newest->tried, std::uint64_t{100'000});
        QCOMPARE(newest->window.accepted, std::uint64_t{99'999}); // the newest replaced the others
        QCOMPARE(live->made(), std::uint64_t{1});
    }

    void a_pause_stands_still_and_is_no_part_of_a_time() {
        const auto sources = tests::sources_of("mixed", 40, 3);
        const auto expected = digests_of(sources, options_of(Strategy::speculative, nullptr));
        const auto live = live_run();
        auto options = options_of(Strategy::speculative, live);
        options.recording = std::make_shared<Recording>();
        Replaying replaying(sources, options, nullptr, [&] { live->gate().pause(); });
        WAIT_UNTIL(live->latest()->state == LiveState::paused);
        const auto first = live->latest();
        QVERIFY(live->gate().waiting() >= 1U);
        WAIT_UNTIL(live->latest()->number > first->number + 3);
        const auto later = live->latest();
        QCOMPARE(later->done.blocks, std::uint64_t{1});
        QCOMPARE(later->tried, first->tried);
        QCOMPARE(later->phases.ns, first->phases.ns);
        QCOMPARE(later->elapsed, first->elapsed);
        QVERIFY(later->paused > first->paused);

        live->gate().resume();
        WAIT_UNTIL(replaying.over);
        replaying.join();
        live->finish();
        QVERIFY(replaying.summary);
        QCOMPARE(replaying.digests, expected);
        const auto last = live->latest();
        QVERIFY(last->paused >= later->paused);
        QVERIFY(replaying.summary->wall + last->paused <= replaying.real);
        QVERIFY(replaying.phases.sum() <= replaying.summary->wall);
        const auto pauses = live->pauses();
        QCOMPARE(pauses.size(), std::size_t{1});
        QCOMPARE(pauses[0].end - pauses[0].begin, last->paused);
        // The timeline shows it.
        const profile::Trace trace = options.recording->finish();
        std::size_t spans = 0;
        for (const profile::Span& span : trace.lanes[0].spans)
            spans += trace.names[span.name] == "paused" && span.duration() == last->paused;
        QCOMPARE(spans, std::size_t{1});
    }

    void pauses_between_the_tasks_of_a_round_data() { tells_what_was_done_data(); }
    void pauses_between_the_tasks_of_a_round() {
        QFETCH(int, strategy);
        const auto sources = tests::sources_of("mixed", 80, 2);
        const auto how = static_cast<Strategy>(strategy);
        const auto expected = digests_of(sources, options_of(how, nullptr));
        const auto live = live_run();
        // The first reads are those of the input's sheets, before any task runs.
        const PausingState state(live->gate(), 200);
        Replaying replaying(sources, options_of(how, live), &state);
        WAIT_UNTIL(live->gate().waiting() > 0);
        QVERIFY(!replaying.over);
        const auto before = live->latest();
        live->gate().resume();
        WAIT_UNTIL(replaying.over);
        replaying.join();
        QVERIFY(replaying.summary);
        QCOMPARE(replaying.digests, expected);
        QVERIFY(live->latest()->tried >= before->tried);
        QVERIFY(replaying.phases.sum() <= replaying.summary->wall);
        QVERIFY(replaying.summary->wall + live->latest()->paused <= replaying.real);
    }

    void a_paused_replay_can_be_cancelled() {
        // More blocks than a pipeline has in flight.
        const auto sources = tests::sources_of("mixed", 40, 12);
        const auto live = live_run();
        Replaying replaying(sources, options_of(Strategy::speculative, live), nullptr,
                            [&] { live->gate().pause(); });
        WAIT_UNTIL(live->latest()->state == LiveState::paused);
        QCOMPARE(live->latest()->done.blocks, std::uint64_t{1});
        replaying.cancel();
        WAIT_UNTIL(replaying.over);
        replaying.join();
        QVERIFY(!replaying.summary);
        QCOMPARE(replaying.summary.error().code, ErrorCode::cancelled);
        // Blocks that were finished by then are reported.
        QVERIFY(!replaying.digests.empty() && replaying.digests.size() < sources.size());
    }

    void a_pause_that_nobody_met_counts_nothing() {
        PauseGate gate;
        gate.pause();
        gate.resume();
        QCOMPARE(gate.ended_pauses(), Nanoseconds{0});
        QVERIFY(gate.pauses().empty());
    }

    void a_long_run_takes_no_more_room() {
        const auto live = live_run();
        live->begin_repetition(1);
        constexpr std::uint64_t count = 3000;
        for (std::uint64_t height = 1; height <= count; ++height)
            live->finished(finished_block(height, 5));
        const auto reported = live->latest();
        QVERIFY(reported->stretches->size() <= most_stretches);
        QVERIFY(reported->stretches->size() > most_stretches / 3);
        std::uint64_t blocks = 0, tasks = 0, next = 1;
        Nanoseconds wall = 0;
        for (const LiveStretch& stretch : *reported->stretches) {
            QCOMPARE(stretch.first_height, next);
            next = stretch.last_height + 1;
            QCOMPARE(next - stretch.first_height, stretch.blocks);
            blocks += stretch.blocks;
            tasks += stretch.tasks;
            wall += stretch.wall;
        }
        QCOMPARE(blocks, count);
        QCOMPARE(tasks, 5 * count);
        QCOMPARE(wall, Nanoseconds{1000 * count});
        QCOMPARE(reported->done.redone(), 2 * count);
        QCOMPARE(reported->done.reverted, count);
    }

    void each_repetition_begins_anew() {
        const auto live = live_run();
        live->watch({});
        live->begin_repetition(1);
        live->tried(0, 10);
        live->finished(finished_block(1, 5));
        live->begin_repetition(2);
        auto reported = live->latest();
        QCOMPARE(reported->repetition, 2U);
        QCOMPARE(reported->done.blocks, std::uint64_t{0});
        QCOMPARE(reported->tried, std::uint64_t{0});
        QVERIFY(reported->stretches->empty());
        live->finished(finished_block(1, 5));
        live->finish();
        // What is sampled continues to count: throughput over the whole run.
        const auto usage = live->usage();
        QVERIFY(usage != nullptr);
        const auto* tasks = usage->find(profile::Quantity::tasks);
        QVERIFY(tasks != nullptr);
        QCOMPARE(tasks->values.back(), std::int64_t{10});
        QCOMPARE(usage->find(profile::Quantity::tried)->values.back(), std::int64_t{1});
    }
};

QTEST_APPLESS_MAIN(LiveTest)
#include "test_live.moc"
