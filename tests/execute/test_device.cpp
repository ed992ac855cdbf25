// Recipes with their contracts on a device (lavapipe will do), and what happens when it fails.
#include "compute/faults/faulty_provider.h"
#include "execute/device/host_reasons.h"
#include "execute/first_difference.h"
#include "execute/replayed_recipes.h"
#include "execute/vulkan_device.h"

#include <QTest>

using namespace blockloom;
using execute::ReplayedBlock;
using execute::ReplayOptions;
using execute::ReplaySource;

namespace {

using tests::replay;
using tests::sources_of;
using Blocks = tests::ReplayedBlocks;

std::uint64_t on_device(const Blocks& blocks) {
    std::uint64_t count = 0;
    for (const auto& block : blocks)
        for (const auto& tx : block->execution->transactions)
            for (const auto& record : tx.records) count += is_device(record.engine);
    return count;
}

} // namespace

class TestDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        provider_ = tests::open_vulkan_device();
        if (provider_ == nullptr) QSKIP("no Vulkan device");
    }

    void recipes_equal_serial_data() {
        QTest::addColumn<QString>("recipe");
        for (const char* name : {"demo", "independent", "mixed", "amm", "chained", "mainnet-2025",
                                 "mainnet-2026", "adversarial"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void recipes_equal_serial() {
        QFETCH(QString, recipe);
        const auto sources = sources_of(recipe.toLatin1().constData(), 64);
        ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        const auto truth = replay(sources, options);
        QVERIFY(truth.ok());
        // A block of one chain settles a message a round otherwise, and soon runs in order.
        options.strategy.strategy = recipe == QStringLiteral("mainnet-2026")
                                        ? execute::Strategy::predict
                                        : execute::Strategy::speculative;
        options.strategy.workers = 2;
        options.device = provider_;
        const auto blocks = replay(sources, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        for (std::size_t i = 0; i < truth->size(); ++i) {
            const std::string text =
                execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution);
            QVERIFY2(text.empty(), text.c_str());
            for (const std::string& note : (*blocks)[i]->notes) qInfo("%s", note.c_str());
            for (const auto& [code, count] : (*blocks)[i]->rounds.ejected)
                qInfo("ejected %s: %llu", code.c_str(), static_cast<unsigned long long>(count));
        }
        qInfo("%llu messages on the device", static_cast<unsigned long long>(on_device(*blocks)));
        QVERIFY(on_device(*blocks) > 0);
        // Every task ran somewhere, and of those on the host the reason is recorded.
        std::uint64_t tasks = 0, on_host = 0;
        for (const auto& block : *blocks) {
            tasks += block->execution->tasks;
            for (const auto& [why, which] : block->rounds.on_host) {
                QVERIFY(!why.empty() && std::is_sorted(which.begin(), which.end()));
                on_host += which.size();
            }
        }
        QCOMPARE(on_device(*blocks) + on_host, tasks);
    }

    /// A device that nobody named gets two windows to show what it is worth; which windows it gets
    /// after them nobody can know here. The answer is the serial one.
    void a_device_must_pay() {
        const auto sources = sources_of("independent", 64, 8);
        ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        const auto truth = replay(sources, options);
        QVERIFY(truth.ok());
        options.strategy.strategy = execute::Strategy::speculative;
        options.strategy.workers = 2;
        options.device = provider_;
        options.device_must_pay = true;
        const auto blocks = replay(sources, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        bool reported = false;
        for (std::size_t i = 0; i < truth->size(); ++i) {
            const std::string text =
                execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution);
            QVERIFY2(text.empty(), text.c_str());
            for (const std::string& note : (*blocks)[i]->notes)
                reported = reported || (note.starts_with("auto: ") &&
                                        note.find("us per task") != std::string::npos);
        }
        QVERIFY(reported);
        QVERIFY(on_device(*blocks) > 0);
        QVERIFY((*blocks).front()->rounds.on_host.contains(execute::host_reasons::host_faster));
    }

    /// Whatever the device does: the answer is the serial one, and the log says what happened.
    void faults_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault : {"lost@3", "lost@9", "memory@1", "memory@6", "refused@1",
                                  "timeout@4", "corrupt@3", "corrupt@7"})
            QTest::newRow(fault) << QString::fromLatin1(fault);
    }
    void faults() {
        QFETCH(QString, fault);
        const auto sources = sources_of("independent", 8);
        ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        const auto truth = replay(sources, options);
        QVERIFY(truth.ok());
        options.strategy.strategy = execute::Strategy::speculative;
        options.strategy.workers = 2;
        const auto faults = compute::parse_faults(fault.toStdString());
        QVERIFY(faults.ok());
        options.device = compute::with_faults(provider_, *faults);
        const auto blocks = replay(sources, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        std::size_t notes = 0;
        for (std::size_t i = 0; i < truth->size(); ++i) {
            QVERIFY(execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution)
                        .empty());
            notes += (*blocks)[i]->notes.size();
        }
        QVERIFY(notes > 0);
        // Where the host may not stand in, the replay fails as a device that is not there does.
        options.fallback = false;
        options.device = compute::with_faults(provider_, *faults);
        const auto refused = replay(sources, options);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().code == ErrorCode::unavailable ||
                compute::is_device_error(refused.error().code));
    }

private:
    compute::ProviderPtr provider_;
};

QTEST_APPLESS_MAIN(TestDevice)
#include "test_device.moc"
