#include "headers/waiting.h"
#include "profile/usage_probe.h"
#include "profile/usage_sampler.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>

using namespace blockloom;
using namespace blockloom::profile;

namespace {

namespace fs = std::filesystem;

const std::string first_uuid = "4cf8db2d06c07d701a51e59b25b2c100";
const std::string second_uuid = "4cf8db2d06c07d701a51e59b25b2c101";

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

/// What a probe tells now, by quantity.
std::map<Quantity, std::int64_t> values_of(UsageProbe& probe) {
    const auto lines = probe.lines();
    std::vector<std::int64_t> values(lines.size(), no_value);
    probe.read(values);
    std::map<Quantity, std::int64_t> found;
    for (std::size_t i = 0; i < lines.size(); ++i) found[lines[i].quantity] = values[i];
    return found;
}

std::string why_of(const UsageProbe& probe, Quantity quantity) {
    for (const UsageLine& line : probe.lines())
        if (line.quantity == quantity) return line.why;
    return "no such line";
}

/// Counts how often it is read.
class CountingProbe final : public UsageProbe {
public:
    explicit CountingProbe(std::atomic<int>& count) : count_(count) {}
    std::vector<UsageLine> lines() const override {
        return {{"run", Quantity::tasks, 0, {}, {}},
                {"host", Quantity::power, 0, {}, "there is no such thing"}};
    }
    void read(std::span<std::int64_t> values) override { values[0] = ++count_; }

private:
    std::atomic<int>& count_;
};

} // namespace

class UsageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nvml_finds_the_device_by_its_identity() {
        const auto probe = nvml_probe({"NVIDIA Example", first_uuid}, FAKE_NVML);
        QVERIFY2(probe, probe ? "" : probe.error().message.c_str());
        const auto values = values_of(**probe);
        QVERIFY(values.at(Quantity::device_busy) >= 400);
        QCOMPARE(values.at(Quantity::device_memory), std::int64_t{3} << 30);
        QCOMPARE(values.at(Quantity::temperature), std::int64_t{41'000});
        QCOMPARE(values.at(Quantity::power), std::int64_t{123'456});
        QCOMPARE((*probe)->lines()[1].most, std::int64_t{16} << 30);
        QCOMPARE((*probe)->lines()[0].of, std::string("NVIDIA Example"));
    }

    void what_a_device_does_not_tell_is_said() {
        const auto probe = nvml_probe({"NVIDIA Example", second_uuid}, FAKE_NVML);
        QVERIFY(probe);
        const auto values = values_of(**probe);
        QCOMPARE(values.at(Quantity::device_busy), std::int64_t{70});
        QCOMPARE(values.at(Quantity::power), no_value);
        QCOMPARE(why_of(**probe, Quantity::power), std::string("NVML: Not Supported"));
        QVERIFY(why_of(**probe, Quantity::device_busy).empty());
    }

    void no_library_and_no_device_are_errors() {
        const auto nothing = nvml_probe({"NVIDIA Example", first_uuid}, "libno-such-library.so.1");
        QVERIFY(!nothing);
        QCOMPARE(nothing.error().code, ErrorCode::unavailable);
        // Two devices have the name: without the identity none of them is meant.
        const auto other = nvml_probe({"NVIDIA Example", std::string(32, '0')}, FAKE_NVML);
        QVERIFY(!other);
        QVERIFY(other.error().message.find("NVIDIA Example") != std::string::npos);
    }

    void amd_tells_through_files() {
        const QTemporaryDir folder;
        const fs::path drm = folder.path().toStdString();
        const fs::path place = drm / "devices" / "0000:03:00.0";
        write(place / "vendor", "0x1002\n");
        write(place / "gpu_busy_percent", "55\n");
        write(place / "mem_info_vram_used", "1048576\n");
        write(place / "mem_info_vram_total", "8388608\n");
        write(place / "hwmon" / "hwmon4" / "temp1_input", "63000\n");
        write(place / "hwmon" / "hwmon4" / "power1_average", "80000000\n");
        fs::create_directories(drm / "class" / "card0");
        fs::create_directory_symlink(place, drm / "class" / "card0" / "device");
        const fs::path other = drm / "devices" / "0000:00:02.0";
        write(other / "vendor", "0x8086\n");
        fs::create_directories(drm / "class" / "card1");
        fs::create_directory_symlink(other, drm / "class" / "card1" / "device");
        fs::create_directories(drm / "class" / "card0-HDMI-A-1");

        // Domain 0, bus 3, device 0, function 0, as Mesa writes them.
        const auto probe =
            sysfs_probe({"AMD Example", "00000000030000000000000000000000"}, drm / "class");
        QVERIFY2(probe, probe ? "" : probe.error().message.c_str());
        const auto values = values_of(**probe);
        QCOMPARE(values.at(Quantity::device_busy), std::int64_t{550});
        QCOMPARE(values.at(Quantity::device_memory), std::int64_t{1'048'576});
        QCOMPARE(values.at(Quantity::temperature), std::int64_t{63'000});
        QCOMPARE(values.at(Quantity::power), std::int64_t{80'000});
        QCOMPARE((*probe)->lines()[1].most, std::int64_t{8'388'608});

        // Two cards, and the identity says the place of neither.
        QVERIFY(!sysfs_probe({"AMD Example", std::string(32, 'f')}, drm / "class"));
        QVERIFY(!sysfs_probe({"AMD Example", ""}, drm / "nowhere"));
    }

    void intel_tells_its_energy_only() {
        const QTemporaryDir folder;
        const fs::path card = fs::path(folder.path().toStdString()) / "card0" / "device";
        write(card / "vendor", "0x8086\n");
        write(card / "hwmon" / "hwmon1" / "energy1_input", "1000000\n");
        const auto probe = sysfs_probe({"Intel Example", ""}, folder.path().toStdString());
        QVERIFY(probe);
        QVERIFY(!why_of(**probe, Quantity::device_busy).empty());
        QVERIFY(why_of(**probe, Quantity::power).empty());
        QCOMPARE(values_of(**probe).at(Quantity::power), no_value); // the first has none before it
        write(card / "hwmon" / "hwmon1" / "energy1_input", "2000000\n");
        QVERIFY(values_of(**probe).at(Quantity::power) > 0);
        write(card / "hwmon" / "hwmon1" / "energy1_input", "5\n"); // counted over its end
        QCOMPARE(values_of(**probe).at(Quantity::power), no_value);
    }

    void the_host_tells_itself() {
        const auto probe = host_probe();
        volatile double sum = 0;
        for (int i = 0; i < 2'000'000; ++i) sum = sum + i; // something to be seen
        const auto values = values_of(*probe);
        QVERIFY(values.at(Quantity::process_cpu) > 0);
        QVERIFY(values.at(Quantity::process_cpu) <= 1000);
        QVERIFY(values.at(Quantity::process_memory) > 1 << 20);
        QVERIFY(values.at(Quantity::machine_memory) > values.at(Quantity::process_memory) / 2);
    }

    void the_machine_by_its_files() {
        const QTemporaryDir folder;
        const fs::path proc = folder.path().toStdString();
        write(proc / "stat", "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 2 3\n");
        write(proc / "meminfo", "MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 600 kB\n");
        const auto probe = host_probe(proc);
        QVERIFY(!why_of(*probe, Quantity::process_memory).empty()); // there is no such file
        // 300 more, of them 240 busy.
        write(proc / "stat", "cpu  300 0 140 740 120 0 0 0 0 0\n");
        const auto values = values_of(*probe);
        QCOMPARE(values.at(Quantity::machine_cpu), std::int64_t{800});
        QCOMPARE(values.at(Quantity::machine_memory), std::int64_t{400 * 1024});
        QCOMPARE(values.at(Quantity::process_memory), no_value);
    }

    void silence_has_a_reason() {
        const auto probe = silent_probe("llvmpipe", "a device made of software");
        QCOMPARE(probe->lines().size(), std::size_t{4});
        for (const UsageLine& line : probe->lines())
            QCOMPARE(line.why, std::string("a device made of software"));
    }

    void the_sampler_keeps_a_bounded_series() {
        std::atomic<int> count{0};
        std::vector<std::unique_ptr<UsageProbe>> probes;
        probes.push_back(std::make_unique<CountingProbe>(count));
        UsageSampler sampler(std::move(probes), now_ns(), 100'000, 8);
        WAIT_UNTIL(count > 40);
        sampler.stop();
        const int last = count;
        const auto series = sampler.series();
        QVERIFY(series->at.size() <= 9);
        QVERIFY(series->at.size() >= 3);
        QVERIFY(std::is_sorted(series->at.begin(), series->at.end()));
        const UsageLine* tasks = series->find(Quantity::tasks);
        QVERIFY(tasks != nullptr);
        QCOMPARE(tasks->values.size(), series->at.size());
        QVERIFY(std::is_sorted(tasks->values.begin(), tasks->values.end()));
        QCOMPARE(tasks->values.front(), std::int64_t{1});
        QVERIFY(series->find(Quantity::power)->values.empty());
        QCOMPARE(series->find(Quantity::power)->why, std::string("there is no such thing"));
        QCOMPARE(sampler.series(), series); // nothing new: the same one
        QCOMPARE(count.load(), last);       // nobody reads any more
    }

    void rates_and_quantities() {
        UsageSeries series;
        series.at = {0, 1'000'000'000, 1'500'000'000, 2'000'000'000};
        series.lines.push_back({"run", Quantity::tasks, 0, {0, 10, no_value, 40}, {}});
        const auto rates = rate_of(series, series.lines[0]);
        QCOMPARE(rates, (std::vector<double>{0, 10, 0, 0}));
        for (std::size_t i = 0; i < static_cast<std::size_t>(Quantity::count); ++i)
            QCOMPARE(*quantity_named(name_of(static_cast<Quantity>(i))), static_cast<Quantity>(i));
        QVERIFY(!quantity_named("nothing").has_value());
    }
};

QTEST_APPLESS_MAIN(UsageTest)
#include "test_usage.moc"
