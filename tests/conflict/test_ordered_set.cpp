// The ordered set, and the builders of edges that only blocks of many tasks reach.
#include "conflict/conflict_index.h"
#include "conflict/index_conflicts.h"
#include "conflict/levels.h"
#include "conflict/naive.h"
#include "conflict/ordered_set.h"
#include "conflict/random_traces.h"

#include <QTest>

#include <set>

using namespace blockloom;
using namespace blockloom::test;
using conflict::ConflictModel;
using trace::TaskId;

namespace {

template <typename Set> bool equals_std_set(std::size_t ids, std::mt19937_64& random) {
    Set set(ids);
    for (int round = 0; round < 50; ++round) {
        std::set<TaskId> expected;
        const TaskId near = static_cast<TaskId>(random() % ids);
        for (std::size_t n = random() % 200; n > 0; --n) {
            const auto id = static_cast<TaskId>(
                random() % 2 == 0 ? random() % ids
                                  : std::min<std::size_t>(ids - 1, near + random() % 100));
            const bool wanted = random() % 4 != 0;
            set.add(id, wanted);
            if (wanted) expected.insert(id);
        }
        std::vector<TaskId> taken;
        set.take([&](TaskId id) { taken.push_back(id); });
        if (taken != std::vector<TaskId>(expected.begin(), expected.end())) return false;
    }
    return true;
}

/// The definition again, a list of readers and a writer for each key: quick enough for many tasks.
std::vector<std::set<TaskId>> plain_edges(const trace::AccessSets& sets, ConflictModel model) {
    struct Key {
        TaskId writer = ~TaskId{0};
        std::vector<TaskId> readers;
    };
    std::vector<Key> keys(sets.key_count);
    std::vector<std::set<TaskId>> edges(sets.tasks());
    for (TaskId task = 0; task < sets.tasks(); ++task)
        for (const trace::Access access : sets.of(task)) {
            Key& key = keys[access.key()];
            const bool multi = model == ConflictModel::multi_version;
            if (key.writer != ~TaskId{0} && (access.reads() || !multi))
                edges[task].insert(key.writer);
            if (access.writes() && !multi)
                edges[task].insert(key.readers.begin(), key.readers.end());
            if (access.writes()) key = {task, {}};
            if (!access.writes()) key.readers.push_back(task);
        }
    return edges;
}

} // namespace

class TestOrderedSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gives_what_a_set_gives() {
        std::mt19937_64 random(71);
        for (const std::size_t ids : {1UL, 63UL, 64UL, 65UL, 1000UL, 4096UL})
            QVERIFY(equals_std_set<conflict::OrderedSet<2>>(ids, random));
        for (const std::size_t ids : {1UL, 4097UL, 100'000UL, 262'144UL})
            QVERIFY(equals_std_set<conflict::OrderedSet<3>>(ids, random));
        for (const std::size_t ids : {1UL, 262'145UL, 3'000'000UL})
            QVERIFY(equals_std_set<conflict::OrderedSet<5>>(ids, random));
        for (const std::size_t ids : {1UL, 30UL, 262'145UL})
            QVERIFY(equals_std_set<conflict::SortedList>(ids, random));
    }

    void blocks_of_any_size_have_the_same_edges_data() {
        QTest::addColumn<quint32>("tasks");
        for (const quint32 tasks : {4096U, 4097U, 20'000U, 262'144U, 262'145U})
            QTest::addRow("%u tasks", tasks) << tasks;
    }

    void blocks_of_any_size_have_the_same_edges() {
        QFETCH(quint32, tasks);
        std::mt19937_64 random(72);
        TraceShape shape;
        shape.tasks = tasks;
        shape.keys = tasks > 100'000 ? 70'000 : 500;
        shape.most_touches = 3;
        shape.skew = 0.5;
        const auto policed = trace::apply(random_trace(random, shape), {}, false);
        QVERIFY(policed.ok());
        const auto shared = std::make_shared<const trace::PolicedTrace>(*policed);
        for (const ConflictModel model :
             {ConflictModel::single_version, ConflictModel::multi_version}) {
            const auto index = conflict::index_without_pairs(shared, model);
            QVERIFY(index.ok());
            const auto expected = plain_edges(policed->access_sets(), model);
            for (TaskId task = 0; task < tasks; ++task) {
                const auto before = index->predecessors_of(task);
                QVERIFY(std::equal(before.begin(), before.end(), expected[task].begin(),
                                   expected[task].end()));
            }
            QCOMPARE(conflict::find_levels(*shared, model), index->level);
        }
    }
};

QTEST_APPLESS_MAIN(TestOrderedSet)
#include "test_ordered_set.moc"
