// Contention, reasons, chains and the conflict graph of random traces, against the naive reference.
#include "conflict/contention.h"
#include "conflict/index_conflicts.h"
#include "conflict/levels.h"
#include "conflict/naive.h"
#include "conflict/random_traces.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <numeric>

using namespace blockloom;
using namespace blockloom::test;
using conflict::ConflictIndex;
using conflict::ConflictModel;

namespace {

constexpr ConflictModel models[] = {ConflictModel::single_version, ConflictModel::multi_version};
constexpr int rounds = 120;

struct Sample {
    std::shared_ptr<const trace::PolicedTrace> policed;
    NaiveTrace naive;
    [[nodiscard]] std::string name(conflict::KeyId key) const {
        return policed->keys->printable(key);
    }
};

Sample draw(std::mt19937_64& random) {
    const auto made = random_trace(random, random_shape(random));
    const trace::KeyPolicy policy = random_policy(random);
    Result<trace::PolicedTrace> applied = trace::apply(made, policy, true);
    if (!applied) qFatal("%s", applied.error().message.c_str());
    return {std::make_shared<const trace::PolicedTrace>(*std::move(applied)),
            naive_apply(*made, policy, true)};
}

ConflictIndex index_of(const Sample& sample, ConflictModel model) {
    Result<ConflictIndex> index = conflict::index_conflicts(sample.policed, model);
    if (!index) qFatal("%s", index.error().message.c_str());
    return *std::move(index);
}

double parallelism(const NaiveFigures& figures) {
    return figures.span == 0
               ? 1.0
               : static_cast<double>(figures.work) / static_cast<double>(figures.span);
}

} // namespace

class TestDetails : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contention_equals_the_naive_reference() {
        std::mt19937_64 random(21);
        std::size_t gains = 0;
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random);
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(sample, model);
                const auto ranked = conflict::contention(index, 1000);
                QVERIFY(ranked.ok());
                std::set<std::string> listed;
                for (std::size_t i = 0; i < ranked->size(); ++i) {
                    const conflict::KeyContention& key = (*ranked)[i];
                    const std::string name = sample.name(key.key);
                    listed.insert(name);
                    std::uint32_t readers = 0, writers = 0;
                    std::uint64_t pairs = 0;
                    for (Task j = 0; j < sample.naive.tasks.size(); ++j) {
                        const auto touch = sample.naive.tasks[j].find(name);
                        if (touch == sample.naive.tasks[j].end()) continue;
                        readers += touch->second.reads;
                        writers += touch->second.writes;
                        for (Task k = 0; k < j; ++k)
                            pairs += kinds_on(sample.naive, name, k, j) != 0;
                    }
                    QCOMPARE(key.readers, readers);
                    QCOMPARE(key.writers, writers);
                    QCOMPARE(key.conflict_pairs, pairs);
                    QVERIFY(pairs > 0);
                    const double gain =
                        parallelism(naive_figures(without(sample.naive, name), model)) /
                        parallelism(naive_figures(sample.naive, model));
                    QCOMPARE(key.gain_if_relaxed, gain);
                    QVERIFY(key.gain_if_relaxed >= 1);
                    gains += gain > 1;
                    if (i == 0) continue;
                    const conflict::KeyContention& above = (*ranked)[i - 1];
                    QVERIFY(above.conflict_pairs > key.conflict_pairs ||
                            (above.conflict_pairs == key.conflict_pairs && above.key < key.key));
                }
                for (Task j = 0; j < sample.naive.tasks.size(); ++j)
                    for (const auto& [name, touch] : sample.naive.tasks[j])
                        for (Task i = 0; i < j; ++i)
                            QVERIFY(kinds_on(sample.naive, name, i, j) == 0 ||
                                    listed.count(name) == 1);
                const auto fewer = conflict::contention(index, 2);
                QVERIFY(fewer.ok());
                QCOMPARE(fewer->size(), std::min<std::size_t>(2, ranked->size()));
                for (std::size_t i = 0; i < fewer->size(); ++i)
                    QCOMPARE((*fewer)[i].key, (*ranked)[i].key);
            }
        }
        QVERIFY(gains > 100); // else the samples would say nothing
    }

    void span_without_any_key_equals_the_naive_reference() {
        std::mt19937_64 random(22);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random);
            for (const ConflictModel model : models) {
                const std::uint64_t whole = conflict::find_span(*sample.policed, model);
                std::vector<conflict::KeyId> all(sample.policed->access_sets().key_count);
                std::iota(all.begin(), all.end(), conflict::KeyId{0});
                const auto spans = conflict::find_spans(*sample.policed, model, all);
                for (conflict::KeyId key = 0; key < sample.policed->access_sets().key_count;
                     ++key) {
                    const std::uint64_t span = conflict::find_span(*sample.policed, model, key);
                    QVERIFY(span <= whole);
                    QCOMPARE(spans[key], span);
                    QCOMPARE(span,
                             naive_figures(without(sample.naive, sample.name(key)), model).span);
                }
            }
        }
    }

    void spans_beyond_31_bits_are_found_too() {
        std::mt19937_64 random(26);
        for (int round = 0; round < 20; ++round) {
            const Sample sample = draw(random);
            auto dear = std::make_shared<trace::PolicedTrace>(*sample.policed);
            dear->cost.assign(dear->tasks(), 1);
            for (std::uint64_t& cost : dear->cost) cost = random() >> 8;
            std::vector<conflict::KeyId> all(dear->access_sets().key_count);
            std::iota(all.begin(), all.end(), conflict::KeyId{0});
            const auto spans = conflict::find_spans(*dear, ConflictModel::single_version, all);
            for (const conflict::KeyId key : all)
                QCOMPARE(spans[key],
                         conflict::find_span(*dear, ConflictModel::single_version, key));
        }
    }

    void reasons_name_the_lowest_key_of_each_edge() {
        std::mt19937_64 random(23);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random);
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(sample, model);
                for (conflict::TaskId task = 0; task < index.tasks(); ++task) {
                    const auto reasons = conflict::waits_for(index, task);
                    const auto before = index.predecessors_of(task);
                    QCOMPARE(reasons.size(), before.size());
                    for (std::size_t i = 0; i < reasons.size(); ++i) {
                        QCOMPARE(reasons[i].task, before[i]);
                        conflict::KeyId lowest = conflict::no_key;
                        for (const trace::Access access : sample.policed->access_sets().of(task))
                            if (makes_edge(sample.naive, model, sample.name(access.key()),
                                           before[i], task))
                                lowest = std::min(lowest, access.key());
                        QCOMPARE(reasons[i].key, lowest);
                        const std::uint32_t all =
                            lowest == conflict::no_key
                                ? 0
                                : kinds_on(sample.naive, sample.name(lowest), before[i], task);
                        const bool multi = model == ConflictModel::multi_version;
                        QCOMPARE(reasons[i].kinds, multi ? all & 1 : all);
                    }
                }
                QVERIFY(conflict::waits_for(index, index.tasks()).empty());
            }
        }
    }

    void the_critical_chain_is_a_chain_and_costs_the_span() {
        std::mt19937_64 random(24);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random);
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(sample, model);
                const auto chain = conflict::critical_chain(index);
                QCOMPARE(chain.empty(), index.tasks() == 0);
                std::uint64_t cost = 0;
                for (std::size_t i = 0; i < chain.size(); ++i) {
                    cost += sample.policed->cost_of(chain[i]);
                    if (i == 0) continue;
                    const auto before = index.predecessors_of(chain[i]);
                    QVERIFY(std::binary_search(before.begin(), before.end(), chain[i - 1]));
                }
                QCOMPARE(cost, index.span);
            }
        }
    }

    void the_conflict_graph_holds_exactly_the_pairs() {
        std::mt19937_64 random(25);
        for (int round = 0; round < rounds; ++round) {
            const Sample sample = draw(random);
            const NaiveFigures naive = naive_figures(sample.naive, ConflictModel::single_version);
            const auto graph = conflict::conflict_graph(*sample.policed, naive.pairs.any);
            QVERIFY(graph.ok());
            QCOMPARE(std::size_t{graph->vertices()}, sample.naive.tasks.size());
            QCOMPARE(graph->edges(), naive.pairs.any);
            std::set<Edge> found;
            for (conflict::TaskId v = 0; v < graph->vertices(); ++v) {
                const auto neighbours = graph->of(v);
                QVERIFY(std::is_sorted(neighbours.begin(), neighbours.end(), std::less_equal<>()));
                for (const conflict::TaskId other : neighbours) {
                    QVERIFY(other != v);
                    found.insert(std::minmax<Task>(v, other));
                }
            }
            QVERIFY(found == naive.conflicts);
            if (naive.pairs.any == 0) continue;
            const auto refused = conflict::conflict_graph(*sample.policed, naive.pairs.any - 1);
            QVERIFY(!refused.ok());
            QVERIFY(refused.error().message.find(std::to_string(naive.pairs.any)) !=
                    std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(TestDetails)
#include "test_details.moc"
