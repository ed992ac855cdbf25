// Exact pairs: every kernel and every way of counting gives the same, however the block is cut.
#include "conflict/naive.h"
#include "conflict/pairs.h"
#include "conflict/random_traces.h"

#include <QTest>

#include <bit>

using namespace blockloom;
using namespace blockloom::test;
using conflict::ConflictPairs;
using conflict::PairOptions;
using conflict::Word;

namespace {

std::uint64_t bits(Word word) {
    return static_cast<std::uint64_t>(std::popcount(word));
}

/// Small blocks, forced through all of the code: tiles of 512 tasks, few or all keys hot.
std::vector<PairOptions> all_options() {
    std::vector<PairOptions> all;
    for (const conflict::CountRow kernel : conflict::row_kernels())
        for (const conflict::TaskId widest : {0U, 100'000U})
            for (const std::uint32_t hot : {0U, 3U, 1'000'000U})
                all.push_back({kernel, widest, 512, hot, 1'000'000});
    return all;
}

ConflictPairs count(const trace::PolicedTrace& trace, const PairOptions& options) {
    const auto lists = conflict::list_touches(trace.access_sets());
    if (!lists) qFatal("%s", lists.error().message.c_str());
    const auto pairs = conflict::count_pairs(trace, *lists, {}, options);
    if (!pairs) qFatal("%s", pairs.error().message.c_str());
    return *pairs;
}

} // namespace

class TestPairs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kernels_merge_count_and_clear() {
        std::mt19937_64 random(61);
        for (const conflict::CountRow kernel : conflict::row_kernels()) {
            for (int round = 0; round < 200; ++round) {
                const std::size_t words = 8 * (random() % 5), stride = words + random() % 3;
                std::vector<Word> own(3 * stride + 1);
                for (Word& word : own) word = random() & random();
                std::vector<std::vector<Word>> bitmaps(random() % 6, std::vector<Word>(words));
                conflict::TaskSources sources(6);
                std::vector<Word> merged = own;
                if (random() % 4 == 0) std::fill(merged.begin(), merged.end(), 0);
                const bool with_own = merged == own;
                for (auto& bitmap : bitmaps) {
                    for (Word& word : bitmap) word = random() & random();
                    const std::size_t kind = random() % 3;
                    (kind == 0   ? sources.raw
                     : kind == 1 ? sources.war
                                 : sources.waw)
                        .add(bitmap.data(), true);
                    for (std::size_t i = 0; i < words; ++i) merged[kind * stride + i] |= bitmap[i];
                }
                ConflictPairs expected;
                for (std::size_t i = 0; i < words; ++i) {
                    const Word raw = merged[i], war = merged[stride + i],
                               waw = merged[2 * stride + i];
                    expected.any += bits(raw | war | waw);
                    expected.raw += bits(raw);
                    expected.war += bits(war);
                    expected.waw += bits(waw);
                }
                conflict::RowCounts counts;
                kernel(with_own ? own.data() : nullptr, stride, words, sources, counts);
                QVERIFY(counts.pairs() == expected);
                if (!with_own) continue;
                for (std::size_t kind = 0; kind < 3; ++kind)
                    for (std::size_t i = 0; i < words; ++i)
                        QCOMPARE(own[kind * stride + i], Word{0});
            }
        }
    }

    void every_way_equals_the_naive_reference() {
        std::mt19937_64 random(62);
        for (int round = 0; round < 300; ++round) {
            const auto made = random_trace(random, random_shape(random));
            const trace::KeyPolicy policy = random_policy(random);
            const auto policed = trace::apply(made, policy, false);
            QVERIFY(policed.ok());
            const NaiveFigures naive = naive_figures(naive_apply(*made, policy, false),
                                                     conflict::ConflictModel::single_version);
            for (const PairOptions& options : all_options())
                QVERIFY(count(*policed, options) == naive.pairs);
        }
    }

    void every_way_is_the_same_over_several_tiles() {
        std::mt19937_64 random(63);
        for (int round = 0; round < 4; ++round) {
            TraceShape shape;
            shape.tasks = static_cast<trace::TaskId>(1500 + random() % 200);
            shape.keys = 400;
            shape.most_touches = 8;
            shape.skew = round % 2 == 0 ? 1.0 : 0.3;
            trace::KeyPolicy policy;
            if (round >= 2) policy.commutative = {"*7"};
            const auto policed = trace::apply(random_trace(random, shape), policy, false);
            QVERIFY(policed.ok());
            // The graph finds its pairs on another way.
            const auto graph = conflict::conflict_graph(*policed, 10'000'000);
            QVERIFY(graph.ok());
            const ConflictPairs first = count(*policed, {});
            QCOMPARE(first.any, graph->edges());
            QVERIFY(first.any > 10'000);
            for (const PairOptions& options : all_options())
                QVERIFY(count(*policed, options) == first);
        }
    }

    void hot_keys_beyond_the_masks_turn_cold() {
        // More keys at the threshold than a task's set of hot keys has room for.
        std::mt19937_64 random(64);
        TraceShape shape;
        shape.tasks = 600;
        shape.keys = 700;
        shape.most_touches = 40;
        const auto policed = trace::apply(random_trace(random, shape), {}, false);
        QVERIFY(policed.ok());
        const ConflictPairs rows = count(*policed, {});
        for (const std::uint32_t hot : {1U, 8U, 16U})
            QVERIFY(count(*policed, {conflict::best_row_kernel(), 0, 512, hot, 1'000'000}) == rows);
    }
};

QTEST_APPLESS_MAIN(TestPairs)
#include "test_pairs.moc"
