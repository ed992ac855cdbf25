// The committer: whatever is tried on whatever values, the blocks are those of the serial run.
#include "execute/flow/flow_rounds.h"
#include "execute/predict/predicted_values.h"
#include "execute/predict/task_kinds.h"
#include "execute/round_strategies.h"
#include "execute/scripted_window.h"

#include "recipes/random.h"

#include <QTest>

#include <atomic>
#include <map>
#include <numeric>
#include <optional>

using namespace blockloom;
using namespace scripted;
using execute::Hints;
using execute::StrategyOptions;
using execute::WindowExecution;

namespace {

u128 number(state::Overlay& overlay, const std::string& key) {
    const auto value = overlay.get(key);
    return value ? state::counter_of(*value) : 0;
}

void put(state::Overlay& overlay, const std::string& key, u128 value) {
    overlay.set(key, value == 0 ? state::Value() : state::Value(u128_bytes(value)));
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    bool given = false;
    const auto value = qEnvironmentVariable(name).toULongLong(&given);
    return given ? value : otherwise;
}

/// A strategy over scripted blocks, with what it needs.
struct Bench {
    explicit Bench(unsigned workers) : pool(workers), executor(pool) {}

    Result<WindowExecution> run(const Contexts& contexts, const StrategyOptions& strategy,
                                const std::function<void(Hints&)>& distort = {},
                                const std::stop_token& stop = {},
                                execute::RoundStrategy* rounds = nullptr) {
        alkanes::TransactionOptions options;
        options.stop = stop;
        execute::WindowRun window(contexts, before, strategy, options, executor, executor, pool,
                                  check);
        if (const Status listed = window.list(); !listed) return listed.error();
        auto hints = window.find_hints();
        if (!hints) return hints.error();
        if (distort) distort(*hints);
        SilentProgress silent;
        const auto own = execute::make_rounds(strategy, *hints, memory);
        auto made = window.perform(*hints, rounds != nullptr ? *rounds : *own, silent);
        gas = window.gas();
        return made;
    }

    execute::WorkerPool pool;
    ScriptExecutor executor;
    execute::AcceptanceCheck check;
    execute::StrategyMemory memory;
    state::MemoryState before;
    std::uint64_t gas = 0; ///< of the latest window
};

/// Leaves everything to block order.
class NoRounds final : public execute::RoundStrategy {
public:
    bool next(const execute::WindowNow&, execute::Round&) override { return false; }
};

/// Runs any tasks, on values that it makes up.
class MadeUpRounds final : public execute::RoundStrategy {
public:
    MadeUpRounds(std::uint64_t seed, std::uint32_t keys) : random_(seed) {
        for (std::uint32_t i = 0; i < keys; ++i) keys_.emplace_back("k" + std::to_string(i));
        keys_.emplace_back("counter");
        keys_.emplace_back("out");
    }

    bool next(const execute::WindowNow& now, execute::Round& round) override {
        if (now.accepted == now.tasks.size() || ++rounds_ == 12) return false;
        values_.clear();
        const std::uint64_t share = 1 + random_.below(4), lies = random_.below(4);
        for (std::uint32_t task = now.accepted; task < now.tasks.size(); ++task) {
            if (task != now.accepted && random_.below(share) != 0) continue;
            for (std::uint64_t i = random_.below(lies + 1); i-- > 0; ++given_)
                values_.give(keys_[random_.below(keys_.size())],
                             random_.below(4) == 0
                                 ? state::Value()
                                 : state::Value(u128_bytes(u128{1 + random_.below(3)})));
            values_.end_task(random_.below(4) == 0  ? random_.below(100'000'000)
                             : now.check == nullptr ? 3'500'000
                                                    : now.check->budget(task));
            round.tasks.push_back(task);
        }
        round.predicted = &values_;
        return true;
    }
    [[nodiscard]] std::uint64_t given() const noexcept { return given_; }

private:
    recipes::Random random_;
    std::vector<state::Key> keys_;
    execute::PredictedValues values_;
    int rounds_ = 0;
    std::uint64_t given_ = 0;
};

/// Passes on a strategy's rounds, and keeps of each the blocks of its first and its last task.
class WatchedRounds final : public execute::RoundStrategy {
public:
    explicit WatchedRounds(execute::RoundStrategy& watched) : watched_(watched) {}
    bool next(const execute::WindowNow& now, execute::Round& round) override {
        if (!watched_.next(now, round)) return false;
        blocks.emplace_back(now.tasks[round.tasks.front()].block,
                            now.tasks[round.tasks.back()].block);
        return true;
    }

    std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;

private:
    execute::RoundStrategy& watched_;
};

/// Runs the first half of a window, and keeps which examples are asked for before and after.
class HalfRounds final : public execute::RoundStrategy {
public:
    explicit HalfRounds(execute::StrategyMemory& memory) : memory_(memory) {}
    bool next(const execute::WindowNow& now, execute::Round& round) override {
        if (!expected_) {
            expected_.emplace(memory_, now);
            before = expected_->take_examples();
            again = expected_->take_examples();
            round.tasks.resize(now.tasks.size() / 2);
            std::iota(round.tasks.begin(), round.tasks.end(), 0);
            return true;
        }
        accepted = now.accepted;
        expected_->forget_accepted(now);
        after = expected_->take_examples();
        return false;
    }

    std::vector<std::uint32_t> before, again, after;
    std::uint32_t accepted = 0;

private:
    execute::StrategyMemory& memory_;
    std::optional<execute::ExpectedTasks> expected_;
};

/// Random transactions over few keys: conditional, blind and silent writes, counters, rollbacks,
/// several tasks, voids, and fuel that may not be there.
Script random_script(std::uint64_t seed, std::uint32_t keys) {
    return [=](state::Overlay& overlay, alkanes::FuelUse& fuel) {
        recipes::Random random(seed);
        const auto key = [&] { return "k" + std::to_string(random.below(keys)); };
        const std::uint64_t tasks = 1 + random.below(3) / 2;
        for (std::uint64_t task = 0; task < tasks; ++task) {
            if (task != 0) {
                if (!overlay.end_task()) return false; // the state behind it failed
                overlay.begin_task();
            }
            u128 seen = 0;
            for (std::uint64_t step = 1 + random.below(6); step-- > 0;) switch (random.below(7)) {
                case 0:
                    seen += number(overlay, key());
                    break;
                case 1:
                    put(overlay, key(), random.below(3)); // blind, often silent
                    break;
                case 2:
                    put(overlay, key(), seen % 5);
                    break;
                case 3:
                    if (seen % 2 == 1) put(overlay, key(), seen + 1);
                    break;
                case 4: {
                    const auto above = overlay.is_above("counter", random.below(4));
                    if (above && *above)
                        seen += 1;
                    else
                        put(overlay, "counter", number(overlay, "counter") + 1);
                    break;
                }
                case 5:
                    overlay.checkpoint();
                    put(overlay, key(), 9);
                    if (random.below(2) == 0)
                        overlay.rollback();
                    else
                        overlay.commit();
                    break;
                default: {
                    const std::string at = key();
                    put(overlay, at, number(overlay, at) + 1);
                }
                }
        }
        fuel.reached_tank = random.below(8) != 0;
        // What it needs must not depend on what it is given.
        const std::uint64_t need =
            1000 + random.below(random.below(5) == 0 ? 90'000'000 : 9'000'000);
        if (!fuel.reached_tank) return random.below(12) == 0; // no contract ran
        if (random.below(10) == 0) {
            fuel.fuel_read = true;
            put(overlay, "fuel", fuel.assumed_budget % 1009 + 1);
        }
        if (need > fuel.assumed_budget) {
            fuel.ran_out = fuel.drained = true;
            put(overlay, "out", number(overlay, "out") + 1);
        } else {
            fuel.gas = fuel.demand = need;
        }
        return random.below(12) == 0;
    };
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The trap of stale reads: T1 writes a; T2: if a = 1 write b; T3: c = b + 1. Alone on the old
    /// state T2 writes nothing, so the levels of the estimated sets are 1, 2, 1 and T3 reads the
    /// stale b.
    void the_trap_data() {
        QTest::addColumn<int>("strategy");
        for (const execute::Strategy strategy : execute::all_strategies)
            if (strategy != execute::Strategy::serial)
                QTest::newRow(name_of(strategy)) << static_cast<int>(strategy);
    }
    void the_trap() {
        QFETCH(int, strategy);
        Bench bench(2);
        const Contexts contexts = contexts_of(1, 3);
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < contexts[0]->block->transactions.size(); ++i)
            if (*alkanes::concerns_alkanes(*contexts[0], i, bench.before)) order.push_back(i);
        QVERIFY(order.size() >= 3);
        bench.executor.script = [&](const alkanes::BlockContext&, std::uint32_t transaction) {
            const auto at = std::find(order.begin(), order.end(), transaction) - order.begin();
            return [at](state::Overlay& overlay, alkanes::FuelUse&) {
                if (at == 0) put(overlay, "a", 1);
                if (at == 1 && number(overlay, "a") == 1) put(overlay, "b", 1);
                if (at == 2) put(overlay, "c", number(overlay, "b") + 1);
                return false;
            };
        };
        StrategyOptions how;
        how.strategy = static_cast<execute::Strategy>(strategy);
        how.sets = execute::SetsFrom::estimate;
        how.batch_min = 0;
        std::vector<std::uint32_t> levels;
        const auto done = bench.run(contexts, how, [&](Hints& hints) { levels = hints.levels; });
        QVERIFY(done.ok());
        if (how.strategy == execute::Strategy::levels) {
            QCOMPARE(levels[0], 1U);
            QCOMPARE(levels[1], 2U);
            QCOMPARE(levels[2], 1U);
            QVERIFY(!done->notes.empty()); // the log says that the sets were wrong
        }
        // By rounds T3 has to run again; one by one it may find T2's write.
        const bool one_by_one = how.strategy == execute::Strategy::dag ||
                                how.strategy == execute::Strategy::optimistic ||
                                how.strategy == execute::Strategy::automatic;
        QVERIFY(done->rounds[0].executions >= order.size() + (one_by_one ? 0 : 1));
        const auto& changes = done->blocks[0].changes;
        QCOMPARE(changes.size(), std::size_t{3});
        QVERIFY(changes[2].key == "c" && state::counter_of(changes[2].after) == 2);
        const auto truth = serial_run(contexts, bench.before, bench.executor);
        const std::string text = difference(done->blocks, truth);
        QVERIFY2(text.empty(), text.c_str());
    }

    /// Random transactions, strategies, windows, workers, batches and hints, right and wrong ones.
    /// What strategies learned in one block window is wrong in the next, where the same kinds of
    /// transactions do something else. A long run: BLOCKLOOM_WINDOWS=N, BLOCKLOOM_WINDOW_SEED=N.
    void random_windows_equal_the_serial_run() {
        const std::uint64_t windows = from_environment("BLOCKLOOM_WINDOWS", 600);
        recipes::Random random(from_environment("BLOCKLOOM_WINDOW_SEED", 2026));
        std::uint64_t again = 0, serial = 0, first = 0, warned = 0;
        std::array<std::uint64_t, trace::abort_reason_count> reasons{};
        std::vector<Contexts> known;
        for (const std::uint32_t blocks : {1, 2, 3, 8})
            for (const char* recipe : {"independent", "mixed"})
                known.push_back(contexts_of(blocks, 30, recipe));
        std::unique_ptr<Bench> bench;
        for (std::uint64_t window = 0; window < windows; ++window) {
            if (bench == nullptr || random.below(3) == 0)
                bench = std::make_unique<Bench>(static_cast<unsigned>(1 + random.below(8)));
            const Contexts& contexts = known[random.below(known.size())];
            const std::uint64_t seed = random.next();
            const auto keys = static_cast<std::uint32_t>(2 + random.below(120));
            for (std::uint32_t i = 0; i < keys; i += 2)
                bench->before.put("k" + std::to_string(i), u128_bytes(u128{i % 4}));
            bench->executor.script = [=](const alkanes::BlockContext& context,
                                         std::uint32_t transaction) {
                return random_script(seed ^ (context.height * 7919 + transaction * 104'729), keys);
            };
            bench->executor.wide = static_cast<double>(1 + random.below(40));
            bench->executor.batch = random.below(3) == 0 ? 1 + random.below(9) : 0;
            StrategyOptions how;
            how.strategy =
                execute::all_strategies[1 + random.below(execute::all_strategies.size() - 1)];
            how.sets = std::array{execute::SetsFrom::truth, execute::SetsFrom::estimate,
                                  execute::SetsFrom::learned}[random.below(3)];
            bench->executor.one_by_one = random.below(8) != 0;
            how.multi_version = random.below(2) == 0;
            how.access = random.below(3) == 0 ? execute::Access::declared : execute::Access::open;
            how.batch_min = random.below(5);
            const std::uint64_t wrong = random.below(4);
            const auto distort = [&](Hints& hints) {
                if (wrong == 1)
                    for (std::uint32_t& level : hints.levels)
                        level = static_cast<std::uint32_t>(1 + random.below(5));
                if (wrong == 2)
                    for (auto& sets : hints.declared)
                        if (random.below(4) == 0) sets = {};
                if (wrong == 3)
                    for (auto& sets : hints.sets)
                        if (random.below(3) == 0) sets = {};
            };
            const auto done = bench->run(contexts, how, distort);
            QVERIFY2(done.ok(), done ? "" : done.error().message.c_str());
            const auto truth = serial_run(contexts, bench->before, bench->executor);
            const std::string text = difference(done->blocks, truth);
            QVERIFY2(
                text.empty(),
                qPrintable(
                    QStringLiteral("window %1: %2").arg(window).arg(QString::fromStdString(text))));
            std::uint64_t in_order = 0;
            for (const execute::BlockRounds& of : done->rounds) in_order += of.serial;
            QCOMPARE(done->phases.execute_serial > 0, in_order > 0);
            QVERIFY(done->phases.execute_serial <= done->phases[execute::Phase::execute]);
            for (std::size_t i = 0; i < contexts.size(); ++i) {
                again += done->rounds[i].executions - done->blocks[i].tasks;
                serial += done->rounds[i].serial;
                first += done->rounds[i].accepted_first;
                // Each execution that was not kept has a reason.
                const execute::BlockRounds& of = done->rounds[i];
                std::uint64_t executions = of.executions - done->blocks[i].tasks;
                for (const execute::AbortedAttempt& each : of.aborted.listed) {
                    executions -= each.executions;
                    ++reasons[static_cast<std::size_t>(each.reason)];
                    if (!each.writer) continue;
                    const auto at = [](const auto& writer) {
                        return std::pair(writer.height, writer.transaction);
                    };
                    QVERIFY(at(*each.writer) < std::pair(contexts[i]->height, each.transaction));
                }
                QCOMPARE(executions, std::uint64_t{0});
            }
            warned += done->notes.size();
        }
        // Every path was taken often.
        QVERIFY2(2 * again > 5 * windows && 2 * serial > 5 * windows && 2 * first > 5 * windows &&
                     8 * warned > windows,
                 qPrintable(QStringLiteral("%1 again, %2 in order, %3 first, %4 notes")
                                .arg(again)
                                .arg(serial)
                                .arg(first)
                                .arg(warned)));
        for (std::size_t i = 0; i < reasons.size(); ++i)
            if (const auto reason = static_cast<trace::AbortReason>(i);
                reason != trace::AbortReason::ejected)
                QVERIFY2(reasons[i] > 0, name_of(reason));
    }

    /// Whatever runs when, and on whatever values and budgets: only executions cost.
    void values_that_are_made_up_change_nothing() {
        recipes::Random random(20);
        std::uint64_t given = 0, first = 0;
        const std::array known{contexts_of(1, 30), contexts_of(2, 30)};
        for (int round = 0; round < 300; ++round) {
            Bench bench(static_cast<unsigned>(1 + random.below(4)));
            const Contexts& contexts = known[random.below(known.size())];
            const std::uint64_t seed = random.next();
            const auto keys = static_cast<std::uint32_t>(1 + random.below(20));
            for (std::uint32_t i = 0; i < keys; i += 2)
                bench.before.put("k" + std::to_string(i), u128_bytes(u128{i % 4}));
            bench.executor.script = [=](const alkanes::BlockContext& context,
                                        std::uint32_t transaction) {
                return random_script(seed ^ (context.height * 7919 + transaction * 104'729), keys);
            };
            MadeUpRounds rounds(seed, keys);
            const auto done =
                bench.run(contexts, {.strategy = execute::Strategy::predict}, {}, {}, &rounds);
            QVERIFY2(done.ok(), done ? "" : done.error().message.c_str());
            const std::string text =
                difference(done->blocks, serial_run(contexts, bench.before, bench.executor));
            QVERIFY2(
                text.empty(),
                qPrintable(
                    QStringLiteral("round %1: %2").arg(round).arg(QString::fromStdString(text))));
            given += rounds.given();
            for (const execute::BlockRounds& of : done->rounds) first += of.accepted_first;
        }
        QVERIFY(given > 1000 && first > 200);
    }

    /// However its tasks ran: `auto` compares strategies by it.
    void the_gas_of_a_window_is_that_of_its_tasks() {
        Bench bench(2);
        const Contexts contexts = contexts_of(2, 150);
        bench.executor.script = [](const alkanes::BlockContext&, std::uint32_t i) {
            return [i](state::Overlay& overlay, alkanes::FuelUse& fuel) {
                const std::string key = "k" + std::to_string(i % 40);
                put(overlay, key, number(overlay, key) + 1);
                fuel.gas = 1000 + i;
                return false;
            };
        };
        std::uint64_t gas = 0;
        for (const alkanes::BlockExecution& block :
             serial_run(contexts, bench.before, bench.executor))
            for (const auto& result : block.transactions) gas += result.fuel.gas;
        QVERIFY(gas > 300'000);
        NoRounds in_order;
        QVERIFY(bench.run(contexts, {}, {}, {}, &in_order).ok());
        QCOMPARE(bench.gas, gas);
        for (const auto strategy : {execute::Strategy::speculative, execute::Strategy::dag,
                                    execute::Strategy::optimistic, execute::Strategy::predict}) {
            StrategyOptions how;
            how.strategy = strategy;
            QVERIFY(bench.run(contexts, how).ok());
            QCOMPARE(bench.gas, gas);
        }
    }

    /// A block whose counter grows like that of the block before needs no round of its own: its
    /// first transactions run with the last ones of that block. A new stride costs its pilots.
    void rounds_of_predict_continue_in_the_next_block() {
        Bench bench(2);
        const Contexts contexts = contexts_of(4, 200, "mainnet-2026");
        const state::Key counter("counter");
        bench.before.put(counter, u128_bytes(1));
        // The most frequent kind counts.
        std::map<std::uint64_t, std::size_t> kinds;
        for (const auto& context : contexts)
            for (std::uint32_t i = 0; i < context->block->transactions.size(); ++i)
                if (const auto name = execute::TaskKinds::names_of(*context, i).kind; name != 0)
                    ++kinds[name];
        const std::uint64_t counting =
            std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
            })->first;
        bench.executor.script = [&](const alkanes::BlockContext& context, std::uint32_t i) {
            const bool counts = execute::TaskKinds::names_of(context, i).kind == counting;
            const std::uint64_t stride = !counts ? 0 : &context == contexts[2].get() ? 7 : 3;
            return [stride](state::Overlay& overlay, alkanes::FuelUse&) {
                if (stride != 0) put(overlay, "counter", number(overlay, "counter") + stride);
                return false;
            };
        };
        StrategyOptions how;
        how.strategy = execute::Strategy::predict;
        const auto truth = serial_run(contexts, bench.before, bench.executor);
        const Hints none;
        for (int turn = 0; turn < 2; ++turn) { // the first one learns
            const auto own = execute::make_rounds(how, none, bench.memory);
            WatchedRounds watched(*own);
            const auto done = bench.run(contexts, how, {}, {}, &watched);
            QVERIFY(done.ok());
            const std::string text = difference(done->blocks, truth);
            QVERIFY2(text.empty(), text.c_str());
            if (turn == 0) continue;
            std::uint64_t tasks = 0, executions = 0;
            for (const execute::BlockRounds& block : done->rounds) {
                executions += block.executions;
                tasks += block.accepted_first;
                QCOMPARE(block.serial, std::uint64_t{0});
            }
            QVERIFY2(executions <= tasks + 12, qPrintable(QString::number(executions - tasks)));
            const auto spanning = std::count_if(watched.blocks.begin(), watched.blocks.end(),
                                                [](const auto& b) { return b.first != b.second; });
            QCOMPARE(spanning, 3);
            QVERIFY(watched.blocks.size() <= 9);
        }
    }

    /// Flows run a few thousand tasks at a time. Whatever runs the next part, all are accepted.
    void flows_ask_before_each_part() {
        Bench bench(2);
        const Contexts contexts = contexts_of(50, 200);
        bench.executor.script = [](const alkanes::BlockContext&, std::uint32_t transaction) {
            return random_script(transaction, 3000);
        };
        StrategyOptions how;
        how.strategy = execute::Strategy::optimistic;
        const Hints none;
        execute::FlowRounds rounds(how, none, bench.memory);
        std::vector<std::pair<std::size_t, std::size_t>> parts; // first task, tasks
        std::size_t tasks = 0;
        rounds.ask_before_each_part([&](const execute::WindowNow& now,
                                        const execute::TaskGraph& graph,
                                        const execute::ExpectedTasks&) {
            tasks = now.tasks.size();
            parts.emplace_back(now.accepted, graph.tasks());
            return parts.size() % 2 == 0 ? execute::Strategy::optimistic : execute::Strategy::dag;
        });
        const auto done = bench.run(contexts, how, {}, {}, &rounds);
        QVERIFY(done.ok());
        const std::string text =
            difference(done->blocks, serial_run(contexts, bench.before, bench.executor));
        QVERIFY2(text.empty(), text.c_str());
        QVERIFY(parts.size() >= 2);
        QVERIFY(parts.front().first > 0);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto [first, count] = parts[i];
            QCOMPARE(first + count, i + 1 < parts.size() ? parts[i + 1].first : tasks);
            QVERIFY(count <= 4096);
        }
    }

    /// Kinds come in any order in what is left of a window; the tasks of a round are ascending.
    void examples_are_tasks_that_are_not_accepted() {
        Bench bench(2);
        const Contexts contexts = contexts_of(2, 120, "mixed");
        bench.executor.script = [](const alkanes::BlockContext&, std::uint32_t) {
            return [](state::Overlay&, alkanes::FuelUse&) { return false; };
        };
        HalfRounds half(bench.memory);
        QVERIFY(bench.run(contexts, {}, {}, {}, &half).ok());
        QVERIFY(half.before.size() > 3);
        QVERIFY(half.again.empty());
        QVERIFY(half.accepted > 60);
        QVERIFY(half.after.size() > 3);
        QVERIFY(std::is_sorted(half.after.begin(), half.after.end()));
        QVERIFY(half.after.front() >= half.accepted);
    }

    /// `prefixed`: the others run in block order, nothing else changes.
    void those_that_keep_their_place() {
        Bench bench(3);
        const Contexts contexts = contexts_of(1, 40);
        bench.executor.script = [](const alkanes::BlockContext&, std::uint32_t transaction) {
            return random_script(transaction, 30);
        };
        StrategyOptions how;
        how.strategy = execute::Strategy::speculative;
        how.candidates = execute::Candidates::prefixed;
        const auto done = bench.run(contexts, how);
        QVERIFY(done.ok());
        const auto truth = serial_run(contexts, bench.before, bench.executor);
        QVERIFY(difference(done->blocks, truth).empty());
        QCOMPARE(done->rounds[0].serial, done->blocks[0].tasks); // mainnet has no candidates
    }

    void stopping_in_a_round_is_an_error() {
        const Contexts contexts = contexts_of(1, 40);
        for (int after = 1; after < 90; after += 11) {
            Bench bench(2);
            bench.executor.script = [](const alkanes::BlockContext&, std::uint32_t transaction) {
                return random_script(transaction, 6);
            };
            std::stop_source stop;
            std::atomic<int> ran{0};
            bench.executor.before_each = [&] {
                if (++ran == after) stop.request_stop();
            };
            StrategyOptions how;
            how.strategy = execute::Strategy::speculative;
            const auto done = bench.run(contexts, how, {}, stop.get_token());
            if (ran < after) break; // fewer executions than that
            QVERIFY(!done.ok());
            QCOMPARE(done.error().code, ErrorCode::cancelled);
        }
    }
};

QTEST_APPLESS_MAIN(TestWindow)
#include "test_window.moc"
