// Every figure of random traces equals that of the naive reference, and the invariants hold.
#include "conflict/conflict_index.h"
#include "conflict/index_conflicts.h"
#include "conflict/levels.h"
#include "conflict/naive.h"
#include "conflict/random_traces.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace blockloom;
using namespace blockloom::test;
using conflict::ConflictIndex;
using conflict::ConflictModel;

namespace {

constexpr ConflictModel models[] = {ConflictModel::single_version, ConflictModel::multi_version};
constexpr int rounds = 400;

std::set<Edge> edges_of(const ConflictIndex& index) {
    std::set<Edge> edges;
    for (conflict::TaskId task = 0; task < index.tasks(); ++task)
        for (const conflict::TaskId before : index.predecessors_of(task))
            edges.insert({before, task});
    return edges;
}

/// One random trace under one policy: the engine's value and the naive one.
struct Sample {
    std::shared_ptr<const trace::PolicedTrace> policed;
    NaiveTrace naive;
};

Sample draw(std::mt19937_64& random, bool with_policy) {
    const auto made = random_trace(random, random_shape(random));
    const trace::KeyPolicy policy = with_policy ? random_policy(random) : trace::KeyPolicy{};
    const bool use_cost = random() % 2 == 0;
    Result<trace::PolicedTrace> applied = trace::apply(made, policy, use_cost);
    if (!applied) qFatal("%s", applied.error().message.c_str());
    return {std::make_shared<const trace::PolicedTrace>(*std::move(applied)),
            naive_apply(*made, policy, use_cost)};
}

ConflictIndex index_of(const Sample& sample, ConflictModel model) {
    Result<ConflictIndex> index = conflict::index_conflicts(sample.policed, model);
    if (!index) qFatal("%s", index.error().message.c_str());
    return *std::move(index);
}

} // namespace

class TestIndex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figures_equal_the_naive_reference_data() {
        QTest::addColumn<bool>("with_policy");
        QTest::newRow("nothing left out") << false;
        QTest::newRow("random policies") << true;
    }

    void figures_equal_the_naive_reference() {
        QFETCH(bool, with_policy);
        std::mt19937_64 random(11);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random, with_policy);
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(sample, model);
                const NaiveFigures naive = naive_figures(sample.naive, model);
                QCOMPARE(std::size_t{index.tasks()}, sample.naive.tasks.size());
                QVERIFY(edges_of(index) == naive.edges);
                QCOMPARE(index.edges(), naive.edges.size());
                QCOMPARE(index.level, naive.level);
                QCOMPARE(index.level_sizes, naive.level_sizes);
                QCOMPARE(index.group, naive.group);
                QCOMPARE(index.finish, naive.finish);
                QVERIFY(index.pairs == naive.pairs);
                QCOMPARE(index.accesses, naive.accesses);
                QCOMPARE(index.keys, naive.keys);
                QCOMPARE(index.conflicting_tasks, naive.conflicting_tasks);
                QCOMPARE(index.groups, naive.groups);
                QCOMPARE(index.largest_group, naive.largest_group);
                QCOMPARE(index.parallel_tasks, naive.parallel_tasks);
                QCOMPARE(index.work, naive.work);
                QCOMPARE(index.span, naive.span);
                QCOMPARE(conflict::find_levels(*sample.policed, model), naive.level);
                QCOMPARE(conflict::find_span(*sample.policed, model), naive.span);
            }
        }
    }

    /// Small traces, and one whose pairs are counted in several units.
    void in_any_number_of_pieces() {
        std::mt19937_64 random(14);
        for (int round = 0; round < 60; ++round) {
            Sample sample = draw(random, round % 2 == 0);
            if (round == 0) {
                TraceShape shape;
                shape.tasks = 17'000;
                shape.keys = 9'000;
                shape.most_touches = 4;
                shape.skew = 1.0;
                sample.policed = std::make_shared<const trace::PolicedTrace>(
                    *trace::apply(random_trace(random, shape), {}, false));
                QCOMPARE(conflict::ConflictIndexing::most_pieces(shape.tasks), std::size_t{7});
            }
            const ConflictModel model = models[round / 2 % 2];
            const ConflictIndex whole = index_of(sample, model);
            if (round == 0) QVERIFY(whole.pairs.any > 0);
            for (std::size_t pieces = 1; pieces <= 9; ++pieces) {
                conflict::ConflictIndexing indexing(model, pieces);
                QVERIFY(indexing.begin(sample.policed));
                for (std::size_t piece = pieces; piece-- > 0;)
                    QVERIFY(indexing.run_piece(piece, {}));
                const ConflictIndex index = indexing.finish();
                QCOMPARE(index.trace, whole.trace);
                QVERIFY(index.model == whole.model && index.pairs == whole.pairs);
                QCOMPARE(index.predecessor_begin, whole.predecessor_begin);
                QCOMPARE(index.predecessors, whole.predecessors);
                QCOMPARE(index.level, whole.level);
                QCOMPARE(index.group, whole.group);
                QCOMPARE(index.finish, whole.finish);
                QCOMPARE(index.level_sizes, whole.level_sizes);
                QCOMPARE(index.accesses, whole.accesses);
                QCOMPARE(index.keys, whole.keys);
                QCOMPARE(index.work, whole.work);
                QCOMPARE(index.span, whole.span);
            }
        }
    }

    void pieces_that_fail() {
        std::mt19937_64 random(15);
        TraceShape shape;
        shape.tasks = 300;
        const auto policed = trace::apply(random_trace(random, shape), {}, false);
        QVERIFY(policed);
        conflict::ConflictIndexing indexing(ConflictModel::single_version, 2);
        QVERIFY(!indexing.begin(nullptr));
        auto broken = std::make_shared<trace::PolicedTrace>(*policed);
        broken->commutative.assign(1, true); // too few
        QVERIFY(!indexing.begin(broken));
        QVERIFY(indexing.begin(std::make_shared<const trace::PolicedTrace>(*policed)));
        std::stop_source stop;
        stop.request_stop();
        const Status pairs = indexing.run_piece(1, stop.get_token());
        QVERIFY(!pairs);
        QCOMPARE(pairs.error().code, ErrorCode::cancelled);
    }

    void predecessors_are_ascending_and_distinct() {
        std::mt19937_64 random(12);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random, true);
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(sample, model);
                for (conflict::TaskId task = 0; task < index.tasks(); ++task) {
                    const auto before = index.predecessors_of(task);
                    QVERIFY(std::is_sorted(before.begin(), before.end(), std::less_equal<>()));
                    QVERIFY(before.empty() || before.back() < task);
                }
            }
        }
    }

    void edges_reach_exactly_what_conflict_pairs_reach() {
        std::mt19937_64 random(13);
        for (int round = 0; round < rounds; ++round) {
            Sample sample = draw(random, true);
            sample.naive.transaction.clear();
            const NaiveFigures naive = naive_figures(sample.naive, ConflictModel::single_version);
            const std::size_t n = sample.naive.tasks.size();
            const auto closure = [n](const std::set<Edge>& edges) {
                std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
                for (Task j = 0; j < n; ++j)
                    for (Task i = 0; i < j; ++i) {
                        if (edges.count({i, j}) == 0) continue;
                        reach[j][i] = true;
                        for (Task k = 0; k < i; ++k) reach[j][k] = reach[j][k] || reach[i][k];
                    }
                return reach;
            };
            auto policed = std::make_shared<trace::PolicedTrace>(*sample.policed);
            policed->transaction.clear();
            const auto index = conflict::index_conflicts(policed, ConflictModel::single_version);
            QVERIFY(index.ok());
            QVERIFY(closure(edges_of(*index)) == closure(naive.conflicts));
        }
    }

    void at_most_two_edges_an_access_without_commutative_keys() {
        std::mt19937_64 random(14);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random, false);
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(sample, model);
                const std::uint64_t program =
                    sample.policed->transaction.empty() ? 0 : index.tasks();
                QVERIFY(index.edges() <= 2 * index.accesses + program);
            }
        }
    }

    void levels_have_no_reordered_pair() {
        std::mt19937_64 random(15);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random, true);
            const ConflictIndex index = index_of(sample, ConflictModel::single_version);
            for (const auto& [i, j] :
                 naive_figures(sample.naive, ConflictModel::single_version).conflicts)
                QVERIFY(index.level[i] < index.level[j]);
        }
    }

    void multi_version_orders_no_more_than_single_version() {
        std::mt19937_64 random(16);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random, true);
            const ConflictIndex single = index_of(sample, ConflictModel::single_version);
            const ConflictIndex multi = index_of(sample, ConflictModel::multi_version);
            QVERIFY(multi.span <= single.span);
            QVERIFY(multi.pairs == single.pairs);
            for (conflict::TaskId task = 0; task < single.tasks(); ++task)
                QVERIFY(multi.level[task] <= single.level[task]);
        }
    }

    void bounds_of_span_hold() {
        std::mt19937_64 random(17);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random, true);
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(sample, model);
                QVERIFY(index.span <= index.work);
                if (sample.policed->cost.empty()) QCOMPARE(index.span, index.level_sizes.size());
                QCOMPARE(index.isolated() + index.conflicting_tasks, std::uint64_t{index.tasks()});
                if (index.tasks() != 0) QVERIFY(index.parallelism() >= 1.0);
            }
        }
    }

    void without_pairs_all_else_is_the_same() {
        std::mt19937_64 random(18);
        for (int round = 0; round < 50; ++round) {
            const Sample sample = draw(random, true);
            const ConflictIndex index = index_of(sample, ConflictModel::single_version);
            const auto other =
                conflict::index_without_pairs(sample.policed, ConflictModel::single_version);
            QVERIFY(other.ok());
            QCOMPARE(other->predecessors, index.predecessors);
            QCOMPARE(other->level, index.level);
            QCOMPARE(other->group, index.group);
            QVERIFY(other->pairs == conflict::ConflictPairs{});
        }
    }

    void broken_sets_are_refused() {
        const auto refused = [](trace::AccessSets sets) {
            auto block = std::make_shared<trace::BlockTrace>();
            block->sets = std::move(sets);
            auto policed = std::make_shared<trace::PolicedTrace>();
            policed->original = block;
            return !conflict::index_conflicts(policed, ConflictModel::single_version).ok();
        };
        const std::vector<trace::Access> one{{0, trace::Mode::read}};
        QVERIFY(!refused({{0, 1}, one, 1}));
        QVERIFY(refused({{0, 1}, one, 0}));
        QVERIFY(refused({{0, 2}, one, 1}));
        QVERIFY(refused({{0, 1, 0, 1}, one, 1}));
        QVERIFY(refused({{}, {}, 0}));
        QVERIFY(!conflict::index_conflicts(nullptr, ConflictModel::single_version).ok());
    }

    void a_stop_is_heard() {
        std::mt19937_64 random(19);
        std::stop_source stop;
        stop.request_stop();
        const auto made = random_trace(random, {});
        auto policed = trace::apply(made, {}, false);
        QVERIFY(policed.ok());
        const auto index =
            conflict::index_conflicts(std::make_shared<trace::PolicedTrace>(*policed),
                                      ConflictModel::single_version, stop.get_token());
        QVERIFY(!index.ok());
        QCOMPARE(index.error().code, ErrorCode::cancelled);
    }
};

QTEST_APPLESS_MAIN(TestIndex)
#include "test_index.moc"
