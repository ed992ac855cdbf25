// A block window executed on what the one before it left while a worker still puts that one's
// blocks together.
#include "execute/executed_window.h"
#include "execute/first_difference.h"
#include "execute/layered_state.h"
#include "execute/refusing_view.h"
#include "execute/replayed_recipes.h"
#include "execute/replayer.h"
#include "store/workspace.h"

#include <QTemporaryDir>
#include <QtTest>

#include <stop_token>

using namespace blockloom;
using namespace blockloom::execute;

namespace {

constexpr std::uint32_t tasks_a_block = 300; // enough to be put together by tasks
constexpr std::size_t block_count = 5;

/// Blocks with all contracts of their recipe, so that those of `independent` are accepted whole,
/// except for the first one, which deploys.
std::vector<ReplaySource> sources_of(const char* recipe) {
    return tests::sources_of(recipe, tasks_a_block, block_count, {});
}

ReplayOptions options_of(Strategy strategy, unsigned workers = 0, std::uint32_t window = 1) {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    options.strategy.strategy = strategy;
    options.strategy.workers = workers;
    options.strategy.window = window;
    return options;
}

std::vector<OpenedBlock> opened(const Replayer& replayer, const ReplaySource& source,
                                const state::StateView& before) {
    std::vector<OpenedBlock> window;
    auto block = replayer.open(source, before);
    if (!block) qFatal("%s", block.error().message.c_str());
    window.push_back(*std::move(block));
    return window;
}

} // namespace

class TestExecutedAhead : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        sources_ = sources_of("independent");
        auto truth = tests::replay(sources_, options_of(Strategy::serial));
        QVERIFY(truth);
        truth_ = *std::move(truth);
        QCOMPARE(truth_.size(), block_count);
    }

    /// What a window left is the same before, while and after its blocks are put together, and the
    /// next window is executed on it.
    void the_next_window_reads_what_the_last_one_left() {
        Replayer replayer(options_of(Strategy::speculative, 3));
        SilentProgress silent;
        LayeredState state(nullptr);
        auto first = replayer.execute(opened(replayer, sources_[0], state), state, silent, {});
        QVERIFY(first);
        state.apply(first->front().execution->changes);

        const auto below =
            replayer.execute_ahead(opened(replayer, sources_[1], state), state, silent, {});
        QVERIFY(below);
        QVERIFY(!(*below)->is_complete());
        const state::StateView& after = (*below)->leave_on(state);
        const state::ChangeList& changes = truth_[1]->execution->changes;
        QVERIFY(changes.size() > tasks_a_block);
        const auto check = [&] {
            for (const state::Change& change : changes)
                if (!(*after.get(change.key) == change.after)) return false;
            for (const state::Change& change : truth_[0]->execution->changes)
                if (std::none_of(changes.begin(), changes.end(),
                                 [&](const auto& later) { return later.key == change.key; }) &&
                    !(*after.get(change.key) == change.after))
                    return false;
            return true;
        };
        QVERIFY(check());
        Status joined;
        Phases work;
        const WorkerPool::Task task = replayer.pool()->post(
            [&](unsigned worker) { joined = replayer.join(**below, work, worker); });
        const auto next =
            replayer.execute_ahead(opened(replayer, sources_[2], after), after, silent, {});
        replayer.pool()->wait_for(task);
        QVERIFY(joined && next);
        QVERIFY(check());
        // Its blocks may be released before the window is.
        std::weak_ptr<const alkanes::BlockExecution> made;
        {
            auto block = std::move(*(*below)->blocks().front());
            QVERIFY(replayer.analyse(block, work, {})); // its digest
            const std::string text = first_difference(*block.execution, *truth_[1]->execution);
            QVERIFY2(text.empty(), text.c_str());
            QVERIFY(block.execution->changes == changes);
            QCOMPARE(block.rounds.accepted_first, block.execution->tasks);
            made = block.execution;
        }
        QVERIFY(!made.expired());
        QVERIFY(check());

        // The one after the next is validated before the next is put together.
        QVERIFY(!(*next)->is_complete());
        state.apply(changes);
        const state::StateView& later = (*next)->leave_on(state);
        const auto last =
            replayer.execute_ahead(opened(replayer, sources_[3], later), later, silent, {});
        QVERIFY(last && !(*last)->is_complete());
        QVERIFY(replayer.join(**next, work));
        QVERIFY(replayer.analyse(*(*next)->blocks().front(), work, {}));
        const auto& then = *(*next)->blocks().front()->execution;
        const std::string difference = first_difference(then, *truth_[2]->execution);
        QVERIFY2(difference.empty(), difference.c_str());
        QVERIFY(then.changes == truth_[2]->execution->changes);
    }

    void equal_to_serial_data() {
        QTest::addColumn<QByteArray>("recipe");
        for (const char* recipe : {"independent", "mixed", "amm", "mainnet-2026", "chained"})
            QTest::addRow("%s", recipe) << QByteArray(recipe);
    }
    /// In memory, into a workspace, and again what is committed: blocks that were put together by a
    /// task, and blocks that were not, in any order.
    void equal_to_serial() {
        QFETCH(QByteArray, recipe);
        auto sources = sources_of(recipe.constData());
        const auto truth = tests::replay(sources, options_of(Strategy::serial));
        QVERIFY(truth);
        QTemporaryDir folder;
        SilentProgress silent;
        for (const unsigned workers : {2U, 4U, 8U}) // one, two and four parts of the keys
            for (const std::uint32_t window : {1U, 2U}) {
                std::size_t reported = 0;
                const BlockDone done = [&](const std::shared_ptr<const ReplayedBlock>& block) {
                    const ReplayedBlock& expected = *(*truth)[reported++];
                    std::string text =
                        window == 1 ? first_difference(*block->execution, *expected.execution)
                                    : std::string();
                    if (block->execution->digest != expected.execution->digest ||
                        block->execution->changes != expected.execution->changes ||
                        block->execution->fuel != expected.execution->fuel)
                        text += " digest, changes or fuel";
                    if (block->verified == false) text += " " + block->difference;
                    return text.empty()
                               ? Status()
                               : Status(Error{ErrorCode::verification,
                                              "block " + std::to_string(reported) + ": " + text});
                };
                const ReplayOptions options = options_of(Strategy::speculative, workers, window);
                const auto in_memory =
                    replay_on(nullptr, sources, options, false, done, silent, {});
                QVERIFY2(in_memory.ok(), in_memory ? "" : in_memory.error().message.c_str());
                QCOMPARE(std::exchange(reported, 0), sources.size());
                const auto workspace = store::Workspace::open(
                    folder.filePath(QStringLiteral("%1-%2").arg(workers).arg(window))
                        .toStdString());
                QVERIFY(workspace);
                const JoinOptions join{.beginning = {.of_chain = true}};
                for (const bool again : {false, true}) {
                    const auto summary =
                        replay_into(**workspace, sources, options, false, done, silent, {}, join);
                    QVERIFY2(summary.ok(), summary ? "" : summary.error().message.c_str());
                    QCOMPARE(std::exchange(reported, 0), sources.size());
                    QCOMPARE(summary->committed, again ? 0 : sources.size());
                    QVERIFY(summary->state_digest == in_memory->state_digest);
                }
            }
    }

    /// Whatever the number of parts, and on whichever threads and in whichever order they are
    /// found.
    void put_together_in_parts() {
        Replayer replayer(options_of(Strategy::speculative, 3));
        SilentProgress silent;
        LayeredState state(nullptr);
        state.apply(truth_[0]->execution->changes);
        for (std::size_t parts = 1; parts <= 9; ++parts) {
            const auto window =
                replayer.execute_ahead(opened(replayer, sources_[1], state), state, silent, {});
            QVERIFY(window && !(*window)->is_complete());
            (*window)->divide(parts);
            std::vector<Status> found(parts);
            std::vector<Phases> work(parts);
            std::vector<WorkerPool::Task> tasks;
            for (std::size_t part = parts; part-- > 0;)
                tasks.push_back(replayer.pool()->post([&, part](unsigned worker) {
                    found[part] = replayer.join_part(**window, part, work[part], worker);
                }));
            for (const WorkerPool::Task& task : tasks) replayer.pool()->wait_for(task);
            for (const Status& status : found) QVERIFY(status);
            // And of the pieces of the block, which no longer need the parts' threads.
            const std::size_t pieces = parts * parts;
            QVERIFY(replayer.begin_join(**window, 0, pieces, work[0]));
            std::vector<Status> done(pieces);
            std::vector<Phases> spent(pieces);
            tasks.clear();
            for (std::size_t piece = pieces; piece-- > 0;)
                tasks.push_back(replayer.pool()->post([&, piece](unsigned worker) {
                    done[piece] = replayer.join_piece(**window, piece, spent[piece], worker);
                }));
            for (const WorkerPool::Task& task : tasks) replayer.pool()->wait_for(task);
            for (const Status& status : done) QVERIFY(status);
            QVERIFY(replayer.end_join(**window, work[0]));
            auto block = std::move(*(*window)->blocks().front());
            QVERIFY(replayer.analyse(block, work[0], {})); // its digest
            const std::string text = first_difference(*block.execution, *truth_[1]->execution);
            QVERIFY2(text.empty(), text.c_str());
            QVERIFY(block.execution->changes == truth_[1]->execution->changes);
        }
    }

    void cancelled_data() {
        QTest::addColumn<std::size_t>("at");
        for (std::size_t at = 0; at < block_count; ++at) QTest::addRow("block %zu", at) << at;
    }
    /// What was committed when a replay was cancelled is the serial run's, and another replay
    /// continues from there.
    void cancelled() {
        QFETCH(std::size_t, at);
        QTemporaryDir folder;
        const auto workspace =
            store::Workspace::open(folder.filePath(QStringLiteral("w")).toStdString());
        QVERIFY(workspace);
        const JoinOptions join{.beginning = {.of_chain = true}};
        const ReplayOptions options = options_of(Strategy::speculative, 3);
        SilentProgress silent;
        std::stop_source stop;
        std::size_t reported = 0;
        const auto ended = replay_into(
            **workspace, sources_, options, false,
            [&](const std::shared_ptr<const ReplayedBlock>&) {
                if (reported++ == at) stop.request_stop();
                return Status();
            },
            silent, stop.get_token(), join);
        if (!ended) QCOMPARE(ended.error().code, ErrorCode::cancelled);
        QVERIFY(reported > at);
        QCOMPARE((*workspace)->tip()->height, *sources_[reported - 1].height);
        const auto rest = replay_into(
            **workspace, sources_, options, false, [](const auto&) { return Status(); }, silent, {},
            join);
        QVERIFY2(rest.ok(), rest ? "" : rest.error().message.c_str());
        for (std::size_t i = 0; i < block_count; ++i)
            QVERIFY((*(*workspace)->block(*sources_[i].height))->digest ==
                    truth_[i]->execution->digest);
    }

    /// Whichever read of the state fails, of an execution or of what puts a block together: the
    /// blocks before are reported, and the error is.
    void a_state_that_cannot_be_read() {
        LayeredState before(nullptr);
        before.apply(truth_[0]->execution->changes);
        const auto rest = std::span(sources_).subspan(1);
        // A block is put together in four parts.
        const ReplayOptions options = options_of(Strategy::speculative, 8);
        const state::ChangeList& changes = truth_[2]->execution->changes;
        SilentProgress silent;
        unsigned failed = 0;
        for (const std::size_t at : {std::size_t{0}, changes.size() / 2, changes.size() - 1})
            for (unsigned refused = 1;; ++refused) {
                const tests::RefusingView view(before, changes[at].key, refused);
                std::size_t reported = 0;
                const auto summary = replay_on(
                    &view, rest, options, false,
                    [&](const std::shared_ptr<const ReplayedBlock>& block) {
                        const auto& expected = *truth_[++reported]->execution;
                        return block->execution->digest == expected.digest
                                   ? Status()
                                   : Status(Error{ErrorCode::verification, "another digest"});
                    },
                    silent, {});
                if (view.reads() < refused) {
                    QVERIFY2(summary.ok(), summary ? "" : summary.error().message.c_str());
                    QCOMPARE(reported, block_count - 1);
                    break;
                }
                QVERIFY(!summary);
                QVERIFY2(summary.error().message.find("refused") != std::string::npos,
                         summary.error().message.c_str());
                QVERIFY(reported < block_count - 1);
                ++failed;
            }
        QVERIFY2(failed >= 6, qPrintable(QString::number(failed)));
    }

private:
    std::vector<ReplaySource> sources_;
    tests::ReplayedBlocks truth_;
};

QTEST_GUILESS_MAIN(TestExecutedAhead)
#include "test_executed_ahead.moc"
