// Which device is taken and why, and that a machine without Vulkan is reported in words.
#include "vulkan/device.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace blockloom;
using namespace blockloom::vulkan;

namespace {

DeviceInfo device(DeviceType type, const char* why = "") {
    DeviceInfo info;
    info.name = name_of(type);
    info.type = type;
    info.why = why;
    return info;
}

DeviceList list_of(std::vector<DeviceInfo> devices) {
    DeviceList list;
    list.devices = std::move(devices);
    for (std::size_t i = 0; i < list.devices.size(); ++i)
        list.devices[i].index = static_cast<std::uint32_t>(i);
    return list;
}

} // namespace

class TestDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void best_usable_type_is_taken() {
        std::mt19937 random(7);
        for (int round = 0; round < 500; ++round) {
            std::vector<DeviceInfo> devices;
            const auto count = random() % 6;
            for (unsigned i = 0; i < count; ++i)
                devices.push_back(device(static_cast<DeviceType>(random() % 5),
                                         random() % 3 == 0 ? "too old" : ""));
            DeviceList list = list_of(devices);
            choose_device(list, nullptr);
            int expected = -1;
            for (int type = 4; type >= 0; --type)
                for (int i = static_cast<int>(count) - 1; i >= 0; --i) {
                    const DeviceInfo& d = devices[static_cast<std::size_t>(i)];
                    if (d.usable() && static_cast<int>(d.type) == type) expected = i;
                }
            QCOMPARE(list.chosen, expected);
            // None is taken without a reason, unless there is none at all.
            QCOMPARE(list.why_none.empty(), expected >= 0 || count == 0);
        }
    }

    void environment_decides() {
        DeviceList list = list_of({device(DeviceType::discrete), device(DeviceType::cpu),
                                   device(DeviceType::integrated, "it has no queue")});
        choose_device(list, "1");
        QCOMPARE(list.chosen, 1);
        choose_device(list, "");
        QCOMPARE(list.chosen, 0);
        for (const char* bad : {"3", "-1", "x", "1x", "99999999999999999999"}) {
            choose_device(list, bad);
            QCOMPARE(list.chosen, -1);
            QVERIFY(list.why_none.find(bad) != std::string::npos);
            QVERIFY(list.why_none.find("0 … 2") != std::string::npos);
        }
        choose_device(list, "2");
        QCOMPARE(list.chosen, -1);
        QVERIFY(list.why_none.find("it has no queue") != std::string::npos);
    }

    void without_driver_the_reason_is_given() {
        const QByteArray before = qgetenv("VK_ICD_FILENAMES");
        qputenv("VK_ICD_FILENAMES", "/nonexistent/driver.json");
        const DeviceList list = list_devices();
        const auto instance = Instance::create(false);
        if (before.isEmpty())
            qunsetenv("VK_ICD_FILENAMES");
        else
            qputenv("VK_ICD_FILENAMES", before);
        QVERIFY(list.devices.empty());
        QCOMPARE(list.chosen, -1);
        QVERIFY2(list.why.find("driver") != std::string::npos, list.why.c_str());
        QVERIFY(!instance.ok());
        QCOMPARE(instance.error().code, ErrorCode::unavailable);
    }

    void devices_of_this_machine() {
        const DeviceList list = list_devices();
        if (list.devices.empty()) QSKIP("no Vulkan device on this machine");
        for (const DeviceInfo& info : list.devices) {
            QVERIFY(!info.name.empty());
            QVERIFY(!info.api_version.empty());
            QVERIFY(!info.heaps.empty());
            QVERIFY(info.max_image_size >= 4096);              // the specification's least
            QVERIFY(info.max_storage_buffer_bytes >= 1 << 27); // the specification's least
            if (info.usable()) QVERIFY(!info.driver.empty() && info.subgroup_size > 0);
        }
        auto instance = Instance::create(false);
        QVERIFY(instance.ok());
        const auto made = Device::create(*instance);
        QCOMPARE(made.ok(), list.chosen >= 0);
        if (made.ok())
            QCOMPARE((*made)->info().name,
                     list.devices[static_cast<std::size_t>(list.chosen)].name);
    }
};

QTEST_APPLESS_MAIN(TestDevices)
#include "test_devices.moc"
