// A block's analysis: each part is what its own function says, options are followed, and it can be
// stopped.
#include "random_graphs.h"
#include "schedule/block_analysis.h"

#include <QTest>

using namespace blockloom;
using namespace blockloom::schedule;
using namespace blockloom::testing;

namespace {

std::shared_ptr<const trace::BlockTrace> random_block(Random& random) {
    TraceShape shape = random_shape(random);
    shape.commutative = false;
    return random_trace(random, shape)->original;
}

} // namespace

class TestAnalysis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parts_equal_what_their_functions_say() {
        Random random(1);
        for (int round = 0; round < 100; ++round) {
            const auto block = random_block(random);
            AnalysisOptions options;
            options.use_cost = round % 2 == 0;
            options.model = round % 3 == 0 ? conflict::ConflictModel::multi_version
                                           : conflict::ConflictModel::single_version;
            options.workers = {1, 3, 7};
            const auto analysis = analyse(block, options);
            QVERIFY(analysis.ok());
            const ConflictIndex& index = *analysis->index;
            QCOMPARE(index.tasks(), block->tasks());
            QCOMPARE(index.model, options.model);
            std::uint64_t work = 0;
            for (TaskId task = 0; task < block->tasks(); ++task)
                work += options.use_cost ? block->cost_of(task) : 1;
            QCOMPARE(index.work, work);
            QCOMPARE(analysis->makespans.size(), options.workers.size());
            for (std::size_t i = 0; i < options.workers.size(); ++i) {
                const Makespans& makespans = analysis->makespans[i];
                QCOMPARE(makespans.workers, options.workers[i]);
                QCOMPARE(makespans.levels, schedule_levels(index, makespans.workers).makespan);
                QCOMPARE(makespans.list, schedule_list(index, makespans.workers).makespan);
                QCOMPARE(makespans.optimistic,
                         schedule_optimistic(index, makespans.workers).makespan);
            }
            const auto graph = conflict::conflict_graph(*index.trace, 1'000'000);
            QVERIFY(graph.ok());
            QVERIFY(analysis->colouring.has_value());
            QVERIFY(analysis->colouring_skipped.empty());
            QVERIFY(is_proper(*graph, analysis->colouring->colouring.colour));
            QCOMPARE(analysis->colouring->colouring.colour,
                     colour(*graph, Algorithm::dsatur).colour);
            QCOMPARE(analysis->colouring->reordered_pairs,
                     reordered_pairs(*graph, analysis->colouring->colouring.colour));
            QVERIFY(analysis->analyse_ns > 0 && analysis->schedule_ns > 0);
        }
    }

    /// Whatever index is offered, the analysis is the same; one by the same rules is shared.
    void an_index_by_the_same_rules_is_shared() {
        std::vector<AnalysisOptions> rules;
        for (const auto model :
             {conflict::ConflictModel::single_version, conflict::ConflictModel::multi_version})
            for (const bool use_cost : {false, true})
                for (const bool ignored : {false, true}) {
                    AnalysisOptions options;
                    options.model = model;
                    options.use_cost = use_cost;
                    if (ignored) options.policy.ignore = {"*"};
                    rules.push_back(options);
                }
        Random random(5);
        for (int round = 0; round < 10; ++round) {
            const auto block = random_block(random);
            const auto copy = std::make_shared<const trace::BlockTrace>(*block);
            for (const AnalysisOptions& of : rules) {
                const auto known = analyse(block, of)->index;
                for (const AnalysisOptions& options : rules) {
                    const auto alone = analyse(block, options);
                    const auto offered = analyse(block, options, {}, known);
                    QVERIFY(alone.ok() && offered.ok());
                    const bool costs_alike = of.use_cost == options.use_cost || block->cost.empty();
                    QCOMPARE(offered->index == known, of.model == options.model && costs_alike &&
                                                          options.policy.leaves_all() &&
                                                          known->trace->same_sets);
                    QCOMPARE(offered->index->predecessors, alone->index->predecessors);
                    QCOMPARE(offered->index->finish, alone->index->finish);
                    QVERIFY(offered->index->pairs == alone->index->pairs);
                    QCOMPARE(offered->makespans.back().list, alone->makespans.back().list);
                }
                QVERIFY(analyse(copy, of, {}, known)->index != known); // of another trace
            }
        }
    }

    void hot_keys_are_as_many_as_asked_for() {
        Random random(2);
        const auto block = random_trace(random, {100, 5, 4, 0, false, false})->original;
        AnalysisOptions options;
        options.hot_keys = 2;
        const auto analysis = analyse(block, options);
        QVERIFY(analysis.ok());
        QCOMPARE(analysis->hot_keys.size(), 2u);
        options.hot_keys = 0;
        QVERIFY(analyse(block, options)->hot_keys.empty());
    }

    void no_colouring_where_none_is_asked_for_or_pairs_are_too_many() {
        Random random(3);
        const auto block = random_trace(random, {50, 2, 2, 0, false, false})->original;
        AnalysisOptions options;
        options.colouring.reset();
        const auto without = analyse(block, options);
        QVERIFY(without.ok());
        QVERIFY(!without->colouring.has_value());
        QVERIFY(without->colouring_skipped.empty());

        options.colouring = Algorithm::greedy;
        options.most_colouring_pairs = without->index->pairs.any - 1;
        const auto skipped = analyse(block, options);
        QVERIFY(skipped.ok());
        QVERIFY(!skipped->colouring.has_value());
        QVERIFY(skipped->colouring_skipped.find(std::to_string(without->index->pairs.any)) !=
                std::string::npos);

        options.most_colouring_pairs = without->index->pairs.any;
        const auto made = analyse(block, options);
        QVERIFY(made.ok());
        QVERIFY(made->colouring.has_value());
        QCOMPARE(made->colouring->colouring.algorithm, Algorithm::greedy);
    }

    void an_empty_block_has_an_analysis() {
        const auto analysis = analyse(std::make_shared<trace::BlockTrace>(), {});
        QVERIFY(analysis.ok());
        QCOMPARE(analysis->index->tasks(), 0u);
        QCOMPARE(analysis->makespans.front().list, 0u);
        QCOMPARE(analysis->colouring->colouring.colours, 0u);
    }

    void a_stop_cancels_and_a_bad_policy_is_refused() {
        Random random(4);
        const auto block = random_trace(random, {50, 5, 3, 0, false, false})->original;
        std::stop_source source;
        source.request_stop();
        const auto stopped = analyse(block, {}, source.get_token());
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);

        AnalysisOptions options;
        options.policy.ignore = {"[unclosed"};
        QVERIFY(!analyse(block, options).ok());
    }
};

QTEST_APPLESS_MAIN(TestAnalysis)
#include "test_analysis.moc"
