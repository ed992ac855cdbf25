// Several devices at one round: whatever the split, whoever is lost, the answer is the serial one.
#include "execute/device/shared_executor.h"
#include "execute/round_strategies.h"
#include "execute/scripted_window.h"

#include "recipes/random.h"

#include <QTest>

#include <atomic>
#include <numeric>

using namespace blockloom;
using namespace scripted;
using execute::Shares;

namespace {

/// A device with workers of its own that is lost after some attempts: from then on whatever stands
/// in for it gives the results, and says why.
class FlakyExecutor final : public execute::Executor {
public:
    FlakyExecutor(unsigned workers, std::size_t lives)
        : lives_(lives), pool_(workers), own_(pool_) {}

    Status run(std::span<const execute::Attempt> attempts,
               const alkanes::TransactionOptions& options,
               const execute::AttemptDone& done) override {
        if (broken) return Error{ErrorCode::unavailable, "broken"};
        return own_.run(attempts, options, [&](unsigned worker, std::size_t i, auto ran) {
            const bool lost = ++seen > lives_;
            if (ran && lost) ran->ejection = "device_lost";
            if (!lost) ++did;
            return done(worker, i, std::move(ran));
        });
    }
    [[nodiscard]] unsigned workers() const noexcept override { return pool_.workers(); }
    [[nodiscard]] double width() const noexcept override { return 4; }
    [[nodiscard]] std::size_t largest_batch() const noexcept override { return batch; }

    bool broken = false;
    std::size_t batch = 0;
    std::atomic<std::size_t> seen{0}, did{0};
    ScriptExecutor& scripts() noexcept { return own_; }

private:
    std::size_t lives_;
    execute::WorkerPool pool_;
    ScriptExecutor own_;
};

/// Reads and writes of few keys, now and then the same in every transaction.
Script random_script(std::uint64_t seed, std::uint64_t keys) {
    return [=](state::Overlay& overlay, alkanes::FuelUse&) {
        recipes::Random random(seed);
        u128 seen = 0;
        for (std::uint64_t step = 1 + random.below(5); step-- > 0;) {
            const std::string key = "k" + std::to_string(random.below(keys));
            if (random.below(2) == 0) {
                const auto value = overlay.get(key);
                seen += value ? state::counter_of(*value) : 0;
            } else {
                overlay.set(key, state::Value(u128_bytes(seen % 7 + 1)));
            }
        }
        return random.below(30) == 0;
    };
}

} // namespace

class TestShared : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shares_follow_the_throughput() {
        Shares shares(3);
        shares.measured(0, 3000, 1'000'000'000);
        shares.measured(1, 1000, 1'000'000'000);
        shares.begin(40'000);
        // The third was never measured: it counts as the mean of the others, and is tried first.
        QCOMPARE(shares.take(0), std::size_t{15'000}); // 3/4 of a half
        QCOMPARE(shares.take(1), std::size_t{5'000});  // 3/4 of a sixth
        QVERIFY(shares.take(2) < 2'000);
        shares.lose(1);
        QCOMPARE(shares.take(1), std::size_t{0});
        std::size_t taken = 0, parts = 0;
        for (; shares.left() != 0; ++parts) taken += shares.take(parts % 2 == 0 ? 0 : 2);
        QVERIFY(taken > 15'000 && parts > 4);
        QCOMPARE(shares.take(0), std::size_t{0});
    }

    void nothing_is_taken_twice_or_left() {
        recipes::Random random(7);
        for (int round = 0; round < 500; ++round) {
            const std::size_t devices = 1 + random.below(5), all = random.below(70'000);
            Shares shares(devices);
            std::size_t taken = 0;
            shares.begin(all);
            for (std::size_t turns = 0; shares.left() != 0; ++turns) {
                QVERIFY(turns < 10'000);
                const std::size_t device = random.below(devices);
                const std::size_t count = shares.take(device);
                taken += count;
                if (count != 0)
                    shares.measured(device, count / (1 + random.below(3)),
                                    1 + random.below(1'000'000));
                if (device != 0 && random.below(20) == 0) shares.lose(device);
            }
            QCOMPARE(taken, all);
        }
    }

    /// Random splits, speeds, losses; also of all devices.
    void random_windows_equal_the_serial_run() {
        recipes::Random random(55);
        const Contexts contexts = contexts_of(2, 150);
        std::size_t losses = 0, all_lost = 0, by_several = 0;
        for (int round = 0; round < 120; ++round) {
            execute::WorkerPool pool(static_cast<unsigned>(1 + random.below(3)));
            ScriptExecutor host(pool);
            const std::uint64_t seed = random.next(), keys = 3 + random.below(400);
            host.script = [=](const alkanes::BlockContext& context, std::uint32_t transaction) {
                return random_script(seed ^ (context.height * 7919 + transaction * 104'729), keys);
            };
            std::vector<execute::SharedExecutor::Device> devices;
            std::vector<FlakyExecutor*> flaky;
            for (std::uint64_t i = 2 + random.below(3); i-- > 0;) {
                const std::size_t lives = random.below(2) == 0 ? random.below(200) : 1'000'000;
                auto device = std::make_unique<FlakyExecutor>(
                    1 + static_cast<unsigned>(random.below(2)), lives);
                device->scripts().script = host.script;
                device->batch = random.below(3) == 0 ? 1 + random.below(50) : 0;
                flaky.push_back(device.get());
                devices.push_back({"device " + std::to_string(i), std::move(device)});
            }
            execute::SharedExecutor shared(std::move(devices), host);
            state::MemoryState before;
            for (std::uint64_t i = 0; i < keys; i += 3)
                before.put("k" + std::to_string(i), u128_bytes(u128{i % 4 + 1}));
            execute::StrategyOptions how;
            how.strategy = execute::Strategy::speculative;
            execute::AcceptanceCheck check;
            execute::WindowRun window(contexts, before, how, {}, shared, host, pool, check);
            QVERIFY(window.list().ok());
            const auto hints = window.find_hints();
            QVERIFY(hints.ok());
            SilentProgress silent;
            execute::StrategyMemory memory;
            const auto rounds = execute::make_rounds(how, *hints, memory);
            const auto done = window.perform(*hints, *rounds, silent);
            QVERIFY2(done.ok(), done ? "" : done.error().message.c_str());
            const auto truth = serial_run(contexts, before, host);
            const std::string text = difference(done->blocks, truth);
            QVERIFY2(
                text.empty(),
                qPrintable(
                    QStringLiteral("round %1: %2").arg(round).arg(QString::fromStdString(text))));
            std::size_t lost = 0, busy = 0;
            for (std::size_t i = 0; i < flaky.size(); ++i) {
                lost += shared.shares().is_lost(i);
                busy += flaky[i]->did > 0;
            }
            losses += lost;
            all_lost += lost == flaky.size();
            by_several += busy > 1;
            if (lost != 0)
                QVERIFY(std::any_of(done->notes.begin(), done->notes.end(), [](const auto& note) {
                    return note.find("was lost") != std::string::npos;
                }));
        }
        QVERIFY(losses > 20);
        QVERIFY(all_lost > 0);
        QVERIFY(by_several > 30);
    }

    /// A device that fails without anybody to stand in for it ends the run.
    void a_failure_is_told() {
        const Contexts contexts = contexts_of(1, 60);
        execute::WorkerPool pool(2);
        ScriptExecutor host(pool);
        host.script = [](const alkanes::BlockContext&, std::uint32_t transaction) {
            return random_script(transaction, 1000);
        };
        std::vector<execute::SharedExecutor::Device> devices;
        for (int i = 0; i < 2; ++i) {
            auto device = std::make_unique<FlakyExecutor>(1, 1'000'000);
            device->scripts().script = host.script;
            device->broken = true;
            devices.push_back({"device", std::move(device)});
        }
        execute::SharedExecutor shared(std::move(devices), host);
        const state::MemoryState before;
        std::vector<execute::Attempt> attempts;
        for (std::uint32_t i = 0; i < 60; ++i)
            attempts.push_back({i, contexts.front().get(), i, &before, 1'000'000});
        const Status ran =
            shared.run(attempts, {}, [](unsigned, std::size_t, auto) { return true; });
        QVERIFY(!ran.ok());
        QCOMPARE(ran.error().message, std::string("broken"));
    }
};

QTEST_GUILESS_MAIN(TestShared)
#include "test_shared.moc"
