// Dense graphs as rows of bits: the same pairs, the same colours and the same figures as adjacency
// lists give.
#include "conflict/conflict_matrix.h"
#include "random_graphs.h"
#include "schedule/block_analysis.h"
#include "schedule/dense_dsatur.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace blockloom;
using namespace blockloom::schedule;
using namespace blockloom::testing;
using conflict::ConflictMatrix;

namespace {

constexpr std::uint64_t any_number = 1'000'000;

/// Some keys have more tasks than are set pair by pair, and rows more than one word.
std::shared_ptr<const trace::PolicedTrace> wide_trace(Random& random) {
    TraceShape shape;
    shape.tasks = below(random, 400);
    shape.keys = 1 + below(random, random() % 2 == 0 ? 12 : 300);
    shape.most_accesses = 1 + below(random, 8);
    shape.commutative = random() % 3 == 0;
    return random_trace(random, shape);
}

bool adjacent(const ConflictMatrix& matrix, TaskId a, TaskId b) {
    return (matrix.of(a)[b / ConflictMatrix::word_bits] >> (b % ConflictMatrix::word_bits) & 1) !=
           0;
}

} // namespace

class TestDenseDsatur : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rows_hold_exactly_the_pairs_of_the_graph() {
        Random random(1);
        for (int round = 0; round < 60; ++round) {
            const auto trace = wide_trace(random);
            const auto graph = conflict::conflict_graph(*trace, any_number);
            std::vector<TaskId> vertex_of(trace->tasks());
            std::iota(vertex_of.begin(), vertex_of.end(), 0);
            const bool permuted = round % 2 == 0;
            if (permuted) std::shuffle(vertex_of.begin(), vertex_of.end(), random);
            const auto matrix = conflict::conflict_matrix(
                *trace, permuted ? std::span<const TaskId>(vertex_of) : std::span<const TaskId>());
            QVERIFY(graph.ok() && matrix.ok());
            QCOMPARE(matrix->vertices(), trace->tasks());
            for (TaskId task = 0; task < trace->tasks(); ++task) {
                QCOMPARE(std::size_t{matrix->degree(vertex_of[task])}, graph->of(task).size());
                for (const TaskId other : graph->of(task))
                    QVERIFY(adjacent(*matrix, vertex_of[task], vertex_of[other]));
            }
        }
    }

    void colours_and_figures_are_those_of_the_graph() {
        Random random(2);
        std::uint32_t most_colours = 0;
        for (int round = 0; round < 120; ++round) {
            const auto trace = wide_trace(random);
            const auto graph = conflict::conflict_graph(*trace, any_number);
            const auto matrix = conflict::conflict_matrix(*trace, {});
            QVERIFY(graph.ok() && matrix.ok());
            const auto colours = dense_dsatur(*trace, *matrix);
            QVERIFY(colours.ok());
            const Colouring expected = colour(*graph, Algorithm::dsatur);
            QCOMPARE(*colours, expected.colour);
            QCOMPARE(reordered_pairs(*matrix, *colours), reordered_pairs(*graph, *colours));
            // Of colours in any order, too.
            std::vector<std::uint32_t> reversed;
            for (const std::uint32_t each : *colours)
                reversed.push_back(expected.colours - 1 - each);
            QCOMPARE(reordered_pairs(*matrix, reversed), reordered_pairs(*graph, reversed));
            most_colours = std::max(most_colours, expected.colours);
        }
        QVERIFY(most_colours > ConflictMatrix::word_bits);
    }

    void a_matrix_is_worthwhile_where_it_is_smaller_than_lists() {
        QVERIFY(!ConflictMatrix::is_worthwhile(0, 0));
        QVERIFY(!ConflictMatrix::is_worthwhile(640, 640 * 10));
        QVERIFY(ConflictMatrix::is_worthwhile(640, 640 * 10 + 1));
        QVERIFY(ConflictMatrix::is_worthwhile(16'384, 40'000'000));
        QVERIFY(!ConflictMatrix::is_worthwhile(16'385, 40'000'000));
    }

    /// A clique is dense, a chain is not: the analysis is the same function of both.
    void the_analysis_colours_both_kinds_alike() {
        for (const bool dense : {true, false}) {
            auto block = std::make_shared<trace::BlockTrace>();
            constexpr TaskId tasks = 300;
            block->sets.key_count = tasks;
            for (TaskId task = 0; task < tasks; ++task) {
                if (!dense && task > 0) block->sets.accesses.emplace_back(task - 1, trace::Mode{1});
                block->sets.accesses.emplace_back(dense ? 0 : task, trace::Mode{3});
                block->sets.begin.push_back(
                    static_cast<std::uint32_t>(block->sets.accesses.size()));
            }
            const auto analysis = analyse(block, {});
            QVERIFY(analysis.ok() && analysis->colouring.has_value());
            const std::uint64_t pairs = analysis->index->pairs.any;
            QCOMPARE(ConflictMatrix::is_worthwhile(tasks, pairs), dense);
            const auto graph = conflict::conflict_graph(*analysis->index->trace, pairs);
            QCOMPARE(analysis->colouring->colouring.colours, dense ? tasks : 2);
            QCOMPARE(analysis->colouring->colouring.colour,
                     colour(*graph, Algorithm::dsatur).colour);
            QCOMPARE(analysis->colouring->reordered_pairs,
                     reordered_pairs(*graph, analysis->colouring->colouring.colour));
        }
    }

    void it_stops_when_asked_to() {
        Random random(3);
        const auto trace = random_trace(random, {200, 3, 3, 0, false, false});
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(conflict::conflict_matrix(*trace, {}, stop.get_token()).error().code,
                 ErrorCode::cancelled);
        const auto matrix = conflict::conflict_matrix(*trace, {});
        QCOMPARE(dense_dsatur(*trace, *matrix, stop.get_token()).error().code,
                 ErrorCode::cancelled);
    }
};

QTEST_APPLESS_MAIN(TestDenseDsatur)
#include "test_dense_dsatur.moc"
