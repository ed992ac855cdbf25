// The speed-up of a run in progress: by the blocks it has finished, against the serial run's time
// at the same blocks.
#include "report/scaling_chart.h"
#include "runs/kept_runs.h"
#include "runs/live_scaling.h"
#include "runs/provenance.h"
#include "runs/run_json.h"
#include "runs/run_record.h"

#include <QTest>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;

namespace {

/// Three blocks of 10, 20 and 30 ms, shared out among `workers`.
KeptRun run(const std::string& id, const char* strategy, unsigned workers) {
    runs::RunRecord record;
    record.id = id;
    record.network = "regtest";
    record.engine = "native";
    record.strategy = strategy;
    record.workers = workers;
    Nanoseconds wall = 0;
    for (int i = 1; i <= 3; ++i) {
        runs::RunBlock block;
        block.height = static_cast<std::uint64_t>(i);
        block.hash[0] = static_cast<std::uint8_t>(i);
        block.digest[0] = 1;
        block.tasks = 10;
        block.phases[execute::Phase::execute] = i * 10'000'000 / static_cast<Nanoseconds>(workers);
        wall += block.phases.sum();
        record.blocks.push_back(block);
    }
    record.walls = {wall};
    Provenance made;
    made.machine.processor = "a processor";
    made.version = "1";
    auto read = read_run(run_json(record, made), "test");
    return read ? *std::move(read) : KeptRun();
}

execute::LiveSettings settings(const KeptRun& like) {
    execute::LiveSettings how{"cpu", "a processor", "native",      "speculative",
                              1,     "regtest",     "a processor", like.rules.text()};
    auto hashes = std::make_shared<std::vector<std::string>>();
    for (const KeptBlock& block : like.blocks) hashes->push_back(block.hash);
    how.block_hashes = hashes;
    return how;
}

execute::LiveSnapshot after(const execute::LiveSettings& how, std::vector<Nanoseconds> blocks) {
    execute::LiveSnapshot live;
    live.how = how;
    live.workers = 2;
    live.blocks = 3;
    live.done.blocks = blocks.size();
    auto stretches = std::make_shared<std::vector<execute::LiveStretch>>();
    for (std::size_t i = 0; i < blocks.size(); ++i)
        stretches->push_back({i + 1, i + 1, 1, 10, blocks[i]});
    live.stretches = stretches;
    return live;
}

} // namespace

class TestLiveScaling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stands_among_the_kept_runs() {
        const std::vector<KeptRun> kept{run("w4", "speculative", 4), run("serial", "serial", 1)};
        const auto how = settings(kept.back());
        const LiveScaling scaling(how, kept);
        QCOMPARE(scaling.figures().baseline, std::string("serial"));
        QCOMPARE(scaling.figures().series.size(), std::size_t{2});
        QVERIFY(!scaling.so_far(after(how, {})));
        const auto first = scaling.so_far(after(how, {5'000'000})); // 10 ms by the serial run
        QVERIFY(first);
        QCOMPARE(first->speedup, 2.0);
        QCOMPARE(first->workers, 2U);
        const auto second = scaling.so_far(after(how, {5'000'000, 5'000'000}));
        QCOMPARE(second->speedup, 3.0); // 30 ms in 10
        QCOMPARE(second->blocks, std::uint64_t{2});
        QVERIFY(QString::fromStdString(point_words(*second))
                    .endsWith(QStringLiteral("on 2 workers, from 2 of 3 blocks")));

        ScalingChartOptions options;
        const auto without = scaling_chart(scaling.figures(), options);
        options.so_far = second;
        const auto with = scaling_chart(scaling.figures(), options);
        QCOMPARE(with.series.size(), without.series.size() + 1);
        const charts::Series& now = with.series.back();
        QVERIFY(now.predicted); // hollow: an estimate
        QCOMPARE(now.points.at(0).y, second->speedup);
        QCOMPARE(now.points.at(0).x, 2.0);
        QVERIFY(QString::fromStdString(with.summary).contains(QStringLiteral("so far")));
    }

    /// Without a serial run, of other blocks, on another machine: nothing to measure it against.
    void what_is_missing_is_said() {
        const std::vector<KeptRun> parallel{run("w4", "speculative", 4)};
        const std::vector<KeptRun> kept{run("serial", "serial", 1)};
        auto how = settings(kept.front());
        for (const LiveScaling& scaling :
             {LiveScaling(how, parallel), LiveScaling(how, {}),
              LiveScaling(
                  [&] {
                      auto other = how;
                      other.processor = "another";
                      return other;
                  }(),
                  kept),
              LiveScaling(
                  [&] {
                      auto other = how;
                      auto fewer = std::make_shared<std::vector<std::string>>(*how.block_hashes);
                      fewer->pop_back();
                      other.block_hashes = fewer;
                      return other;
                  }(),
                  kept)}) {
            QVERIFY(scaling.figures().baseline.empty());
            QVERIFY(!scaling.figures().missing.empty());
            QVERIFY(!scaling.so_far(after(how, {5'000'000})));
        }
        how.block_hashes.reset();
        QVERIFY(!LiveScaling(how, kept).so_far(after(how, {5'000'000})));
    }

    void of_a_kept_run() {
        const std::vector<KeptRun> kept{run("w4", "speculative", 4), run("serial", "serial", 1)};
        const LiveScaling scaling(kept.front(), kept);
        QCOMPARE(scaling.figures().about, std::string("w4"));
        QVERIFY(!scaling.so_far(after(settings(kept.front()), {5'000'000})));
    }
};

QTEST_APPLESS_MAIN(TestLiveScaling)
#include "test_live_scaling.moc"
