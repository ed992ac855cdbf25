// Tasks in pieces: each piece runs once, the last one after all of them, and nothing is left of one
// that is withdrawn.
#include "execute/divided_task.h"

#include <QtTest>

#include <atomic>
#include <string>

using namespace blockloom;
using execute::DividedTask;
using execute::Phase;
using execute::Phases;
using execute::WorkerPool;

class TestDividedTask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// In chains: a piece begins when what it follows has ended.
    void every_piece_runs_once() {
        const std::stop_token stop;
        for (const unsigned workers : {1U, 2U, 4U}) {
            WorkerPool pool(workers);
            for (std::size_t pieces = 1; pieces <= 9; ++pieces) {
                constexpr std::size_t links = 4;
                std::vector<std::vector<std::atomic<int>>> ran;
                for (std::size_t link = 0; link < links; ++link) ran.emplace_back(pieces);
                std::atomic<std::size_t> ended{0};
                std::atomic<int> early{0};
                std::vector<Phases> sums(links);
                std::vector<std::unique_ptr<DividedTask>> chain;
                for (std::size_t link = 0; link < links; ++link) {
                    const WorkerPool::Task before =
                        chain.empty() ? WorkerPool::Task() : chain.back()->last();
                    chain.push_back(std::make_unique<DividedTask>());
                    chain.back()->post(
                        pool, pieces,
                        [&, link](unsigned, std::size_t piece, Phases& work) -> Status {
                            early += ended != link;
                            ++ran[link][piece];
                            work[Phase::commit] += static_cast<Nanoseconds>(piece + 1);
                            return {};
                        },
                        [&, link](unsigned, Status status, const Phases& work) {
                            early += !status;
                            for (const auto& each : ran[link]) early += each != 1;
                            sums[link] = work;
                            ++ended;
                        },
                        nullptr, stop, {&before, 1});
                }
                pool.wait_for(chain.back()->last());
                QCOMPARE(early.load(), 0);
                QCOMPARE(ended.load(), links);
                for (const Phases& sum : sums)
                    QCOMPARE(sum.sum(), static_cast<Nanoseconds>(pieces * (pieces + 1) / 2));
                while (!chain.empty()) chain.pop_back();
            }
        }
    }

    /// Whichever pieces fail: the others run, and the error is that of the first in their order.
    void a_piece_that_fails() {
        const std::stop_token stop;
        WorkerPool pool(3);
        constexpr std::size_t pieces = 6;
        for (unsigned failing = 0; failing < 1U << pieces; ++failing) {
            std::atomic<std::size_t> ran{0};
            std::string error = "none";
            DividedTask task;
            task.post(
                pool, pieces,
                [&](unsigned, std::size_t piece, Phases&) -> Status {
                    ++ran;
                    if ((failing >> piece) % 2 == 0) return {};
                    return Error{ErrorCode::bad_input, std::to_string(piece)};
                },
                [&](unsigned, Status status, const Phases&) {
                    error = status ? "" : status.error().message;
                },
                nullptr, stop);
            pool.wait_for(task.last());
            QCOMPARE(ran.load(), pieces);
            std::string expected;
            for (std::size_t piece = pieces; piece-- > 0;)
                if ((failing >> piece) % 2 != 0) expected = std::to_string(piece);
            QCOMPARE(error, expected);
        }
    }

    /// While the other workers are busy, and while pieces run.
    void withdrawn() {
        const std::stop_token stop;
        for (const std::size_t pieces : {1, 2, 7})
            for (const bool begun : {false, true}) {
                WorkerPool pool(2);
                std::atomic<bool> go{false}, running{false}, any{false}, ended{false};
                std::atomic<std::size_t> ran{0};
                const WorkerPool::Task busy = pool.post([&](unsigned) {
                    running = true;
                    running.notify_all();
                    go.wait(false);
                });
                running.wait(false);
                {
                    DividedTask task;
                    task.post(
                        pool, pieces,
                        [&](unsigned, std::size_t, Phases&) {
                            ++ran;
                            any = true;
                            any.notify_all();
                            return Status();
                        },
                        [&](unsigned, Status, const Phases&) { ended = true; }, nullptr, stop);
                    if (begun) {
                        go = true;
                        go.notify_all();
                        any.wait(false);
                    }
                }
                const std::size_t then = ran;
                if (!begun) QVERIFY(then == 0 && !ended);
                go = true;
                go.notify_all();
                pool.wait_for(busy);
                pool.wait_for(pool.post([](unsigned) {}));
                QCOMPARE(ran.load(), then);
            }
    }

    /// Small blocks are one piece, and no block has more pieces than workers.
    void as_many_pieces_as_are_worth_it() {
        WorkerPool pool(3);
        QCOMPARE(DividedTask::pieces_for(0, &pool), std::size_t{1});
        QCOMPARE(DividedTask::pieces_for(20, &pool), std::size_t{1});
        QCOMPARE(DividedTask::pieces_for(40'000, nullptr), std::size_t{1});
        QCOMPARE(DividedTask::pieces_for(1'100, &pool), std::size_t{2});
        QCOMPARE(DividedTask::pieces_for(40'000, &pool), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(TestDividedTask)
#include "test_divided_task.moc"
