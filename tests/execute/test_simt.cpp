// Recipes with their contracts as compiled lanes of this processor: the serial answer, whatever
// leaves, and whatever the host answers on the way.
#include "compute/cpu/cpu_provider.h"
#include "compute/faults/renamed_provider.h"
#include "execute/device/host_reasons.h"
#include "execute/first_difference.h"
#include "execute/recording.h"
#include "execute/replayed_recipes.h"

#include <QTest>

#include <map>

using namespace blockloom;
using execute::ReplayOptions;
using execute::Strategy;

namespace {

/// Messages whose own contract the engine ran to its end.
std::uint64_t run_by(const tests::ReplayedBlocks& blocks, alkanes::Engine engine) {
    std::uint64_t count = 0;
    for (const auto& block : blocks)
        for (const auto& tx : block->execution->transactions)
            for (const auto& record : tx.records) count += record.engine == engine;
    return count;
}

ReplayOptions on_this_processor() {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    options.contracts = std::make_shared<alkanes::Contracts>();
    return options;
}

} // namespace

class TestSimt : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipes_equal_serial_data() {
        QTest::addColumn<QString>("recipe");
        for (const char* name :
             {"independent", "mixed", "amm", "chained", "mainnet-2026", "adversarial"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void recipes_equal_serial() {
        QFETCH(QString, recipe);
        const auto sources = tests::sources_of(recipe.toLatin1().constData(), 96);
        ReplayOptions options = on_this_processor();
        const auto truth = tests::replay(sources, options);
        QVERIFY(truth.ok());
        options.device = compute::open_lanes();
        options.strategy.workers = 2;
        std::uint64_t ran = 0;
        for (const Strategy strategy :
             {Strategy::speculative, Strategy::levels, Strategy::predict}) {
            options.strategy.strategy = strategy;
            const auto blocks = tests::replay(sources, options);
            QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
            for (std::size_t i = 0; i < truth->size(); ++i) {
                const std::string text =
                    execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution);
                QVERIFY2(text.empty(), text.c_str());
                for (const auto& [code, count] : (*blocks)[i]->rounds.ejected)
                    qInfo("ejected %s: %llu", code.c_str(), static_cast<unsigned long long>(count));
            }
            ran += run_by(*blocks, alkanes::Engine::simt);
        }
        qInfo("%llu messages on lanes", static_cast<unsigned long long>(ran));
        QVERIFY(ran > 0);
    }

    /// The same with code that is compiled for a device by profile, on this processor under the
    /// name of CUDA, whether the replay waits for it or not.
    void recipes_on_device_code_equal_serial_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<bool>("waits");
        QTest::newRow("mainnet-2026, waits") << QStringLiteral("mainnet-2026") << true;
        QTest::newRow("adversarial, waits") << QStringLiteral("adversarial") << true;
        QTest::newRow("mixed") << QStringLiteral("mixed") << false;
    }
    void recipes_on_device_code_equal_serial() {
        QFETCH(QString, recipe);
        QFETCH(bool, waits);
        const auto sources = tests::sources_of(recipe.toLatin1().constData(), 64, 3);
        ReplayOptions options = on_this_processor();
        const auto truth = tests::replay(sources, options);
        QVERIFY(truth.ok());
        options.device = compute::renamed(compute::open_lanes(), "cuda");
        options.strategy.workers = 2;
        std::uint64_t ran = 0;
        const auto replay = [&](Strategy strategy, bool wait) {
            options.strategy.strategy = strategy;
            options.device_options.wait_for_code = wait;
            return tests::replay(sources, options);
        };
        // One that does not wait finds no code; after one that did, the last one has it.
        std::vector<std::pair<Strategy, bool>> replays{{Strategy::speculative, waits},
                                                       {Strategy::predict, waits}};
        if (!waits)
            replays.insert(replays.end(),
                           {{Strategy::speculative, true}, {Strategy::speculative, false}});
        for (const auto& [strategy, wait] : replays) {
            const auto blocks = replay(strategy, wait);
            QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
            for (std::size_t i = 0; i < truth->size(); ++i) {
                const std::string text =
                    execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution);
                QVERIFY2(text.empty(), text.c_str());
            }
            ran = run_by(*blocks, alkanes::Engine::cuda);
        }
        QVERIFY(ran > 0);
    }

    /// What the device and its workers did, on lanes of their own: every wave has an upload, a
    /// kernel and a download, in this order, each message of a block says in which one it ran, and
    /// the workers' part has names.
    void recorded_waves() {
        const auto sources = tests::sources_of("independent", 600, 2);
        ReplayOptions options = on_this_processor();
        options.device = compute::open_lanes();
        options.strategy.workers = 2;
        options.strategy.strategy = Strategy::speculative;
        options.recording = std::make_shared<execute::Recording>();
        const auto blocks = tests::replay(sources, options);
        QVERIFY(blocks.ok());
        const auto devices = options.recording->devices_now(now_ns());
        QCOMPARE(devices.size(), std::size_t{1});
        QVERIFY(devices[0].in_flight.empty() && devices[0].ended > 0);
        const profile::Trace trace = options.recording->finish();
        QCOMPARE(trace.dropped, std::uint64_t{0});
        std::map<std::string, std::map<std::uint64_t, profile::Span>> parts; // by name, by wave
        std::map<std::string, std::uint64_t> served;                         // what workers did
        for (const profile::Lane& lane : trace.lanes)
            for (const profile::Span& span : lane.spans) {
                const std::string& name = trace.names[span.name];
                if (lane.kind == profile::LaneKind::device) {
                    QCOMPARE(span.name, lane.spans.front().name);
                    QVERIFY(parts[name].try_emplace(span.wave(), span).second);
                } else if (lane.kind == profile::LaneKind::worker) {
                    served[name] += span.detail;
                }
            }
        QCOMPARE(parts.size(), std::size_t{3});
        const auto& kernels = parts["compiled lanes"];
        QCOMPARE(kernels.size(), static_cast<std::size_t>(devices[0].ended));
        for (const auto& [wave, kernel] : kernels) {
            QVERIFY(wave != 0);
            const profile::Span &up = parts["upload"].at(wave), &down = parts["download"].at(wave);
            QVERIFY(up.end <= kernel.begin && kernel.end <= down.begin);
            QCOMPARE(up.detail, kernel.detail);
        }
        std::uint64_t placed = 0;
        std::map<std::uint64_t, std::uint64_t> in_wave;
        for (const auto& block : *blocks) {
            std::uint32_t after = 0;
            for (const execute::TasksOfWave& each : block->rounds.waves) {
                QVERIFY(each.first >= after && each.first <= each.last);
                after = each.last + 1;
                QVERIFY(kernels.contains(std::uint64_t{each.wave} + 1));
                in_wave[std::uint64_t{each.wave} + 1] += each.last + 1 - each.first;
                placed += each.last + 1 - each.first;
            }
        }
        QCOMPARE(placed, run_by(*blocks, alkanes::Engine::simt));
        for (const auto& [wave, count] : in_wave) QVERIFY(count <= kernels.at(wave).detail);
        // Each transaction begins once for each attempt, and continues once for each that ended.
        QVERIFY(served["begin transactions"] >= placed);
        QVERIFY(served["accept answers"] >= placed);
        QVERIFY(served["lay out calls"] > 0);
    }

    /// Small rounds are the workers', also where the device has all others; the answer is the same.
    void workers_share_the_rounds_data() {
        QTest::addColumn<bool>("hybrid");
        QTest::newRow("hybrid") << true;
        QTest::newRow("the device alone") << false;
    }
    void workers_share_the_rounds() {
        QFETCH(bool, hybrid);
        const auto sources = tests::sources_of("mainnet-2026", 128, 4);
        ReplayOptions options = on_this_processor();
        const auto truth = tests::replay(sources, options);
        QVERIFY(truth.ok());
        options.strategy.strategy = Strategy::predict;
        options.strategy.workers = 2;
        options.strategy.hybrid = hybrid;
        options.device = compute::open_lanes();
        const auto blocks = tests::replay(sources, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        std::size_t small = 0;
        for (std::size_t i = 0; i < truth->size(); ++i) {
            const std::string text =
                execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution);
            QVERIFY2(text.empty(), text.c_str());
            const auto& on_host = (*blocks)[i]->rounds.on_host;
            const auto found = on_host.find(execute::host_reasons::small_round);
            small += found == on_host.end() ? 0 : found->second.size();
        }
        // The two examples with which a block begins are rounds of one.
        QVERIFY(small >= 3);
        QVERIFY(run_by(*blocks, alkanes::Engine::simt) > 0);
    }

    /// Once a kind of message is known, rules answer what its contract asks, and nothing leaves:
    /// keys of `mainnet-2026` contain the txid and the height, and precompiled contracts are
    /// called.
    void known_messages_stay_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("strategy");
        QTest::newRow("independent")
            << QStringLiteral("independent") << static_cast<int>(Strategy::speculative);
        QTest::newRow("mainnet-2026")
            << QStringLiteral("mainnet-2026") << static_cast<int>(Strategy::predict);
    }
    void known_messages_stay() {
        QFETCH(QString, recipe);
        QFETCH(int, strategy);
        const auto sources = tests::sources_of(recipe.toLatin1().constData(), 128, 8);
        ReplayOptions options = on_this_processor();
        options.device = compute::open_lanes();
        options.device_options.tapes = 1; // a new height in a key would need more
        options.strategy.strategy = static_cast<Strategy>(strategy);
        options.strategy.workers = 2;
        const auto blocks = tests::replay(sources, options);
        QVERIFY(blocks.ok());
        for (const auto& [code, count] : blocks->back()->rounds.ejected)
            QFAIL(
                qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(code)).arg(count)));
        std::uint64_t last = 0;
        for (const auto& tx : blocks->back()->execution->transactions)
            for (const auto& record : tx.records) last += record.engine == alkanes::Engine::simt;
        QVERIFY(last > 0);
    }
};

QTEST_GUILESS_MAIN(TestSimt)
#include "test_simt.moc"
