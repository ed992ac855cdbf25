// What `auto` chooses among devices whose throughput is known, and what it does where one does not
// open, is lost or hangs while it is measured.
#include "compute/cpu/cpu_provider.h"
#include "compute/fake_cuda/fake_device.h"
#include "compute/selection.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <map>
#include <optional>

using namespace blockloom;
using namespace blockloom::compute;

namespace {

const std::string card = "0123456789abcdef0123456789abcdef"; ///< its UUID, in an identity

Description device(const char* backend, DeviceKind kind, const std::string& identity) {
    Description made;
    made.backend = backend;
    made.kind = kind;
    made.name = kind == DeviceKind::processor ? "Processor" : "Card";
    made.identity = identity;
    return made;
}
Description processor() {
    return device("cpu", DeviceKind::processor, "cpu-4");
}
Description by_vulkan() {
    return device("vulkan", DeviceKind::gpu, card + "00ff");
}
Description by_cuda() {
    return device("cuda", DeviceKind::gpu, card + "-12040");
}

/// A reference batch of so many seconds.
Throughput taking(double seconds) {
    return {1e11 / seconds, 1e30, true};
}

ProviderOptions one_thread() {
    ProviderOptions options;
    options.threads = 1;
    return options;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class TestAuto : public QObject {
    Q_OBJECT

    std::optional<QTemporaryDir> folder_;
    std::vector<Description> devices_;
    std::vector<std::string> opened_;         ///< backends, in order
    std::map<std::string, std::string> fail_; ///< backend → why it does not open

    [[nodiscard]] std::filesystem::path cache() const { return folder_->path().toStdString(); }

    /// Adds a device; with a time its throughput is remembered.
    void add(const Description& one, double seconds = 0) {
        devices_.push_back(one);
        if (seconds == 0) return;
        QFile file(folder_->filePath(
            QString::fromStdString("worth-" + one.backend + "-" + one.identity + ".json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\":\"blockloom.worth/2\",\"operations_per_second\":" +
                   QByteArray::number(1e11 / seconds) + ",\"copy_bytes_per_second\":1e30}");
    }
    [[nodiscard]] OpenDevice opener() {
        return [this](const Description& one, const Settings&) -> Result<ProviderPtr> {
            opened_.push_back(one.backend);
            if (const auto why = fail_.find(one.backend); why != fail_.end())
                return Error{ErrorCode::unavailable, why->second};
            return open_processor(one_thread());
        };
    }
    [[nodiscard]] Choice chosen(const Settings& settings = {}) {
        auto choice = choose_device(settings, devices_, cache(), opener());
        if (!choice) qFatal("%s", choice.error().message.c_str());
        return *std::move(choice);
    }
    /// With the processor's throughput remembered and CUDA's measured on the fake driver.
    [[nodiscard]] Choice chosen_with_fake(const char* faults, Nanoseconds longest_wait) {
        add(processor(), 1e6); // anything is faster
        const auto listed = list_cuda_devices(fake_cuda::library());
        if (listed.devices.empty()) qFatal("%s", listed.why.c_str());
        add(listed.devices.front());
        const fake_cuda::WithFaults set(faults);
        auto choice =
            choose_device({}, devices_, cache(),
                          [&](const Description& one, const Settings&) -> Result<ProviderPtr> {
                              if (one.backend != "cuda") return open_processor(one_thread());
                              return fake_cuda::open({}, 0, longest_wait);
                          });
        if (!choice) qFatal("%s", choice.error().message.c_str());
        return *std::move(choice);
    }

private Q_SLOTS:
    void init() {
        folder_.emplace();
        devices_.clear();
        opened_.clear();
        fail_.clear();
    }

    void cuda_is_preferred_on_the_same_card_data() {
        QTest::addColumn<double>("cuda");
        QTest::addColumn<QString>("backend");
        QTest::newRow("faster") << 0.005 << QStringLiteral("cuda");
        QTest::newRow("as fast") << 0.010 << QStringLiteral("cuda");
        QTest::newRow("a little slower") << 0.019 << QStringLiteral("cuda");
        QTest::newRow("much slower") << 0.021 << QStringLiteral("vulkan");
    }
    void cuda_is_preferred_on_the_same_card() {
        QFETCH(double, cuda);
        QFETCH(QString, backend);
        add(processor(), 1);
        add(by_vulkan(), 0.010);
        add(by_cuda(), cuda);
        const Choice choice = chosen();
        QCOMPARE(QString::fromStdString(choice.device.backend), backend);
        QCOMPARE(choice.measured.size(), 3U);
        for (const char* part :
             {"measured earlier", "cpu Processor 1.00 s", "vulkan Card 10.0 ms", "cuda Card "})
            QVERIFY2(has(choice.reason, part), choice.reason.c_str());
        QCOMPARE(has(choice.reason, "CUDA is preferred to Vulkan on the same card"),
                 cuda >= 0.010 && backend == QStringLiteral("cuda"));
        // What is remembered is not opened to be measured again.
        QCOMPARE(opened_, std::vector<std::string>{choice.device.backend});
    }

    void another_card_must_be_faster() {
        Description other = by_cuda();
        other.identity = "ff" + other.identity.substr(2);
        const std::vector measured{std::pair{by_vulkan(), taking(0.010)},
                                   std::pair{other, taking(0.011)}};
        QCOMPARE(best_of(measured), 0U);
        const std::vector same{std::pair{by_vulkan(), taking(0.010)},
                               std::pair{by_cuda(), taking(0.011)}};
        QCOMPARE(best_of(same), 1U);
        // A driver without UUIDs says zeros: that is no card.
        Description vulkan = by_vulkan(), cuda = by_cuda();
        vulkan.identity = std::string(40, '0');
        cuda.identity = std::string(32, '0') + "-12040";
        const std::vector unknown{std::pair{vulkan, taking(0.010)}, std::pair{cuda, taking(0.011)}};
        QCOMPARE(best_of(unknown), 0U);
    }

    void a_processor_that_is_faster_is_taken() {
        add(processor(), 0.004);
        add(by_vulkan(), 0.010);
        add(by_cuda(), 0.005);
        QCOMPARE(chosen().device.backend, std::string("cpu"));
    }

    void neither_lanes_nor_software_are_taken() {
        add(processor(), 1);
        add(device("vulkan", DeviceKind::software, card + "00"), 1e-6);
        add(device("simt", DeviceKind::other, "simt-4"), 1e-6);
        const Choice choice = chosen();
        QCOMPARE(choice.device.backend, std::string("cpu"));
        QVERIFY(choice.measured.empty());
        QVERIFY2(!has(choice.reason, "simt"), choice.reason.c_str());
        QVERIFY2(has(choice.reason, "a software device"), choice.reason.c_str());
    }

    void a_device_without_its_driver_says_why() {
        add(processor(), 1);
        add(by_vulkan(), 0.010);
        Description none;
        none.backend = "cuda";
        none.why = "no CUDA driver: libcuda.so.1";
        devices_.push_back(none);
        Description old = by_cuda();
        old.why = "the CUDA driver is too old";
        devices_.push_back(old);
        const Choice choice = chosen();
        QCOMPARE(choice.device.backend, std::string("vulkan"));
        QVERIFY2(has(choice.reason, "; cuda: no CUDA driver: libcuda.so.1; cuda Card: the CUDA "
                                    "driver is too old"),
                 choice.reason.c_str());
    }

    void what_does_not_open_gives_way_to_the_next() {
        add(processor(), 1);
        add(by_vulkan(), 0.010);
        add(by_cuda(), 0.005);
        fail_["cuda"] = "CUDA: a context: CUDA_ERROR_OUT_OF_MEMORY";
        const Choice second = chosen();
        QCOMPARE(second.device.backend, std::string("vulkan"));
        QVERIFY2(has(second.reason, "cuda Card: CUDA: a context: CUDA_ERROR_OUT_OF_MEMORY"),
                 second.reason.c_str());
        QCOMPARE(opened_, (std::vector<std::string>{"cuda", "vulkan"}));
        fail_["vulkan"] = "vkCreateDevice: lost";
        const Choice last = chosen();
        QCOMPARE(last.device.backend, std::string("cpu"));
        QVERIFY2(has(last.reason, "CUDA_ERROR_OUT_OF_MEMORY; vulkan Card: vkCreateDevice: lost"),
                 last.reason.c_str());
    }

    void another_index_is_not_compared() {
        add(processor(), 1);
        add(by_vulkan(), 0.010);
        Description second = by_cuda();
        second.index = 1;
        add(second, 0.005);
        Settings settings;
        settings.device.choose(0U, "--device");
        const Choice choice = chosen(settings);
        QCOMPARE(choice.device.backend, std::string("vulkan"));
        QVERIFY2(has(choice.reason, "cuda Card: device 0 was requested (--device)"),
                 choice.reason.c_str());
        settings.device.choose(1U, "--device");
        QCOMPARE(chosen(settings).device.backend, std::string("cuda"));
    }

    /// The same card is another device with Vulkan: what is kept of one says nothing of the other.
    void throughput_is_kept_by_backend() {
        const auto on = fake_cuda::open();
        QVERIFY(on.ok());
        const auto measured = throughput_of(**on, cache());
        QVERIFY2(measured.ok(), measured ? "" : measured.error().message.c_str());
        QVERIFY(!measured->remembered && measured->operations_per_second > 0);
        Description same = (*on)->description();
        QVERIFY(remembered_throughput(same, cache())->remembered);
        same.backend = "vulkan";
        QVERIFY(!remembered_throughput(same, cache()));
        QVERIFY(!remembered_throughput((*on)->description(), {}));
    }

    /// The PTX that the build made has the kernel and the parameters that are passed to it.
    void the_probe_is_ptx() {
        const auto on = open_cuda(0, {}, fake_cuda::library());
        QVERIFY2(on.ok(), on ? "" : on.error().message.c_str());
        std::vector<std::uint32_t> groups;
        bool as_declared = true;
        fake_cuda::control().kernel("throughput_probe", [&](const fake_cuda::Launch& launch) {
            groups.push_back(launch.groups[0]);
            as_declared = as_declared && launch.parameters.size() == 3 &&
                          fake_cuda::control().bytes_from(launch.parameters[0]) >= 4096 &&
                          launch.parameters[1] == 1 && launch.parameters[2] == 512;
        });
        const auto measured = measure_throughput(**on);
        fake_cuda::control().kernel("throughput_probe", {});
        QVERIFY2(measured.ok(), measured ? "" : measured.error().message.c_str());
        QVERIFY(as_declared && groups.size() > 4 && groups.front() == 16);
    }

    void cuda_is_measured_and_taken() {
        const Choice choice = chosen_with_fake("", for_ever_);
        QCOMPARE(choice.measured.size(), 2U);
        QCOMPARE(choice.measured.back().first.backend, std::string("cuda"));
        QVERIFY(!choice.measured.back().second.remembered);
        QCOMPARE(choice.device.backend, std::string("cuda"));
        QVERIFY2(has(choice.reason, "measured now"), choice.reason.c_str());
    }

    /// A card that fails or hangs is rejected; the processor runs everything.
    void a_card_that_fails_is_rejected_data() {
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("lost@1") << QByteArray("CUDA_ERROR_LAUNCH_FAILED");
        QTest::newRow("hung@1") << QByteArray("did not finish within");
        QTest::newRow("cuLinkComplete=218") << QByteArray("kernel probe: ");
        QTest::newRow("cuCtxCreate_v2=2") << QByteArray("CUDA: a context");
        QTest::newRow("cuMemAlloc_v2=2") << QByteArray("memory");
    }
    void a_card_that_fails_is_rejected() {
        QFETCH(QByteArray, reason);
        const std::string fault = QTest::currentDataTag();
        const Choice choice =
            chosen_with_fake(fault.c_str(), fault == "hung@1" ? 1'000'000 : for_ever_);
        fake_cuda::control().release();
        QCOMPARE(choice.device.backend, std::string("cpu"));
        QVERIFY2(has(choice.reason, "; cuda Fake GPU 0: ") && has(choice.reason, reason.data()),
                 choice.reason.c_str());
        QVERIFY(QDir(folder_->path()).entryList({QStringLiteral("worth-cuda*")}).isEmpty());
    }

private:
    static constexpr Nanoseconds for_ever_ = std::numeric_limits<Nanoseconds>::max();
};

QTEST_APPLESS_MAIN(TestAuto)
#include "test_auto.moc"
