// Cases small enough to count on one's fingers, each a trap that an index can fall into.
#include "conflict/contention.h"
#include "conflict/index_conflicts.h"

#include <QTest>

using namespace blockloom;
using conflict::ConflictIndex;
using conflict::ConflictModel;
using conflict::ConflictPairs;
using conflict::TaskId;

namespace {

/// A trace in letters: tasks apart by spaces, "ra" reads a, "wa" writes it, "xa" both.
std::shared_ptr<trace::PolicedTrace> parse(std::string_view text) {
    auto block = std::make_shared<trace::BlockTrace>();
    block->sets.key_count = 26;
    trace::AccessSets& sets = block->sets;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ') {
            sets.begin.push_back(static_cast<std::uint32_t>(sets.accesses.size()));
            continue;
        }
        const trace::Mode mode = text[i] == 'r'   ? trace::Mode::read
                                 : text[i] == 'w' ? trace::Mode::write
                                                  : trace::Mode::read_write;
        sets.accesses.emplace_back(static_cast<conflict::KeyId>(text[++i] - 'a'), mode);
    }
    sets.begin.push_back(static_cast<std::uint32_t>(sets.accesses.size()));
    auto policed = std::make_shared<trace::PolicedTrace>();
    policed->original = block;
    return policed;
}

ConflictIndex index_of(std::shared_ptr<const trace::PolicedTrace> trace,
                       ConflictModel model = ConflictModel::single_version) {
    Result<ConflictIndex> index = conflict::index_conflicts(std::move(trace), model);
    if (!index) qFatal("%s", index.error().message.c_str());
    return *std::move(index);
}

/// "1<0 2<0 2<1": each edge once.
std::string edges(const ConflictIndex& index) {
    std::string text;
    for (TaskId task = 0; task < index.tasks(); ++task)
        for (const TaskId before : index.predecessors_of(task))
            text += (text.empty() ? "" : " ") + std::to_string(task) + "<" + std::to_string(before);
    return text;
}

} // namespace

class TestSmallCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void edges_of_both_models_data() {
        QTest::addColumn<QByteArray>("trace");
        QTest::addColumn<QByteArray>("single");
        QTest::addColumn<QByteArray>("multi");
        const auto row = [](const char* name, const char* trace, const char* single,
                            const char* multi) {
            QTest::newRow(name) << QByteArray(trace) << QByteArray(single) << QByteArray(multi);
        };
        row("readers do not conflict", "ra ra ra", "", "");
        row("raw", "wa ra", "1<0", "1<0");
        row("war", "ra wa", "1<0", "");
        row("waw", "wa wa", "1<0", "");
        row("read-modify-write chain", "xa xa xa", "1<0 2<1", "1<0 2<1");
        row("a blind write cuts a read off from older writes", "wa wa ra", "1<0 2<1", "2<1");
        row("a writer waits for the readers since", "wa ra ra wa", "1<0 2<0 3<0 3<1 3<2",
            "1<0 2<0");
        row("but not for those before the last write", "ra wa ra wa", "1<0 2<1 3<1 3<2", "2<1");
        row("read-modify-write is a reader and the latest writer", "ra xa wa", "1<0 2<1", "");
        row("two keys, one edge", "wawb rarb", "1<0", "1<0");
        row("skips over tasks that touch other things", "wa wb ra", "2<0", "2<0");
        row("reader of an older task than its neighbour", "wa ra wb rarb", "1<0 3<0 3<2",
            "1<0 3<0 3<2");
        row("nothing touched", "  ", "", "");
    }

    void edges_of_both_models() {
        QFETCH(QByteArray, trace);
        QFETCH(QByteArray, single);
        QFETCH(QByteArray, multi);
        const auto parsed = parse(trace.toStdString());
        QCOMPARE(edges(index_of(parsed)), single.toStdString());
        QCOMPARE(edges(index_of(parsed, ConflictModel::multi_version)), multi.toStdString());
    }

    void pairs_count_pairs_not_keys() {
        const ConflictIndex index = index_of(parse("xaxb xaxb"));
        QVERIFY((index.pairs == ConflictPairs{1, 1, 1, 1}));
        QCOMPARE(index.accesses, std::uint64_t{8});
        QCOMPARE(index.keys, std::uint64_t{2});
    }

    void pairs_count_far_tasks_too() {
        // Edges are between neighbours, pairs between all.
        const ConflictIndex index = index_of(parse("wa wa wa wa"));
        QCOMPARE(index.edges(), std::uint64_t{3});
        QVERIFY((index.pairs == ConflictPairs{6, 0, 0, 6}));
    }

    void kinds_of_different_keys_meet_in_one_pair() {
        const ConflictIndex index = index_of(parse("warb rawb"));
        QVERIFY((index.pairs == ConflictPairs{1, 1, 1, 0}));
    }

    void an_empty_block() {
        auto policed = parse("");
        auto empty = std::make_shared<trace::BlockTrace>();
        policed->original = empty;
        const ConflictIndex index = index_of(policed);
        QCOMPARE(index.tasks(), TaskId{0});
        QCOMPARE(index.level_sizes.size(), std::size_t{0});
        QCOMPARE(index.groups, std::uint64_t{0});
        QCOMPARE(index.single_conflict_rate(), 0.0);
        QCOMPARE(index.group_conflict_rate(), 0.0);
        QCOMPARE(index.parallel_ratio(), 0.0);
        QCOMPARE(index.parallelism(), 1.0);
        QVERIFY(conflict::critical_chain(index).empty());
        const auto graph = conflict::conflict_graph(*policed, 0);
        QVERIFY(graph.ok());
        QCOMPARE(graph->vertices(), TaskId{0});
    }

    void commutative_updates_run_together() {
        auto policed = parse("xa xa wa ra ra xa ra");
        policed->commutative.assign(26, false);
        policed->commutative[0] = true;
        const ConflictIndex single = index_of(policed);
        QCOMPARE(edges(single), std::string("3<0 3<1 3<2 4<0 4<1 4<2 5<3 5<4 6<5"));
        // Three readers and four updates: twelve pairs, in two of which the reader comes first.
        QVERIFY((single.pairs == ConflictPairs{12, 10, 2, 0}));
        const ConflictIndex multi = index_of(policed, ConflictModel::multi_version);
        QCOMPARE(edges(multi), std::string("3<0 3<1 3<2 4<0 4<1 4<2 6<0 6<1 6<2 6<5"));
    }

    void program_order_counts_in_edges_but_not_in_pairs() {
        auto policed = parse("wa wb wc wd");
        policed->transaction = {0, 0, 1, 1};
        for (const ConflictModel model :
             {ConflictModel::single_version, ConflictModel::multi_version}) {
            const ConflictIndex index = index_of(policed, model);
            QCOMPARE(edges(index), std::string("1<0 3<2"));
            QVERIFY(index.pairs == ConflictPairs{});
            QCOMPARE(index.conflicting_tasks, std::uint64_t{4});
            QCOMPARE(index.groups, std::uint64_t{2});
            const auto reasons = conflict::waits_for(index, 1);
            QCOMPARE(reasons.size(), std::size_t{1});
            QCOMPARE(reasons[0].key, conflict::no_key);
            QCOMPARE(reasons[0].kinds, 0U);
        }
    }

    void costs_decide_the_chain() {
        auto policed = parse("wa ra wb rb");
        policed->cost = {1, 1, 5, 0};
        const ConflictIndex index = index_of(policed);
        QCOMPARE(index.span, std::uint64_t{5});
        QCOMPARE(index.work, std::uint64_t{7});
        QCOMPARE(index.level_sizes.size(), std::size_t{2});
        QCOMPARE(conflict::critical_chain(index), (std::vector<TaskId>{2}));
    }

    void ties_of_the_chain_go_to_the_lowest() {
        QCOMPARE(conflict::critical_chain(index_of(parse("wa wb ra rb rarb"))),
                 (std::vector<TaskId>{0, 2}));
    }

    void costs_that_overflow_are_refused() {
        auto policed = parse("wa ra");
        policed->cost = {~std::uint64_t{0}, 1};
        QVERIFY(!conflict::index_conflicts(policed, ConflictModel::single_version).ok());
        policed->cost = {1};
        QVERIFY(!conflict::index_conflicts(policed, ConflictModel::single_version).ok());
    }

    void groups_are_numbered_by_their_first_task() {
        const ConflictIndex index = index_of(parse("wa wb wc rarc wd rb"));
        QCOMPARE(index.group, (std::vector<std::uint32_t>{0, 1, 0, 0, 2, 1}));
        QCOMPARE(index.largest_group, std::uint64_t{3});
        QCOMPARE(index.isolated(), std::uint64_t{1});
    }

    void relaxing_one_of_two_keys_gains_nothing() {
        // Both keys alone hold the chain; a third key holds a shorter one.
        const ConflictIndex both = index_of(parse("xaxb xaxb xaxb wc rc"));
        const auto ranked = conflict::contention(both, 10);
        QVERIFY(ranked.ok());
        QCOMPARE(ranked->size(), std::size_t{3});
        for (const conflict::KeyContention& key : *ranked) QCOMPARE(key.gain_if_relaxed, 1.0);
        const auto alone = conflict::contention(index_of(parse("xa xa xa wc rc")), 10);
        QVERIFY(alone.ok());
        QCOMPARE(alone->front().gain_if_relaxed, 1.5);
    }
};

QTEST_APPLESS_MAIN(TestSmallCases)
#include "test_small_cases.moc"
