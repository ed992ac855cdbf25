// Transactions one by one: graphs of what waits for what, versions that change while others read
// them, the flows of dag and optimistic, and replays by auto.
#include "execute/flow/graph_flow.h"
#include "execute/flow/key_readers.h"
#include "execute/flow/level_flow.h"
#include "execute/flow/live_versions.h"
#include "execute/flow/task_graph.h"
#include "execute/recording.h"
#include "execute/replayed_recipes.h"

#include "base/u128.h"
#include "execute/first_difference.h"
#include "execute/worker_pool.h"
#include "recipes/random.h"
#include "state/memory_state.h"

#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <array>
#include <deque>
#include <latch>
#include <map>
#include <numeric>
#include <set>
#include <thread>

using namespace blockloom;
using namespace blockloom::tests;
using execute::LiveVersions;
using execute::Strategy;
using execute::TaskGraph;
using execute::TaskGraphBuilder;

namespace {

/// A write set with these keys, sorted, all with one value.
class Writes {
public:
    Writes(const std::set<std::string>& keys, std::uint64_t value) : arena_(4096) {
        std::vector<std::string> sorted(keys.begin(), keys.end());
        set_ = state::WriteSet::made(
            arena_, sorted.size(), [&](std::size_t i) -> state::WriteSet::value_type {
                return {state::Key(sorted[i]), state::Value(u128_bytes(u128{value}))};
            });
    }
    [[nodiscard]] const state::WriteSet& set() const { return set_; }

private:
    Arena arena_;
    state::WriteSet set_;
};

execute::ReplayOptions by(Strategy strategy, unsigned workers) {
    execute::ReplayOptions options;
    static const auto contracts = std::make_shared<alkanes::Contracts>();
    options.contracts = contracts; // compiled once
    options.await_code = true;
    options.trace = false;
    options.strategy.strategy = strategy;
    options.strategy.workers = workers;
    return options;
}

/// A round whose tasks check what has run before them.
class OrderedRound final : public execute::FlowRound {
public:
    OrderedRound(const std::vector<std::vector<std::uint32_t>>& before,
                 const std::vector<std::uint32_t>& in_turn)
        : before_(before), in_turn_(in_turn), ran_(before.size()), made_(before.size()) {}

    [[nodiscard]] std::uint32_t task(std::uint32_t place) const noexcept override { return place; }
    [[nodiscard]] execute::Attempt attempt(std::uint32_t place,
                                           const state::StateView& view) override {
        execute::Attempt attempt;
        attempt.task = place;
        attempt.view = &view;
        return attempt;
    }
    void settle(std::uint32_t place) override {
        for (std::uint32_t earlier = 0; earlier < place; ++earlier) wrong_ += !ran_[earlier];
        settled_.push_back(place);
    }
    execute::Attempted run(const execute::Attempt& attempt) {
        for (const std::uint32_t earlier : before_[attempt.task]) wrong_ += !ran_[earlier];
        if (std::binary_search(in_turn_.begin(), in_turn_.end(), attempt.task))
            for (std::uint32_t earlier = 0; earlier < attempt.task; ++earlier)
                wrong_ += !ran_[earlier];
        wrong_ += ran_[attempt.task].exchange(true);
        return {};
    }
    [[nodiscard]] const execute::ExecutionResult*
    take(unsigned, std::uint32_t place, Result<execute::Attempted> attempted) override {
        wrong_ += !attempted.ok() || made_[place] != nullptr;
        made_[place] = std::make_unique<execute::ExecutionResult>();
        return made_[place].get();
    }
    [[nodiscard]] bool make_probes(std::uint32_t place, bool) override {
        wrong_ += made_[place] == nullptr;
        ++probed_;
        return true;
    }

    [[nodiscard]] int wrong() const { return wrong_; }
    [[nodiscard]] std::uint32_t probed() const { return probed_; }
    [[nodiscard]] const std::vector<std::uint32_t>& settled() const { return settled_; }

private:
    const std::vector<std::vector<std::uint32_t>>& before_;
    const std::vector<std::uint32_t>& in_turn_;
    std::vector<std::atomic<bool>> ran_;
    std::vector<std::unique_ptr<execute::ExecutionResult>> made_;
    std::vector<std::uint32_t> settled_;
    std::atomic<int> wrong_{0};
    std::atomic<std::uint32_t> probed_{0};
};

/// Until the flow is over for every worker; they leave it now and then.
void run_all(execute::WorkerPool& pool, execute::Flow& flow, OrderedRound& tasks) {
    pool.open([&](unsigned worker) {
        using Next = execute::Flow::Next;
        Next next;
        for (execute::Attempt attempt; (next = flow.next(worker, attempt)) == Next::attempt;)
            flow.done(worker, tasks.run(attempt));
        return next == Next::over;
    });
}

struct Totals {
    std::uint64_t tasks = 0, executions = 0, in_order = 0;
};
/// After the first two blocks: one deploys, one shows what there is.
Totals totals_of(const ReplayedBlocks& blocks) {
    Totals all;
    for (std::size_t i = 2; i < blocks.size(); ++i) {
        all.tasks += blocks[i]->execution->tasks;
        all.executions += blocks[i]->rounds.executions;
        all.in_order += blocks[i]->rounds.serial;
    }
    return all;
}

} // namespace

class TestFlows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Edges, levels, ranks, work and span of random sets, against what the definitions say.
    void graphs_are_those_of_the_sets() {
        recipes::Random random(7);
        for (int round = 0; round < 200; ++round) {
            const auto count = static_cast<std::uint32_t>(1 + random.below(60));
            const auto keys = static_cast<std::uint32_t>(1 + random.below(12));
            TaskGraphBuilder builder(keys);
            std::vector<std::set<std::uint32_t>> before(count);
            std::vector<std::uint64_t> costs;
            std::vector<std::uint32_t> writer(keys, count);
            for (std::uint32_t task = 0; task < count; ++task) {
                costs.push_back(1 + random.below(9));
                builder.add_task(costs.back());
                std::set<std::uint32_t> reads, writes;
                for (std::uint64_t i = random.below(4); i-- > 0;)
                    reads.insert(static_cast<std::uint32_t>(random.below(keys)));
                for (std::uint64_t i = random.below(3); i-- > 0;)
                    writes.insert(static_cast<std::uint32_t>(random.below(keys)));
                for (const std::uint32_t key : reads) {
                    builder.reads(key);
                    if (writer[key] != count) before[task].insert(writer[key]);
                }
                for (const std::uint32_t key : writes) {
                    builder.writes(key);
                    writer[key] = task;
                }
            }
            const TaskGraph graph = builder.make();
            std::size_t edges = 0;
            std::vector<std::uint64_t> from(count, 0); // costliest path that begins with the task
            for (std::uint32_t task = count; task-- > 0;) {
                QCOMPARE(std::size_t{graph.waits_for(task)}, before[task].size());
                edges += before[task].size();
                std::uint64_t after = 0;
                std::set<std::uint32_t> expected;
                for (std::uint32_t later = task + 1; later < count; ++later)
                    if (before[later].contains(task)) {
                        expected.insert(later);
                        after = std::max(after, from[later]);
                    }
                const auto found = graph.successors_of(task);
                QVERIFY(std::set(found.begin(), found.end()) == expected);
                from[task] = costs[task] + after;
            }
            QCOMPARE(graph.edges(), edges);
            QCOMPARE(graph.span(), *std::max_element(from.begin(), from.end()));
            QCOMPARE(graph.work(), std::accumulate(costs.begin(), costs.end(), std::uint64_t{0}));
            for (std::uint32_t task = 0; task < count; ++task) {
                std::uint32_t level = 0;
                for (const std::uint32_t earlier : before[task])
                    level = std::max(level, graph.level_of(earlier));
                QCOMPARE(graph.level_of(task), level + 1);
                QCOMPARE(graph.at_rank(graph.rank_of(task)), task);
                const auto step_of = [&](std::uint32_t of) { return from[of] * 64 / graph.span(); };
                for (std::uint32_t other = 0; other < count; ++other)
                    if (step_of(other) > step_of(task) ||
                        (step_of(other) == step_of(task) && other < task))
                        QVERIFY(graph.rank_of(other) < graph.rank_of(task));
            }
        }
    }

    /// Random graphs, some of whose tasks wait for their turn, on one to four workers that leave
    /// for other tasks now and then. In some graphs one task releases more than a worker keeps.
    void each_task_runs_once_and_when_it_may() {
        recipes::Random random(5);
        LiveVersions versions;
        for (unsigned workers = 1; workers <= 4; ++workers) {
            execute::WorkerPool pool(workers);
            for (int round = 0; round < 60; ++round) {
                const bool wide = round % 6 == 5;
                const auto count = static_cast<std::uint32_t>(1 + random.below(wide ? 300 : 60));
                std::vector<std::vector<std::uint32_t>> before(count);
                std::vector<std::uint32_t> in_turn;
                TaskGraphBuilder builder(0);
                for (std::uint32_t task = 0; task < count; ++task) {
                    builder.add_task(1 + random.below(9));
                    for (std::uint64_t i = random.below(3); task != 0 && i > 0; --i) {
                        before[task].push_back(
                            static_cast<std::uint32_t>(random.below(wide ? 1 : task)));
                        builder.waits_for(before[task].back());
                    }
                    if (random.below(round % 2 == 0 ? 4 : 60) == 0) in_turn.push_back(task);
                }
                const TaskGraph graph = builder.make();
                OrderedRound tasks(before, in_turn);
                const state::MemoryState below;
                const std::vector<std::unique_ptr<execute::ExecutionResult>> none(count);
                execute::GraphFlow flow(graph, versions, in_turn);
                flow.begin({tasks, count, below, 0, none, pool});
                std::vector<execute::WorkerPool::Task> beside;
                for (int i = 0; i < 3; ++i) beside.push_back(pool.post([](unsigned) {}));
                run_all(pool, flow, tasks);
                for (const auto& task : beside) pool.wait_for(task);
                QVERIFY(flow.is_complete());
                QCOMPARE(tasks.wrong(), 0);
                QCOMPARE(tasks.probed(), count);
                QCOMPARE(tasks.settled(), in_turn);
            }
        }
    }

    /// Random levels on one to four workers: a task begins when all of the levels before its own
    /// have run.
    void a_level_begins_when_the_one_before_has_run() {
        recipes::Random random(6);
        LiveVersions versions;
        for (unsigned workers = 1; workers <= 4; ++workers) {
            execute::WorkerPool pool(workers);
            for (int round = 0; round < 60; ++round) {
                const auto count = static_cast<std::uint32_t>(1 + random.below(60));
                std::vector<std::vector<std::uint32_t>> levels(1 + random.below(8)), before(count);
                for (std::uint32_t task = 0; task < count; ++task)
                    levels[random.below(levels.size())].push_back(task);
                std::erase_if(levels, [](const auto& level) { return level.empty(); });
                std::vector<std::uint32_t> lower;
                for (const auto& level : levels) {
                    for (const std::uint32_t task : level) before[task] = lower;
                    lower.insert(lower.end(), level.begin(), level.end());
                }
                const std::vector<std::uint32_t> in_turn;
                OrderedRound tasks(before, in_turn);
                const state::MemoryState below;
                const std::vector<std::unique_ptr<execute::ExecutionResult>> none(count);
                execute::LevelFlow flow(levels, versions);
                flow.begin({tasks, count, below, 0, none, pool});
                run_all(pool, flow, tasks);
                QVERIFY(flow.is_complete());
                QCOMPARE(tasks.wrong(), 0);
                QCOMPARE(tasks.probed(), count);
            }
        }
    }

    /// While one task of a level runs, a worker gets none of the next level, and its lane shows
    /// that it waited.
    void who_waits_at_a_barrier_is_recorded() {
        using Next = execute::Flow::Next;
        const std::vector<std::vector<std::uint32_t>> levels{{1, 3}, {0, 2}};
        const std::vector<std::vector<std::uint32_t>> before{{1, 3}, {}, {1, 3}, {}};
        const std::vector<std::uint32_t> in_turn;
        OrderedRound tasks(before, in_turn);
        const state::MemoryState below;
        const std::vector<std::unique_ptr<execute::ExecutionResult>> none(before.size());
        LiveVersions versions;
        std::latch is_busy(1), may_end(1);
        execute::WorkerPool pool(2);
        execute::Recording recording;
        recording.prepare(2);
        execute::LevelFlow flow(levels, versions);
        flow.begin({tasks, 4, below, 0, none, pool, &recording});
        // The pool's own worker is busy and has another task, for which whoever waits here leaves.
        const auto busy = pool.post([&](unsigned) {
            is_busy.count_down();
            may_end.wait();
        });
        auto release = qScopeGuard([&] { may_end.count_down(); });
        is_busy.wait();
        const auto ready = pool.post([](unsigned) {});
        std::array<execute::Attempt, 2> attempts;
        QVERIFY(flow.next(0, attempts[0]) == Next::attempt);
        QVERIFY(flow.next(1, attempts[1]) == Next::attempt);
        QCOMPARE(attempts[0].task, 1U);
        QCOMPARE(attempts[1].task, 3U);
        flow.done(1, tasks.run(attempts[1]));
        QVERIFY(flow.next(1, attempts[1]) == Next::later);
        flow.done(0, tasks.run(attempts[0]));
        for (const std::uint32_t task : {0U, 2U}) {
            QVERIFY(flow.next(1, attempts[1]) == Next::attempt);
            QCOMPARE(attempts[1].task, task);
            flow.done(1, tasks.run(attempts[1]));
        }
        QVERIFY(flow.is_complete());
        QCOMPARE(tasks.wrong(), 0);
        release.dismiss();
        may_end.count_down();
        for (const auto& task : {busy, ready}) pool.wait_for(task);
        const profile::Trace trace = recording.finish();
        std::vector<std::string> waited;
        for (const profile::Lane& lane : trace.lanes)
            for (const profile::Span& span : lane.spans)
                if (span.category == profile::Category::wait) waited.push_back(lane.name);
        QCOMPARE(waited, std::vector<std::string>{"worker 1"});
    }

    /// Chains by exact sets: every task runs once, in one round, however many levels there are.
    void levels_are_one_round() {
        const auto sources = sources_of("amm", 96, 3);
        const auto truth = replay(sources, by(Strategy::serial, 1));
        const auto blocks = replay(sources, by(Strategy::levels, 2));
        QVERIFY(truth.ok() && blocks.ok());
        for (std::size_t i = 0; i < truth->size(); ++i) {
            QCOMPARE(execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution),
                     std::string());
            QCOMPARE((*blocks)[i]->rounds.executions,
                     std::uint64_t{(*blocks)[i]->execution->tasks});
            QCOMPARE((*blocks)[i]->rounds.batches.size(), std::size_t{1});
        }
    }

    /// Random publications, estimates and withdrawals, against a map. Every third table is too
    /// small for its keys.
    void versions_are_those_of_the_latest_writer_below() {
        recipes::Random random(11);
        LiveVersions versions;
        for (int round = 0; round < 60; ++round) {
            const std::uint64_t names = round % 3 == 0 ? 300 : 30;
            versions.begin(round % 3 == 0 ? 1 : 40);
            std::vector<std::unique_ptr<Writes>> kept;
            std::deque<state::Key> estimated;
            std::map<std::string, std::map<std::uint32_t, const state::Value*>> model;
            std::vector<const Writes*> latest(40, nullptr);
            const auto random_name = [&] { return "k" + std::to_string(random.below(names)); };
            for (std::uint64_t i = 0; i < names; ++i) {
                std::vector<std::uint32_t> tasks;
                for (std::uint32_t task = 0; task < latest.size(); ++task)
                    if (random.below(40) == 0) tasks.push_back(task);
                const std::string name = random_name();
                versions.estimate(estimated.emplace_back(name), tasks);
                for (const std::uint32_t task : tasks) model[name][task] = nullptr;
            }
            for (int step = 0; step < 200; ++step) {
                const auto task = static_cast<std::uint32_t>(random.below(latest.size()));
                if (latest[task] != nullptr && random.below(4) == 0) {
                    versions.estimate(task, latest[task]->set());
                    for (const auto& [key, value] : latest[task]->set())
                        model[std::string(key.bytes())][task] = nullptr;
                    continue;
                }
                if (random.below(4) == 0) {
                    const std::string name = random_name();
                    versions.withdraw(task, state::Key(name));
                    model[name].erase(task);
                }
                std::set<std::string> keys;
                for (std::uint64_t i = random.below(5); i-- > 0;) keys.insert(random_name());
                const Writes& now = *kept.emplace_back(
                    std::make_unique<Writes>(keys, static_cast<std::uint64_t>(step) + 1));
                bool any_new = false;
                for (const auto& [key, value] : now.set())
                    any_new = any_new || latest[task] == nullptr ||
                              state::written(latest[task]->set(), key) == nullptr;
                QCOMPARE(versions.publish(task, now.set(),
                                          latest[task] == nullptr ? nullptr : &latest[task]->set()),
                         any_new);
                if (latest[task] != nullptr)
                    for (const auto& [key, value] : latest[task]->set())
                        model[std::string(key.bytes())].erase(task);
                for (const auto& [key, value] : now.set())
                    model[std::string(key.bytes())][task] = &value;
                latest[task] = &now;
            }
            for (std::uint64_t key = 0; key <= names; ++key)
                for (std::uint32_t task = 0; task <= latest.size(); ++task) {
                    const std::string name = "k" + std::to_string(key);
                    const auto& of_key = model[name];
                    const auto next = of_key.upper_bound(task);
                    QCOMPARE(versions.next_writer_above(task, state::Key(name)),
                             next == of_key.end() ? LiveVersions::nobody : next->first);
                    const auto above = of_key.lower_bound(task);
                    const auto found = versions.latest_below(task, state::Key(name));
                    if (above == of_key.begin()) {
                        QCOMPARE(found.writer, LiveVersions::nobody);
                        continue;
                    }
                    QCOMPARE(found.writer, std::prev(above)->first);
                    QCOMPARE(found.value, std::prev(above)->second);
                }
        }
    }

    /// Random readers, against a map; some keys have more than a cache line has room for, and those
    /// of the round before are forgotten.
    void readers_of_a_key_are_found() {
        recipes::Random random(12);
        execute::KeyReaders readers;
        for (int round = 0; round < 40; ++round) {
            readers.begin(static_cast<std::size_t>(1 + round)); // at least as many lists as keys
            std::vector<std::set<std::uint32_t>> model(20);
            for (int step = 0; step < 300; ++step) {
                const std::uint64_t key = random.below(random.below(2) == 0 ? 3 : model.size());
                const auto place = static_cast<std::uint32_t>(random.below(60));
                readers.add(key, place);
                model[key].insert(place);
            }
            for (std::uint64_t key = 0; key < model.size(); ++key)
                for (std::uint32_t place = 0; place < 60; ++place) {
                    std::set<std::uint32_t> found;
                    readers.each_above(place, key,
                                       [&](std::uint32_t reader) { found.insert(reader); });
                    QVERIFY(found == std::set(model[key].upper_bound(place), model[key].end()));
                }
        }
    }

    /// A task that runs again and again reads the same keys each time.
    void readers_that_repeat_take_no_room() {
        execute::KeyReaders readers;
        readers.begin(1);
        constexpr std::uint32_t tasks = 50;
        for (std::uint32_t repeat = 0; repeat < 1000; ++repeat)
            for (std::uint32_t place = 1; place <= tasks; ++place) readers.add(7, place);
        std::size_t found = 0;
        readers.each_above(0, 7, [&](std::uint32_t) { ++found; });
        QVERIFY2(found >= tasks && found < 256, qPrintable(QString::number(found)));
    }

    /// Stored code is looked up without a log entry: it must never disappear.
    void stored_code_is_never_taken_back() {
        LiveVersions versions;
        const std::string code = std::string(1, '\6') + "hash", other = "k";
        const Writes first({code, other}, 1), second({other}, 2);
        versions.begin(4);
        versions.publish(3, first.set(), nullptr);
        versions.estimate(3, first.set());
        QVERIFY(versions.latest_below(4, state::Key(code)).value != nullptr);
        QVERIFY(versions.latest_below(4, state::Key(other)).value == nullptr);
        versions.publish(3, second.set(), &first.set());
        QVERIFY(versions.latest_below(4, state::Key(code)).value != nullptr);
        QVERIFY(versions.latest_below(3, state::Key(code)).writer == LiveVersions::nobody);
    }

    /// Readers see a whole value of some writer below them, whatever is published meanwhile.
    void readers_beside_writers() {
        LiveVersions versions;
        versions.begin(400);
        std::vector<std::unique_ptr<Writes>> kept;
        for (std::uint32_t i = 0; i < 400; ++i)
            kept.push_back(std::make_unique<Writes>(
                std::set<std::string>{"a", "b" + std::to_string(i % 7)}, i + 1));
        std::atomic<bool> wrong{false}, over{false};
        std::vector<std::jthread> readers;
        for (std::uint32_t reader = 1; reader <= 3; ++reader)
            readers.emplace_back([&, reader] {
                const std::uint32_t task = 100 * reader;
                while (!over) {
                    const auto found = versions.latest_below(task, state::Key("a"));
                    if (found.writer == LiveVersions::nobody) continue;
                    if (found.writer >= task || found.value == nullptr ||
                        state::counter_of(*found.value) != found.writer + 1)
                        wrong = true;
                }
            });
        for (std::uint32_t i = 0; i < 400; ++i)
            versions.publish((i * 37) % 400, kept[(i * 37) % 400]->set(), nullptr);
        over = true;
        readers.clear();
        QVERIFY(!wrong);
        QCOMPARE(versions.latest_below(400, state::Key("a")).writer, std::uint32_t{399});
    }

    /// Once it has seen a block, nearly everything runs once; in block order only where each
    /// transaction waits for the one before.
    void learned_sets_suffice_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("strategy");
        for (const Strategy strategy : {Strategy::dag, Strategy::optimistic})
            for (const char* recipe : {"independent", "chained", "mixed", "mainnet-2025"})
                QTest::addRow("%s %s", recipe, name_of(strategy))
                    << QString::fromLatin1(recipe) << static_cast<int>(strategy);
    }
    void learned_sets_suffice() {
        QFETCH(QString, recipe);
        QFETCH(int, strategy);
        const auto sources = sources_of(recipe.toLatin1().constData(), 600, 5);
        const auto serial = replay(sources, by(Strategy::serial, 1));
        const auto done = replay(sources, by(static_cast<Strategy>(strategy), 3));
        QVERIFY(serial.ok() && done.ok());
        const ReplayedBlocks &truth = *serial, &blocks = *done;
        for (std::size_t i = 0; i < truth.size(); ++i) {
            const std::string text =
                execute::first_difference(*blocks[i]->execution, *truth[i]->execution);
            QVERIFY2(text.empty(), text.c_str());
        }
        const Totals all = totals_of(blocks);
        qInfo("%llu tasks, %llu executions, %llu in order",
              static_cast<unsigned long long>(all.tasks),
              static_cast<unsigned long long>(all.executions),
              static_cast<unsigned long long>(all.in_order));
        QVERIFY(all.executions <= all.tasks + all.tasks / 2);
        if (recipe == QLatin1String("mainnet-2025")) {
            QVERIFY(all.in_order >= all.tasks - all.tasks / 10);
            QVERIFY(blocks.back()->rounds.choice.starts_with("serial: dependencies allow only 1."));
        } else {
            QVERIFY(all.in_order <= all.tasks / 10);
            QVERIFY(blocks.back()->rounds.choice.empty());
        }
    }

    void unknown_windows_are_the_serial_ones() {
        const auto sources = sources_of("independent", 300, 10, 0); // a contract for each task
        const auto truth = replay(sources, by(Strategy::serial, 1));
        const auto done = replay(sources, by(Strategy::automatic, 4));
        QVERIFY(truth.ok() && done.ok());
        int at_once = 0;
        for (std::size_t i = 0; i < done->size(); ++i) {
            QVERIFY((*done)[i]->execution->digest == (*truth)[i]->execution->digest);
            at_once += (*done)[i]->rounds.choice.starts_with("speculative: nothing was known");
        }
        QVERIFY2(at_once >= 4, qPrintable(QString::number(at_once)));
    }

    /// Each block says what was chosen, and why.
    void auto_says_what_it_chose() {
        const auto done = replay(sources_of("independent", 200, 4), by(Strategy::automatic, 2));
        QVERIFY(done.ok());
        const ReplayedBlocks& blocks = *done;
        const std::string& first = blocks.front()->rounds.choice;
        QVERIFY2(first.starts_with("predict: nothing is known"), first.c_str());
        const std::string& last = blocks.back()->rounds.choice;
        QVERIFY2(last.find(": ") != std::string::npos && !last.starts_with("predict: nothing"),
                 last.c_str());
    }
};

QTEST_APPLESS_MAIN(TestFlows)
#include "test_flows.moc"
