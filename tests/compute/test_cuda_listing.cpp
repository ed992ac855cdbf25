// What a machine has of CUDA, and why it has none, with a fake driver in place of NVIDIA's: a
// driver that is missing, old, broken, hangs or crashes is a reason in words and does no harm.
#include "compute/cuda/probe.h"
#include "compute/errors.h"
#include "compute/fake_cuda/fake_device.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>

using namespace blockloom;
using namespace blockloom::compute;

namespace {

QString why(const std::string& faults) {
    const fake_cuda::WithFaults set(faults);
    const CudaDevices found = list_cuda_devices(fake_cuda::library());
    return found.devices.empty() ? QString::fromStdString(found.why) : QStringLiteral("devices");
}

} // namespace

class TestCudaListing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devices_are_described() {
        const fake_cuda::WithFaults set("devices=2");
        const CudaDevices found = list_cuda_devices(fake_cuda::library());
        QCOMPARE(found.why, std::string());
        QCOMPARE(found.devices.size(), 2U);
        const Description& second = found.devices[1];
        QVERIFY(second.usable());
        QCOMPARE(second.backend, std::string("cuda"));
        QCOMPARE(second.index, 1U);
        QCOMPARE(second.name, std::string("Fake GPU 1"));
        QCOMPARE(second.driver, std::string("CUDA 12.4"));
        QCOMPARE(second.api, std::string("compute capability 9.0"));
        QCOMPARE(second.identity, std::string("fafafafafafafafafafafafafafafa01-12040"));
        QCOMPARE(second.memory_bytes, std::uint64_t{4} << 30);
        QCOMPARE(second.limits.max_workgroup_invocations, 1024U);
        QCOMPARE(second.limits.subgroup_size, 32U);
        QVERIFY(found.devices[0].identity != second.identity);
    }

    void a_missing_library_is_named() {
        const CudaDevices found = list_cuda_devices("/nonexistent/libcuda.so.1");
        QVERIFY(found.devices.empty());
        QVERIFY2(found.why.starts_with("no CUDA driver: /nonexistent/libcuda.so.1"),
                 found.why.c_str());
        const auto opened = open_cuda(0, {}, "/nonexistent/libcuda.so.1");
        QVERIFY(!opened.ok());
        QCOMPARE(opened.error().code, ErrorCode::unavailable);
        QCOMPARE(opened.error().message, "cuda, device 0: " + found.why);
    }

    /// It is there, so the reason is another one.
    void a_file_that_is_no_library_is_not_called_missing() {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("libcuda.so.1")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not a library");
        file.close();
        const CudaDevices found = list_cuda_devices(file.fileName().toStdString());
        QVERIFY(found.devices.empty());
        QVERIFY2(found.why.starts_with("no CUDA driver: "), found.why.c_str());
        QVERIFY2(found.why.find("not found") == std::string::npos, found.why.c_str());
        QVERIFY2(found.why.find("too short") != std::string::npos, found.why.c_str());
    }

    void a_missing_function_is_named() {
        const CudaDevices found = list_cuda_devices(fake_cuda::old_library());
        QVERIFY(found.devices.empty());
        QCOMPARE(found.why, "the CUDA driver is too old: " + fake_cuda::old_library() +
                                " has no cuLinkCreate_v2");
    }

    void what_is_wrong_with_a_driver_is_named_data() {
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* faults, const char* reason) {
            QTest::newRow(faults) << QString::fromLatin1(reason);
        };
        row("cuInit=100", "the CUDA driver does not start: CUDA_ERROR_NO_DEVICE");
        row("cuInit=803", "the CUDA driver does not start: CUDA error 803");
        row("version=10020",
            "the CUDA driver is too old: expected version 11.0 or newer, found 10.2");
        row("devices=0", "the CUDA driver has no device");
        row("cuDeviceGetCount=999", "the CUDA driver does not count its devices: CUDA error 999");
        row("cuDeviceGetName@1=101", "the CUDA driver does not describe device 0");
        row("devices=2,cuDeviceTotalMem_v2@2=101", "the CUDA driver does not describe device 1");
        row("crash", "the CUDA driver crashed (signal 11)");
        row("leave", "the CUDA driver ended its process");
    }
    void what_is_wrong_with_a_driver_is_named() {
        QFETCH(QString, reason);
        QCOMPARE(why(QTest::currentDataTag()), reason);
    }

    void a_driver_that_never_answers_is_ended() {
        const fake_cuda::WithFaults set("hang");
        const CudaDevices found = cuda::probe(fake_cuda::library(), 1'000'000);
        QVERIFY(found.devices.empty());
        QVERIFY2(found.why.starts_with("the CUDA driver did not answer within "),
                 found.why.c_str());
    }

    /// Such a device is listed with the reason, and not opened.
    void unusable_devices_say_why_data() {
        QTest::addColumn<QString>("reason");
        QTest::newRow("major=6") << QStringLiteral(
            "expected compute capability 7.0 or newer, found 6.0");
        QTest::newRow("prohibited") << QStringLiteral("its compute mode is set to prohibited");
        QTest::newRow("apart") << QStringLiteral("it does not share addresses with the host");
    }
    void unusable_devices_say_why() {
        QFETCH(QString, reason);
        const fake_cuda::WithFaults set(QTest::currentDataTag());
        const CudaDevices found = list_cuda_devices(fake_cuda::library());
        QCOMPARE(found.devices.size(), 1U);
        QVERIFY(!found.devices[0].usable());
        QCOMPARE(QString::fromStdString(found.devices[0].why), reason);
        const auto opened = fake_cuda::open();
        QVERIFY(!opened.ok());
        QCOMPARE(opened.error().code, ErrorCode::unavailable);
        QCOMPARE(QString::fromStdString(opened.error().message), reason);
    }

    void there_is_no_such_device() {
        const auto opened = fake_cuda::open({}, 5);
        QVERIFY(!opened.ok());
        QCOMPARE(opened.error().code, ErrorCode::unavailable);
        QCOMPARE(opened.error().message, std::string("cuda, device 5: no such device"));
    }

    /// The library that puts faults before a real driver, here before the fake one.
    void faults_are_put_before_a_driver() {
        ::setenv("FAULT_CUDA_DRIVER", fake_cuda::library().c_str(), 1);
        const auto set = [](const char* faults) { ::setenv("FAULT_CUDA", faults, 1); };
        set("");
        const CudaDevices found = list_cuda_devices(FAULT_CUDA);
        QCOMPARE(found.why, std::string());
        QCOMPARE(found.devices.size(), 1U);
        QCOMPARE(found.devices[0].name, std::string("Fake GPU 0"));
        QCOMPARE(found.devices[0].driver, std::string("CUDA 12.4"));
        set("version=10020");
        QCOMPARE(list_cuda_devices(FAULT_CUDA).why,
                 std::string("the CUDA driver is too old: expected version 11.0 or newer, found "
                             "10.2"));
        set("cuInit=100");
        QCOMPARE(list_cuda_devices(FAULT_CUDA).why,
                 std::string("the CUDA driver does not start: CUDA_ERROR_NO_DEVICE"));
        {
            set("cuMemAlloc_v2@2=719"); // ends the context
            const auto opened = open_cuda(0, {}, FAULT_CUDA);
            QVERIFY(opened.ok());
            QVERIFY((*opened)->allocate(4096, BufferUse::device).ok());
            const auto lost = (*opened)->allocate(1 << 20, BufferUse::device);
            QVERIFY(!lost.ok());
            QCOMPARE(lost.error().code, device_lost);
            QCOMPARE(lost.error().message,
                     std::string("CUDA: memory: CUDA_ERROR_LAUNCH_FAILED (unspecified launch "
                                 "failure)"));
        }
        QVERIFY(fake_cuda::control().live() == fake_cuda::Live{});
        ::unsetenv("FAULT_CUDA");
        ::unsetenv("FAULT_CUDA_DRIVER");
    }

    /// What is listed and then does not open is an error with the driver's own, and leaves nothing.
    void a_device_that_does_not_open_leaves_nothing_data() {
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* faults, const char* reason) {
            QTest::newRow(faults) << QString::fromLatin1(reason);
        };
        row("cuCtxCreate_v2=2", "CUDA: a context: CUDA_ERROR_OUT_OF_MEMORY");
        row("cuStreamCreate@1=2", "CUDA: a stream: CUDA_ERROR_OUT_OF_MEMORY");
        row("cuStreamCreate@2=719",
            "CUDA: a stream: CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)");
        row("cuStreamCreate@3=2", "CUDA: a stream: CUDA_ERROR_OUT_OF_MEMORY");
    }
    void a_device_that_does_not_open_leaves_nothing() {
        QFETCH(QString, reason);
        {
            const fake_cuda::WithFaults set(QTest::currentDataTag());
            const auto opened = fake_cuda::open();
            QVERIFY(!opened.ok());
            QCOMPARE(opened.error().code, ErrorCode::unavailable);
            QCOMPARE(QString::fromStdString(opened.error().message), reason);
        }
        QVERIFY(fake_cuda::control().live() == fake_cuda::Live{});
        QVERIFY(fake_cuda::open().ok()); // the next one does
        QVERIFY(fake_cuda::control().live() == fake_cuda::Live{});
    }
};

QTEST_APPLESS_MAIN(TestCudaListing)
#include "test_cuda_listing.moc"
