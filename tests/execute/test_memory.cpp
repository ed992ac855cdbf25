// What a replay holds does not grow with the number of its blocks, the state in memory aside.
#include "bench/counted_allocations.h"
#include "execute/layered_state.h"
#include "execute/pending_state.h"
#include "execute/replayed_recipes.h"
#include "state/memory_state.h"

#include <QtTest>

#include <algorithm>

using namespace blockloom;

namespace {

constexpr std::uint32_t block_count = 100, tasks_of_block = 60;

std::int64_t live() {
    return bench::live_bytes.load();
}

/// The states after each block, in memory: what they hold.
std::vector<std::int64_t> states_of(std::span<const execute::ReplaySource> sources) {
    std::vector<std::int64_t> bytes;
    bytes.reserve(sources.size());
    execute::LayeredState state(nullptr);
    std::int64_t own = 0; ///< of the state
    execute::ReplayOptions how;
    how.engine = alkanes::Engine::interpreter;
    SilentProgress silent;
    const auto done =
        execute::replay_on(nullptr, sources, how, false,
                           [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                               const std::int64_t before = live();
                               state.apply(block->execution->changes);
                               own += live() - before;
                               bytes.push_back(own);
                               return Status();
                           },
                           silent, {});
    if (!done) qFatal("%s", done.error().message.c_str());
    return bytes;
}

std::int64_t most(const std::vector<std::int64_t>& values, std::size_t first, std::size_t end) {
    return *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                             values.begin() + static_cast<std::ptrdiff_t>(end));
}

} // namespace

class TestMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer replaces operator new too");
#endif
    }

    void a_hundred_blocks_need_what_ten_need_data() {
        QTest::addColumn<unsigned>("workers");
        QTest::newRow("serial") << 0U;
        QTest::newRow("speculative, one worker") << 1U;
        QTest::newRow("speculative, three workers") << 3U;
    }
    void a_hundred_blocks_need_what_ten_need() {
        QFETCH(unsigned, workers);
        const auto sources = tests::sources_of("independent", tasks_of_block, block_count);
        const auto states = states_of(sources);
        execute::ReplayOptions how;
        how.engine = alkanes::Engine::interpreter;
        if (workers != 0) {
            how.strategy.strategy = execute::Strategy::speculative;
            how.strategy.workers = workers;
        }
        SilentProgress silent;
        std::vector<std::int64_t> held; ///< while a block is reported, without the state
        held.reserve(sources.size());
        std::int64_t of_block = 0;
        const auto done =
            execute::replay_on(nullptr, sources, how, false,
                               [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                                   held.push_back(live() - states[held.size()]);
                                   if (held.size() != block_count / 2) return Status();
                                   // The size of a block: what a copy of its results takes.
                                   const std::int64_t before = live();
                                   const alkanes::BlockExecution copy = *block->execution;
                                   of_block = live() - before;
                                   return Status();
                               },
                               silent, {});
        QVERIFY(done);
        QCOMPARE(held.size(), std::size_t{block_count});
        const std::int64_t early = most(held, 5, 15), late = most(held, 85, 100);
        qInfo("a block %lld, early %lld, late %lld bytes", static_cast<long long>(of_block),
              static_cast<long long>(early - held.front()),
              static_cast<long long>(late - held.front()));
        QVERIFY(of_block > 10'000);
        // Seventy blocks later. With workers a few blocks more or less are under way, and the state
        // is ahead of the block that is reported.
        QVERIFY(late - early < (workers > 1 ? 6 * of_block : of_block / 4));
    }

    /// Once their commits are done, changes are given back, however many blocks follow.
    void pending_changes_are_given_back() {
        state::MemoryState stored;
        execute::WorkerPool pool(1);
        execute::PendingState pending(stored);
        const std::int64_t before = live();
        std::vector<std::int64_t> held;
        for (int block = 0; block < 300; ++block) {
            std::vector<state::Change> changes;
            for (int i = 0; i < 1000; ++i)
                changes.push_back({state::Key(std::to_string(block * 1000 + i)), state::Value(),
                                   state::Value("1")});
            const execute::WorkerPool::Task commit = pool.post([](unsigned) {});
            pool.wait_for(commit);
            pending.apply(changes, commit, nullptr);
            changes = {};
            held.push_back(live() - before);
        }
        // Up to a few of the parts' tables, which double where their share of the keys passes half
        // of them: without giving back, the second half would hold twice as much.
        QVERIFY(most(held, 150, 300) <= most(held, 0, 150) * 6 / 5);
    }
};

QTEST_GUILESS_MAIN(TestMemory)
#include "test_memory.moc"
