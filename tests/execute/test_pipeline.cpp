// Stages of different blocks at once: tasks of the pool, the state while commits are in progress,
// and ranges that are decoded ahead and finished behind.
#include "base/file.h"
#include "chain/block_source.h"
#include "execute/first_difference.h"
#include "execute/pending_state.h"
#include "execute/replayed_recipes.h"
#include "execute/worker_pool.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "state/memory_state.h"
#include "store/workspace.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <atomic>
#include <random>
#include <thread>

using namespace blockloom;
using execute::PendingState;
using execute::ReplayedBlock;
using execute::ReplayOptions;
using execute::WorkerPool;

namespace {

ReplayOptions speculative(unsigned workers, std::uint32_t window) {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    options.strategy.strategy = execute::Strategy::speculative;
    options.strategy.workers = workers;
    options.strategy.window = window;
    return options;
}

ReplayOptions serial() {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    return options;
}

state::Change change(std::string_view key, const char* after) {
    return {state::Key(key), state::Value(), state::Value(std::string(after))};
}

/// A value as text; "-" if it is absent.
std::string text(const state::StateView& view, std::string_view key) {
    const auto value = view.get(state::Key(key));
    return value && *value ? std::string(value->bytes()) : "-";
}

std::unique_ptr<store::Workspace> workspace_in(const QTemporaryDir& folder, const char* name,
                                               bool bulk) {
    store::OpenOptions how;
    how.bulk = bulk;
    how.bulk_bytes = 4096; // saved in the background again and again
    auto opened =
        store::Workspace::open(folder.filePath(QString::fromLatin1(name)).toStdString(), how);
    if (!opened) qFatal("%s", opened.error().message.c_str());
    return *std::move(opened);
}

} // namespace

class TestPipeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Random graphs of tasks, with stages in between: each begins when all those before it are
    /// done. In every second graph nobody runs a task before the last one is posted.
    void a_task_follows_those_before_it() {
        std::mt19937 random(7);
        for (unsigned workers = 1; workers <= 4; ++workers) {
            WorkerPool pool(workers);
            for (int graph = 0; graph < 40; ++graph) {
                constexpr std::size_t count = 24;
                std::vector<WorkerPool::Task> tasks(count), busy;
                std::vector<std::atomic<bool>> done(count);
                std::atomic<int> early{0};
                std::atomic<bool> posted{graph % 2 == 0};
                for (unsigned other = 1; !posted && other < workers; ++other)
                    busy.push_back(pool.post([&posted](unsigned) { posted.wait(false); }));
                for (std::size_t i = 0; i < count; ++i) {
                    std::vector<std::size_t> before;
                    std::vector<WorkerPool::Task> after{WorkerPool::Task()};
                    for (std::size_t j = 0; j < i; ++j)
                        if (random() % 6 == 0) {
                            before.push_back(j);
                            after.push_back(tasks[j]);
                        }
                    tasks[i] = pool.post(
                        [&done, &early, before, i, workers](unsigned worker) {
                            for (const std::size_t j : before) early += !done[j];
                            early += worker >= workers;
                            done[i] = true;
                        },
                        after);
                    if (random() % 8 != 0) continue;
                    std::atomic<std::size_t> pieces{0};
                    pool.each(64, 1, [&](unsigned, std::size_t begin, std::size_t end) {
                        pieces += end - begin;
                    });
                    QCOMPARE(pieces.load(), std::size_t{64});
                }
                posted = true;
                posted.notify_all();
                // The last ones first: whatever is ready is run while they are waited for.
                for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) pool.wait_for(*task);
                for (const WorkerPool::Task& task : busy) pool.wait_for(task);
                QCOMPARE(early.load(), 0);
                QVERIFY(std::all_of(done.begin(), done.end(),
                                    [](const auto& each) { return each.load(); }));
            }
        }
    }

    /// A caller that waits, and found nothing to do at first, runs what becomes ready later: two
    /// tasks that only end together need two threads.
    void who_waits_runs_what_becomes_ready() {
        WorkerPool pool(2);
        for (int round = 0; round < 200; ++round) {
            std::atomic<bool> first_begun{false}, waiting{false}, alone{false};
            std::atomic<int> begun{0};
            const WorkerPool::Task first = pool.post([&](unsigned) {
                first_begun = true;
                first_begun.notify_all();
                waiting.wait(false);
                for (int i = 0; i < 10 * round; ++i) std::this_thread::yield();
            });
            std::vector<WorkerPool::Task> pair;
            for (int i = 0; i < 2; ++i)
                pair.push_back(pool.post(
                    [&](unsigned) {
                        ++begun;
                        for (int tries = 0; begun != 2 && tries < 20'000'000; ++tries)
                            std::this_thread::yield();
                        if (begun != 2) alone = true;
                    },
                    {&first, 1}));
            const WorkerPool::Task last = pool.post([](unsigned) {}, pair);
            first_begun.wait(false); // by the other worker
            waiting = true;
            waiting.notify_all();
            pool.wait_for(last);
            QVERIFY(!alone);
        }
    }

    /// A worker whose part is over for now runs a task, which the job needs here, and comes back.
    void workers_leave_a_job_for_tasks() {
        for (unsigned workers = 2; workers <= 4; ++workers) {
            WorkerPool pool(workers);
            for (int round = 0; round < 50; ++round) {
                std::atomic<bool> there{false};
                std::atomic<unsigned> came_back{0};
                const WorkerPool::Task task = pool.post([&](unsigned) {
                    there = true;
                    there.notify_all();
                });
                pool.open([&](unsigned worker) {
                    if (worker == 0)
                        there.wait(false); // nobody else runs it
                    else if (!there)
                        return false;
                    else
                        ++came_back;
                    return true;
                });
                QVERIFY(there && came_back < workers);
                std::atomic<std::size_t> pieces{0};
                pool.each(64, 1, [&](unsigned, std::size_t, std::size_t) { ++pieces; });
                QCOMPARE(pieces.load(), std::size_t{64});
                pool.wait_for(task);
            }
        }
    }

    /// What a part throws is rethrown when no worker takes part any more.
    void a_part_that_throws() {
        for (unsigned workers = 1; workers <= 3; ++workers) {
            WorkerPool pool(workers);
            for (int round = 0; round < 20; ++round) {
                std::atomic<bool> thrown{false};
                std::atomic<int> inside{0};
                QVERIFY_EXCEPTION_THROWN(pool.open([&](unsigned worker) {
                    ++inside;
                    if (worker + 1 == workers) {
                        thrown = true;
                        thrown.notify_all();
                        --inside;
                        throw std::runtime_error("a part");
                    }
                    thrown.wait(false);
                    --inside;
                    return true;
                }),
                                         std::runtime_error);
                QCOMPARE(inside.load(), 0);
            }
        }
    }

    /// What was withdrawn never runs and holds nothing; what follows it may still be withdrawn.
    void a_withdrawn_task_never_runs() {
        WorkerPool pool(1); // nobody runs a task that is not waited for
        const auto held = std::make_shared<int>(0);
        const WorkerPool::Task first = pool.post([held](unsigned) { ++*held; });
        const std::array after{first};
        const WorkerPool::Task second = pool.post([held](unsigned) { ++*held; }, after);
        QVERIFY(!first.is_done() && !second.is_done());
        pool.withdraw(second);
        pool.withdraw(first);
        QVERIFY(first.is_done() && second.is_done());
        QCOMPARE(*held, 0);
        QCOMPARE(held.use_count(), 1L);
        const WorkerPool::Task third = pool.post([held](unsigned) { ++*held; });
        pool.wait_for(third);
        QCOMPARE(*held, 1);
    }

    void a_pool_ends_with_tasks_that_nobody_began() {
        const auto held = std::make_shared<int>(0);
        {
            WorkerPool pool(1);
            const WorkerPool::Task first = pool.post([held](unsigned) { ++*held; });
            const std::array after{first};
            (void)pool.post([held](unsigned) { ++*held; }, after);
        }
        QCOMPARE(*held, 0);
        QCOMPARE(held.use_count(), 1L);
    }

    /// Changes hide the stored state, whatever a commit has written of it; they are dropped only
    /// when it has written all of them.
    void changes_hide_what_is_being_committed() {
        WorkerPool pool(1);
        state::MemoryState stored;
        PendingState pending(stored);
        const WorkerPool::Task commit =
            pool.post([&](unsigned) { stored.put("a", state::Value(std::string("1"))); });
        stored.put("b", state::Value(std::string("stored")));
        const std::array first{change("a", "1"),
                               state::Change{state::Key("b"), state::Value(), state::Value()}};
        pending.apply(first, commit, nullptr);
        QCOMPARE(text(pending, "a"), "1");
        QCOMPARE(text(pending, "b"), "-");
        // Far more keys than a generation has; none of the commits is done.
        std::vector<WorkerPool::Task> commits;
        for (int block = 0; block < 4; ++block) {
            std::vector<state::Change> changes;
            for (int i = 0; i < 70'000; ++i)
                changes.push_back(change(std::to_string(i), std::to_string(block).c_str()));
            commits.push_back(pool.post([](unsigned) {}));
            pending.apply(changes, commits.back(), &pool);
            QCOMPARE(text(pending, "a"), "1");
            QCOMPARE(text(pending, "69999"), std::to_string(block));
        }
        pool.wait_for(commit);
        for (const WorkerPool::Task& each : commits) pool.wait_for(each);
        pending.apply(std::array{change("c", "2")}, commit, nullptr);
        pending.apply(std::array{change("c", "3")}, commit, nullptr);
        QCOMPARE(text(pending, "a"), "1"); // from the stored state, or still pending
        QCOMPARE(text(pending, "c"), "3");
    }

    void equal_to_serial_data() {
        QTest::addColumn<QByteArray>("recipe");
        QTest::addColumn<bool>("bulk");
        for (const char* recipe : {"independent", "mixed", "amm", "mainnet-2026", "adversarial"})
            for (const bool bulk : {false, true})
                QTest::addRow("%s, %s", recipe, bulk ? "bulk" : "logged")
                    << QByteArray(recipe) << bulk;
    }
    /// In memory and into a workspace, by any number of workers and blocks at once: the blocks, in
    /// their order, with the serial run's digests; the state after them.
    void equal_to_serial() {
        QFETCH(QByteArray, recipe);
        QFETCH(bool, bulk);
        const auto sources = tests::sources_of(recipe.constData(), 270, 4);
        const auto truth = tests::replay(sources, serial());
        QVERIFY(truth);
        QTemporaryDir folder;
        SilentProgress silent;
        std::optional<Hash256> state;
        for (const unsigned workers : {2U, 5U})
            for (const std::uint32_t window : {1U, 3U}) {
                const auto store =
                    workspace_in(folder, qPrintable(QString::number(workers * 10 + window)), bulk);
                std::size_t reported = 0;
                const auto summary = execute::replay_into(
                    *store, sources, speculative(workers, window), false,
                    [&](const std::shared_ptr<const ReplayedBlock>& block) {
                        const ReplayedBlock& expected = *(*truth)[reported++];
                        const bool same =
                            block->execution->digest == expected.execution->digest &&
                            block->execution->changes == expected.execution->changes &&
                            block->execution->succeeded == expected.execution->succeeded &&
                            block->execution->tasks == expected.execution->tasks &&
                            block->execution->fuel == expected.execution->fuel &&
                            block->execution->steps == expected.execution->steps &&
                            // Blocks of one window log more reads, and so have more transactions
                            // that are not empty (docs/execution.md).
                            (window > 1 ||
                             (block->execution->budgets == expected.execution->budgets &&
                              block->trace->sets.accesses == expected.trace->sets.accesses &&
                              block->index->level_sizes == expected.index->level_sizes)) &&
                            block->committed;
                        return same ? Status()
                                    : Status(Error{ErrorCode::verification,
                                                   "block " + std::to_string(reported)});
                    },
                    silent, {}, execute::JoinOptions{.beginning = {.of_chain = true}});
                QVERIFY2(summary.ok(), summary ? "" : summary.error().message.c_str());
                QCOMPARE(reported, sources.size());
                QCOMPARE(summary->committed, std::uint64_t{sources.size()});
                if (!state) state = summary->state_digest;
                QVERIFY(summary->state_digest == state);
            }
    }

    /// Blocks whose executions are all accepted are put together by all workers.
    void joined_equal_to_serial_data() {
        QTest::addColumn<unsigned>("workers");
        for (const unsigned workers : {2U, 3U, 16U})
            QTest::addRow("%u workers", workers) << workers;
    }
    void joined_equal_to_serial() {
        QFETCH(unsigned, workers);
        recipes::RecipeChanges changes; // with all its contracts: its messages share nothing
        changes.blocks = 3;
        changes.tasks = 700;
        const auto made = recipes::make_blocks(
            recipes::with_changes(*recipes::find_recipe("independent"), changes));
        QVERIFY(made);
        std::vector<execute::ReplaySource> sources;
        for (const Bytes& bytes : *made)
            for (const chain::BlockRef& ref : chain::list_block_bytes(bytes, "generated").blocks)
                sources.push_back({ref, ref.height, {}});
        const auto truth = tests::replay(sources, serial());
        const auto blocks = tests::replay(sources, speculative(workers, 1));
        QVERIFY(truth && blocks);
        QCOMPARE(blocks->size(), truth->size());
        for (std::size_t i = 0; i < truth->size(); ++i) {
            const alkanes::BlockExecution &a = *(*blocks)[i]->execution,
                                          &b = *(*truth)[i]->execution;
            const std::string text = execute::first_difference(a, b);
            QVERIFY2(text.empty(), text.c_str());
            QVERIFY(a.changes == b.changes);
            QVERIFY(a.digest == b.digest);
            if (i == 0) continue; // deploys
            QCOMPARE((*blocks)[i]->rounds.accepted_first, a.tasks);
            QVERIFY(a.tasks >= 700 && a.changes.size() > 2'048); // in parts, by workers
        }
    }

    /// However many blocks a range has, only a few of them are held.
    void few_blocks_are_in_memory() {
        const auto sources = tests::sources_of("independent", 60, 40);
        std::vector<std::weak_ptr<const ReplayedBlock>> reported;
        std::ptrdiff_t most = 0;
        SilentProgress silent;
        const auto summary = execute::replay_on(
            nullptr, sources, speculative(3, 1), false,
            [&](const std::shared_ptr<const ReplayedBlock>& block) {
                reported.push_back(block);
                most =
                    std::max(most, std::count_if(reported.begin(), reported.end(),
                                                 [](const auto& each) { return !each.expired(); }));
                return Status();
            },
            silent, {});
        QVERIFY(summary);
        QCOMPARE(reported.size(), sources.size());
        // At most as many as there are workers wait for their release, and one is reported.
        QVERIFY2(most <= 4, qPrintable(QString::number(most)));
        QVERIFY(std::all_of(reported.begin(), reported.end(),
                            [](const auto& each) { return each.expired(); }));
    }

    /// A caller that refuses a block ends the replay: the block before is committed, and the replay
    /// continues where it stopped, with the same result.
    void a_caller_ends_it() {
        const auto sources = tests::sources_of("mixed", 80, 9);
        const auto truth = tests::replay(sources, serial());
        QVERIFY(truth);
        for (const std::size_t at : {std::size_t{0}, std::size_t{4}, std::size_t{8}}) {
            QTemporaryDir folder;
            const auto store = workspace_in(folder, "w", false);
            SilentProgress silent;
            const execute::JoinOptions join{.beginning = {.of_chain = true}};
            std::size_t reported = 0;
            const auto refused = execute::replay_into(
                *store, sources, speculative(3, 1), false,
                [&](const std::shared_ptr<const ReplayedBlock>&) {
                    return reported++ == at ? Status(Error{ErrorCode::system, "refused"})
                                            : Status();
                },
                silent, {}, join);
            QVERIFY(!refused);
            QCOMPARE(refused.error().message, std::string("refused"));
            QCOMPARE(reported, at + 1);
            QVERIFY(store->tip()->height >= *sources[at].height);
            const auto rest = execute::replay_into(
                *store, sources, speculative(3, 1), false, [](const auto&) { return Status(); },
                silent, {}, join);
            QVERIFY2(rest.ok(), rest ? "" : rest.error().message.c_str());
            for (std::size_t i = 0; i < sources.size(); ++i)
                QVERIFY((*store->block(*sources[i].height))->digest ==
                        (*truth)[i]->execution->digest);
        }
    }

    /// A block that cannot be read: all before it are committed, none after it.
    void a_block_that_cannot_be_read() {
        auto sources = tests::sources_of("mixed", 80, 8);
        sources[5].block.hash[0] ^= 1; // as if the file had changed since it was listed
        for (const bool keep_going : {false, true}) {
            QTemporaryDir folder;
            const auto store = workspace_in(folder, "w", false);
            SilentProgress silent;
            std::size_t reported = 0;
            const auto summary = execute::replay_into(
                *store, sources, speculative(3, 1), keep_going,
                [&](const std::shared_ptr<const ReplayedBlock>&) {
                    ++reported;
                    return Status();
                },
                silent, {}, execute::JoinOptions{.beginning = {.of_chain = true}});
            QCOMPARE(summary.ok(), keep_going);
            QCOMPARE(reported, std::size_t{5});
            QCOMPARE(store->tip()->height, *sources[4].height);
            if (keep_going) QCOMPARE(summary->left_out.size(), std::size_t{3});
        }
    }
};

QTEST_GUILESS_MAIN(TestPipeline)
#include "test_pipeline.moc"
