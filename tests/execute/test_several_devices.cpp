// One physical device, opened twice, shares rounds with itself (lavapipe will do): the digests are
// the serial ones, also when one of the two is lost on the way.
#include "compute/faults/faulty_provider.h"
#include "execute/first_difference.h"
#include "execute/recording.h"
#include "execute/replayed_recipes.h"
#include "execute/vulkan_device.h"

#include <QTest>

#include <set>

using namespace blockloom;
using execute::ReplayedBlock;
using execute::ReplayOptions;
using execute::ReplaySource;

namespace {

using tests::replay;
using tests::sources_of;
using Blocks = tests::ReplayedBlocks;

} // namespace

class TestSeveralDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        one_ = tests::open_vulkan_device();
        other_ = tests::open_vulkan_device();
        if (one_ == nullptr || other_ == nullptr) QSKIP("no Vulkan device");
    }

    void equal_serial_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("fault");
        QTest::newRow("both, independent") << "independent"
                                           << "";
        QTest::newRow("both, chained") << "chained"
                                       << "";
        QTest::newRow("refused") << "independent"
                                 << "refused@1";
        QTest::newRow("lost at once") << "independent"
                                      << "lost@1";
        QTest::newRow("lost on the way") << "independent"
                                         << "lost@6";
        QTest::newRow("damaged") << "independent"
                                 << "corrupt@4";
        QTest::newRow("silent") << "mixed"
                                << "timeout@5";
    }
    void equal_serial() {
        QFETCH(QString, recipe);
        QFETCH(QString, fault);
        const auto sources = sources_of(recipe.toLatin1().constData(), 80);
        ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        const auto truth = replay(sources, options);
        QVERIFY(truth.ok());
        options.strategy.strategy = execute::Strategy::speculative;
        options.strategy.workers = 2;
        options.device = one_;
        options.more_devices = {other_};
        if (!fault.isEmpty()) {
            const auto faults = compute::parse_faults(fault.toStdString());
            QVERIFY(faults.ok());
            options.more_devices = {compute::with_faults(other_, *faults)};
        }
        options.recording = std::make_shared<execute::Recording>();
        const auto blocks = replay(sources, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        std::uint64_t on_device = 0;
        std::string notes;
        for (std::size_t i = 0; i < truth->size(); ++i) {
            const std::string text =
                execute::first_difference(*(*blocks)[i]->execution, *(*truth)[i]->execution);
            QVERIFY2(text.empty(), text.c_str());
            for (const std::string& note : (*blocks)[i]->notes) notes += note + "\n";
            for (const auto& tx : (*blocks)[i]->execution->transactions)
                for (const auto& record : tx.records)
                    on_device += record.engine == alkanes::Engine::vulkan;
        }
        qInfo("%llu messages on the devices\n%s", static_cast<unsigned long long>(on_device),
              notes.c_str());
        QVERIFY(on_device > 0);
        const bool refused = fault.startsWith(QLatin1String("refused"));
        QCOMPARE(notes.find("was lost") != std::string::npos, !fault.isEmpty() && !refused);
        QCOMPARE(notes.find("the others take over its part") != std::string::npos, refused);
        check_lanes(options.recording->finish(), fault);
    }

    /// Each device has its lanes, and its waves have theirs.
    void check_lanes(const profile::Trace& trace, const QString& fault) {
        const bool clock = one_->description().features.shader_device_clock;
        std::set<std::string> devices, waves;
        std::size_t messages = 0;
        for (const profile::Lane& lane : trace.lanes) {
            if (lane.kind == profile::LaneKind::device) {
                QVERIFY(!lane.spans.empty());
                devices.insert(lane.name.substr(lane.name.rfind('(')));
            }
            if (lane.kind == profile::LaneKind::wave)
                waves.insert(lane.name.substr(0, lane.name.find(':')));
            if (lane.kind == profile::LaneKind::wave || lane.kind == profile::LaneKind::worker)
                for (const profile::Span& span : lane.spans)
                    messages += span.category == profile::Category::message;
        }
        QVERIFY(devices.contains("(1 of 2)"));
        if (fault.isEmpty()) QVERIFY(devices.contains("(2 of 2)"));
        if (!clock) return;
        QVERIFY(waves.contains("1 of 2"));
        if (fault.isEmpty()) QVERIFY(waves.contains("2 of 2"));
        QVERIFY(messages >= 160); // each transaction ran somewhere
        QCOMPARE(trace.dropped, std::uint64_t{0});
    }

private:
    compute::ProviderPtr one_, other_;
};

QTEST_GUILESS_MAIN(TestSeveralDevices)
#include "test_several_devices.moc"
