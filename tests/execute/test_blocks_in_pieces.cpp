// Blocks that are large enough to be put together and analysed in pieces: the same executions,
// traces and indices as in one piece, and the same errors.
#include "alkanes/block_trace.h"
#include "execute/divided_task.h"
#include "execute/first_difference.h"
#include "execute/layered_state.h"
#include "execute/refusing_view.h"
#include "execute/replayed_recipes.h"
#include "execute/replayer.h"

#include <QtTest>

#include <stop_token>

using namespace blockloom;
using namespace blockloom::execute;

namespace {

constexpr std::uint32_t tasks_a_block = 1100; // in two pieces
constexpr std::size_t block_count = 3;

ReplayOptions options_of(Strategy strategy, unsigned workers = 0) {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    options.strategy.strategy = strategy;
    options.strategy.workers = workers;
    return options;
}

std::string difference(const trace::BlockTrace& a, const trace::BlockTrace& b) {
    if (a.sets.begin != b.sets.begin || a.sets.accesses != b.sets.accesses ||
        a.sets.key_count != b.sets.key_count)
        return "access sets";
    if (a.chain != b.chain || a.block.height != b.block.height || a.block.hash != b.block.hash ||
        a.block.label != b.block.label)
        return "block";
    if (a.cost != b.cost || a.cost_unit != b.cost_unit || a.transaction != b.transaction)
        return "costs or transactions";
    for (trace::KeyId key = 0; key < a.sets.key_count; ++key)
        if (a.keys->printable(key) != b.keys->printable(key)) return "key";
    for (trace::TaskId task = 0; task < a.tasks(); ++task)
        if (a.names->printable(task) != b.names->printable(task)) return "task";
    return {};
}

std::string difference(const ReplayedBlock& a, const ReplayedBlock& b) {
    std::string text = first_difference(*a.execution, *b.execution);
    if (a.execution->digest != b.execution->digest) text += " digest";
    if (a.execution->changes != b.execution->changes) text += " changes";
    text += difference(*a.trace, *b.trace);
    if (a.index->predecessors != b.index->predecessors || a.index->level != b.index->level ||
        a.index->group != b.index->group || a.index->work != b.index->work ||
        a.index->span != b.index->span)
        text += " index";
    return text;
}

} // namespace

class TestBlocksInPieces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        sources_ = tests::sources_of("independent", tasks_a_block, block_count, {});
        auto truth = tests::replay(sources_, options_of(Strategy::serial));
        QVERIFY(truth);
        truth_ = *std::move(truth);
        QCOMPARE(truth_.size(), block_count);
        WorkerPool pool(4);
        QCOMPARE(DividedTask::pieces_for(tasks_a_block, &pool), std::size_t{2});
    }

    void equal_to_serial() {
        SilentProgress silent;
        for (const unsigned workers : {1U, 2U, 4U}) {
            std::size_t reported = 0;
            const auto summary = replay_on(
                nullptr, sources_, options_of(Strategy::speculative, workers), false,
                [&](const std::shared_ptr<const ReplayedBlock>& block) {
                    const std::string text = difference(*block, *truth_[reported++]);
                    return text.empty() ? Status() : Status(Error{ErrorCode::verification, text});
                },
                silent, {});
            QVERIFY2(summary.ok(), summary ? "" : summary.error().message.c_str());
            QCOMPARE(reported, block_count);
        }
    }

    /// A trace in as many pieces as there may be, of blocks with and without transactions.
    void traced_in_pieces() {
        for (const char* recipe : {"independent", "mixed", "chained"})
            for (const std::uint32_t tasks : {1U, 2U, 7U, 40U}) {
                const auto blocks = tests::replay(tests::sources_of(recipe, tasks, 2, {}),
                                                  options_of(Strategy::serial));
                QVERIFY(blocks);
                for (const auto& block : *blocks) {
                    const alkanes::BlockExecution none = alkanes::begin_execution(*block->context);
                    for (const alkanes::BlockExecution* execution :
                         {block->execution.get(), &none}) {
                        const auto whole = alkanes::trace_of(*execution, *block->context);
                        QVERIFY(whole);
                        QCOMPARE((*whole)->tasks(), static_cast<trace::TaskId>(execution->tasks));
                        const std::size_t most = execution->transactions.size() + 3;
                        for (std::size_t pieces = 1; pieces <= most; ++pieces) {
                            alkanes::BlockTracing tracing(pieces);
                            for (std::size_t piece = pieces; piece-- > 0;)
                                QVERIFY(tracing.run_piece(*execution, *block->context, piece));
                            const auto found = tracing.finish(*execution);
                            QVERIFY(found);
                            QCOMPARE(difference(**found, **whole), std::string());
                        }
                    }
                }
            }
    }

    /// A part of a block that fails: its pieces are not run, and it is neither analysed nor
    /// reported.
    void a_state_that_cannot_be_read() {
        LayeredState before(nullptr);
        before.apply(truth_[0]->execution->changes);
        const auto rest = std::span(sources_).subspan(1);
        const ReplayOptions options = options_of(Strategy::speculative, 4);
        const state::ChangeList& changes = truth_[1]->execution->changes;
        const state::Key& key = changes[changes.size() / 2].key;
        SilentProgress silent;
        unsigned failed = 0;
        for (unsigned refused = 1;; ++refused) {
            const tests::RefusingView view(before, key, refused);
            std::size_t reported = 0;
            const auto summary = replay_on(
                &view, rest, options, false,
                [&](const std::shared_ptr<const ReplayedBlock>& block) {
                    const std::string text = difference(*block, *truth_[++reported]);
                    return text.empty() ? Status() : Status(Error{ErrorCode::verification, text});
                },
                silent, {});
            if (view.reads() < refused) {
                QVERIFY2(summary.ok(), summary ? "" : summary.error().message.c_str());
                QCOMPARE(reported, block_count - 1);
                break;
            }
            QVERIFY(!summary);
            QCOMPARE(summary.error().code, ErrorCode::system);
            QVERIFY2(summary.error().message.find("refused") != std::string::npos,
                     summary.error().message.c_str());
            QVERIFY(reported < block_count - 1);
            ++failed;
        }
        QVERIFY(failed >= 2);
    }

    void cancelled_data() {
        QTest::addColumn<std::size_t>("at");
        for (std::size_t at = 0; at < block_count; ++at) QTest::addRow("block %zu", at) << at;
    }
    void cancelled() {
        QFETCH(std::size_t, at);
        SilentProgress silent;
        std::stop_source stop;
        std::size_t reported = 0;
        const auto ended = replay_on(
            nullptr, sources_, options_of(Strategy::speculative, 4), false,
            [&](const std::shared_ptr<const ReplayedBlock>& block) {
                if (reported++ == at) stop.request_stop();
                const std::string text = difference(*block, *truth_[reported - 1]);
                return text.empty() ? Status() : Status(Error{ErrorCode::verification, text});
            },
            silent, stop.get_token());
        if (!ended) QCOMPARE(ended.error().code, ErrorCode::cancelled);
        QVERIFY(reported > at);
    }

private:
    std::vector<ReplaySource> sources_;
    tests::ReplayedBlocks truth_;
};

QTEST_GUILESS_MAIN(TestBlocksInPieces)
#include "test_blocks_in_pieces.moc"
