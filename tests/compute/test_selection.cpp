// Settings from environment and file, the choice among devices, faults on purpose.
#include "compute/faults/faulty_provider.h"
#include "compute/selection.h"
#include "devices.h"
#include "kernels.h"
#include "vulkan/instance.h"

#include <QFile>
#include <QTemporaryDir>

#include <map>

using namespace blockloom;
using namespace blockloom::compute;
using namespace blockloom::compute_tests;

namespace {

using Variables = std::map<std::string, std::string>;

Environment environment(const Variables& variables) {
    return [&variables](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
}

std::string written(const QTemporaryDir& folder, const char* content) {
    const QString path = folder.filePath(QStringLiteral("blockloom.conf"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) < 0) return {};
    return path.toStdString();
}

std::string message_of(const Variables& variables, const std::string& file = {}) {
    const auto settings = read_settings(environment(variables), file);
    if (settings.ok()) return {};
    return settings.error().code == ErrorCode::wrong_usage ? settings.error().message : "?";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Description device(const char* backend, std::uint32_t index, DeviceKind kind,
                   const char* why = "") {
    Description made;
    made.backend = backend;
    made.index = index;
    made.kind = kind;
    made.name = std::string(backend) + std::to_string(index);
    made.why = why;
    return made;
}

Settings asking(const char* backend, std::optional<std::uint32_t> index = {}) {
    Settings settings;
    settings.backend.choose(backend, "--backend");
    if (index) settings.device.choose(index, "--device");
    return settings;
}

} // namespace

class TestSelection : public QObject {
    Q_OBJECT

    const QTemporaryDir cache_;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CACHE_HOME", cache_.path().toUtf8()); }
    void cleanupTestCase() {
        QCOMPARE(close_providers(), QString());
        // Also what the layer says of objects that were left behind.
        QCOMPARE(vulkan::Instance::all_messages(), 0U);
    }

    void environment_wins_over_the_file() {
        const QTemporaryDir folder;
        const std::string file = written(folder, "# devices of this machine\n"
                                                 "backend = vulkan   # the fast one\n"
                                                 "\n"
                                                 "memory_limit=4G\n"
                                                 "  timeout = 250ms\n"
                                                 "fallback = 0\n"
                                                 "batch_size = 4096\n");
        const Variables variables{{"BLOCKLOOM_BACKEND", "cpu"},
                                  {"BLOCKLOOM_DEVICE", "2"},
                                  {"BLOCKLOOM_DISABLE_GPU", "1"},
                                  {"BLOCKLOOM_VALIDATION", "1"},
                                  {"BLOCKLOOM_TIMEOUT", ""}};
        const auto settings = read_settings(environment(variables), file);
        QVERIFY(settings.ok());
        QCOMPARE(settings->backend.value, std::string("cpu"));
        QCOMPARE(settings->backend.source, SettingSource::environment);
        QCOMPARE(settings->backend.place, std::string("BLOCKLOOM_BACKEND"));
        QCOMPARE(settings->device.value, std::optional<std::uint32_t>(2));
        QVERIFY(settings->disable_gpu.value && settings->validation.value);
        QCOMPARE(settings->memory_limit.value, std::uint64_t{4} << 30);
        QCOMPARE(settings->memory_limit.place, file + ":4");
        QCOMPARE(settings->timeout.value, Nanoseconds{250'000'000}); // an empty variable is none
        QCOMPARE(settings->timeout.source, SettingSource::file);
        QCOMPARE(settings->fallback.value, false);
        QCOMPARE(settings->batch_size.value, 4096U);
        const auto table = rows(*settings);
        QCOMPARE(table.size(), 10U);
        QCOMPARE(table[0].origin, std::string("BLOCKLOOM_BACKEND"));
        QCOMPARE(table[6].name, std::string("batch_min"));
        QCOMPARE(table[6].origin, std::string("standard"));
    }

    void what_is_no_setting_is_refused_with_its_line() {
        const QTemporaryDir folder;
        for (const char* line : {"backend", "[devices]"})
            QVERIFY2(has(message_of({}, written(folder, (std::string("# mine\r\n \t\r\n") + line +
                                                         "\nfallback = 0\n")
                                                            .c_str())),
                         std::string("blockloom.conf:3: expected name = value, found \"") + line),
                     line);
        QVERIFY(has(message_of({}, written(folder, "backends = cpu\n")),
                    "blockloom.conf:1: expected the name of a setting, found \"backends\""));
    }

    /// Only the lines that change do; what is no value is refused before anything is written.
    void a_file_is_changed_in_place() {
        const QTemporaryDir folder;
        const std::string file = written(folder, "# mine\n"
                                                 "backend = vulkan   # the fast one\n"
                                                 "timeout = 5s\n"
                                                 "timeout = 6s\n"
                                                 "\n"
                                                 "fallback = 0\n");
        const auto text = [&] {
            QFile in(QString::fromStdString(file));
            return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("unreadable");
        };
        const std::vector<SettingChange> changes{
            {"backend", "cpu"}, {"timeout", std::nullopt}, {"memory_limit", "2G"}};
        const Status changed = change_settings(file, changes);
        QVERIFY2(changed.ok(), changed.ok() ? "" : changed.error().message.c_str());
        QCOMPARE(text(), QByteArray("# mine\n"
                                    "backend = cpu # the fast one\n"
                                    "\n"
                                    "fallback = 0\n"
                                    "memory_limit = 2G\n"));
        const QByteArray before = text();
        const std::vector<SettingChange> bad{{"device", "1"}, {"timeout", "soon"}};
        const Status refused = change_settings(file, bad);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("timeout") != std::string::npos);
        QCOMPARE(text(), before);
        QVERIFY(!check_setting("no_such", "1").ok());

        const std::string fresh = folder.filePath(QStringLiteral("a/b/c.conf")).toStdString();
        QVERIFY(change_settings(fresh, std::vector<SettingChange>{{"device", "3"}}).ok());
        QCOMPARE(read_settings(environment({}), fresh)->device.value,
                 std::optional<std::uint32_t>(3));
    }

    void every_setting_is_read_from_both_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("good");
        QTest::addColumn<QStringList>("bad");
        const auto row = [](const char* name, const char* good, const char* bad) {
            QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(good)
                                << QString::fromLatin1(bad).split(QLatin1Char('|'));
        };
        row("backend", "cuda", "gpu|CPU");
        row("device", "3", "-1|x|1x");
        row("disable_gpu", "1", "yes|2");
        row("validation", "1", "true|-");
        row("fallback", "0", "no|00");
        row("batch_size", "65536", "-4|4K|99999999999");
        row("batch_min", "16", "-1|few|1K");
        row("memory_limit", "512M", "4T|M|1.5G|99999999999G");
        row("timeout", "10s", "0|fast|10m|86401s|9000000000s");
        row("code_cache", "/tmp/code", "1|code|./code");
    }

    void every_setting_is_read_from_both() {
        QFETCH(QString, name);
        QFETCH(QString, good);
        QFETCH(QStringList, bad);
        const QTemporaryDir folder;
        const std::string variable = "BLOCKLOOM_" + name.toUpper().toStdString();
        const std::string standard = message_of({});
        QCOMPARE(standard, std::string());
        const auto in_file = [&](const QString& value) {
            return written(folder, (name + QStringLiteral(" = ") + value).toUtf8().constData());
        };
        QCOMPARE(message_of({{variable, good.toStdString()}}), std::string());
        QCOMPARE(message_of({}, in_file(good)), std::string());
        const Variables set{{variable, good.toStdString()}};
        const auto from_environment = read_settings(environment(set), {});
        const auto from_file = read_settings(environment({}), in_file(good));
        QVERIFY(from_environment.ok() && from_file.ok());
        int differing = 0;
        const auto plain = rows(Settings{});
        for (std::size_t i = 0; i < plain.size(); ++i) {
            QCOMPARE(rows(*from_environment)[i].value, rows(*from_file)[i].value);
            if (rows(*from_file)[i].value == plain[i].value) continue;
            ++differing;
            QCOMPARE(plain[i].name, name.toStdString());
        }
        QCOMPARE(differing, 1);
        for (const QString& value : bad) {
            const std::string reported = message_of({{variable, value.toStdString()}});
            QVERIFY2(has(reported, variable + ": expected"), reported.c_str());
            QVERIFY2(has(reported, "\"" + value.toStdString() + "\""), reported.c_str());
            QVERIFY(has(message_of({}, in_file(value)), "blockloom.conf:1: expected"));
        }
    }

    void a_file_is_read_strictly() {
        const QTemporaryDir folder;
        QVERIFY(has(message_of({}, written(folder, "\nbackend vulkan\n")), ":2: expected name ="));
        QVERIFY(has(message_of({}, written(folder, "backends = cpu")), "the name of a setting"));
        QCOMPARE(message_of({}, "/nonexistent/blockloom.conf"), std::string());
    }

    void machine_code_is_kept_in_the_cache_or_where_it_is_said() {
        const auto folder = [](const char* value) {
            const Variables set{{"BLOCKLOOM_CODE_CACHE", value}};
            return code_folder(*read_settings(environment(set), {}), "/k/blockloom").string();
        };
        QCOMPARE(folder(""), std::string("/k/blockloom/code"));
        QCOMPARE(folder("on"), std::string("/k/blockloom/code"));
        QCOMPARE(folder("off"), std::string());
        QCOMPARE(folder("/c"), std::string("/c"));
        QVERIFY(code_folder(Settings{}, {}).empty()); // neither variable is set
    }

    void folders_follow_xdg() {
        const Variables both{{"XDG_CONFIG_HOME", "/c"}, {"XDG_CACHE_HOME", "/k"}, {"HOME", "/h"}};
        const Variables home{{"XDG_CONFIG_HOME", "relative"}, {"HOME", "/h"}};
        const Variables none;
        QCOMPARE(settings_file(environment(both)).string(),
                 std::string("/c/blockloom/blockloom.conf"));
        QCOMPARE(cache_folder(environment(both)).string(), std::string("/k/blockloom"));
        QCOMPARE(settings_file(environment(home)).string(),
                 std::string("/h/.config/blockloom/blockloom.conf"));
        QCOMPARE(cache_folder(environment(home)).string(), std::string("/h/.cache/blockloom"));
        QVERIFY(settings_file(environment(none)).empty() &&
                cache_folder(environment(none)).empty());
    }

    void named_devices() {
        const std::vector<Description> devices{
            device("cpu", 0, DeviceKind::processor), device("vulkan", 0, DeviceKind::software),
            device("vulkan", 1, DeviceKind::shared_gpu),
            device("vulkan", 2, DeviceKind::gpu, "old"),
            device("cuda", 0, DeviceKind::gpu, "not part of this build")};
        const auto taken = [&](const Settings& settings) {
            const auto choice = choose_device(settings, devices, {});
            return choice.ok() ? choice->device.name : "! " + choice.error().message;
        };
        QCOMPARE(taken(asking("cpu")), std::string("cpu0"));
        QCOMPARE(taken(asking("vulkan")), std::string("vulkan1"));
        QCOMPARE(taken(asking("vulkan", 0)), std::string("vulkan0"));
        QVERIFY(has(taken(asking("vulkan", 2)), "! backend vulkan, device 2: vulkan2: old"));
        QVERIFY(has(taken(asking("vulkan", 7)), "no such device"));
        QVERIFY(has(taken(asking("cuda")), "not part of this build"));
        QVERIFY(has(taken(asking("cpu", 1)), "! backend cpu, device 1"));
        QCOMPARE(choose_device(asking("cuda"), devices, {}).error().code, ErrorCode::unavailable);
        const auto reason = choose_device(asking("cpu"), devices, {})->reason;
        QVERIFY(has(reason, "cpu") && has(reason, "--backend"));
    }

    void auto_never_takes_a_software_device() {
        const std::vector<Description> devices{device("cpu", 0, DeviceKind::processor),
                                               device("vulkan", 0, DeviceKind::software),
                                               device("vulkan", 1, DeviceKind::gpu, "too old")};
        const auto choice = choose_device({}, devices, {});
        QVERIFY(choice.ok());
        QCOMPARE(choice->device.name, std::string("cpu0"));
        QVERIFY(has(choice->reason, "vulkan0: a software device"));
        QVERIFY(has(choice->reason, "vulkan1: too old"));
        QVERIFY(choice->measured.empty());
    }

    void auto_takes_the_shortest_batch() {
        const auto throughput = [](double operations, double copies) {
            return std::pair{device("x", 0, DeviceKind::gpu),
                             Throughput{operations, copies, false}};
        };
        // Arithmetic decides unless the copies eat it up.
        QCOMPARE(best_of({throughput(1e10, 1e10), throughput(1e13, 1e10)}), 1U);
        QCOMPARE(best_of({throughput(1e10, 1e10), throughput(1e13, 1e6)}), 0U);
        QCOMPARE(best_of({throughput(1e10, 1e10), throughput(1e10, 1e10)}), 0U);
        QCOMPARE(best_of({throughput(1e10, 1e10)}), 0U);
    }

    void throughput_is_measured_once_and_kept() {
        const QTemporaryDir folder;
        const std::filesystem::path cache = folder.path().toStdString() + "/w";
        Provider& on = *provider(QStringLiteral("cpu"));
        const auto first = throughput_of(on, cache), second = throughput_of(on, cache);
        QVERIFY(first.ok() && second.ok());
        QVERIFY(!first->remembered && second->remembered);
        QVERIFY(first->operations_per_second > 1e6 && first->copy_bytes_per_second > 1e6);
        QCOMPARE(second->operations_per_second, first->operations_per_second);
        QCOMPARE(second->copy_bytes_per_second, first->copy_bytes_per_second);
        const auto files = QDir(QString::fromStdString(cache.string())).entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        QFile file(QString::fromStdString(cache.string()) + QLatin1Char('/') + files[0]);
        for (const char* broken : {"", "{", "[]", "{\"schema\":\"blockloom.worth/2\"}",
                                   "{\"schema\":\"blockloom.worth/2\",\"operations_per_second\":-1,"
                                   "\"copy_bytes_per_second\":1}"}) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(broken);
            file.close();
            const auto again = throughput_of(on, cache);
            QVERIFY(again.ok() && !again->remembered);
        }
        if (const ProviderPtr vulkan = provider(QStringLiteral("vulkan")))
            QVERIFY(measure_throughput(*vulkan).ok()); // the kernel's other form runs
    }

    void gpus_can_be_switched_off() {
        Settings settings;
        settings.disable_gpu = {true, SettingSource::environment, "BLOCKLOOM_DISABLE_GPU"};
        for (const Description& found : list_devices(settings))
            QCOMPARE(found.usable(), found.backend == "cpu" || found.backend == "simt");
        const auto opened = open_provider(settings);
        QVERIFY(opened.ok());
        QCOMPARE(opened->provider->description().backend, std::string("cpu"));
        settings.backend.choose("vulkan", "--backend");
        const auto refused = open_provider(settings);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::unavailable);
    }

    void a_machine_without_drivers() {
        for (const char* variable : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"})
            qputenv(variable, "/nonexistent.json");
        Settings settings = asking("vulkan");
        const auto refused = open_provider(settings);
        settings.backend.choose("auto", "test");
        const auto choice = open_provider(settings);
        for (const char* variable : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"}) qunsetenv(variable);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::unavailable);
        QVERIFY2(has(refused.error().message, "driver"), refused.error().message.c_str());
        QVERIFY(choice.ok());
        QCOMPARE(choice->provider->description().backend, std::string("cpu"));
        QVERIFY2(has(choice->reason, "driver"), choice->reason.c_str());
    }

    /// Each fault strikes at its count, with its code, and is reported as injected.
    void faults_of_a_device_data() { add_backends(); }
    void faults_of_a_device() {
        QFETCH(QString, backend);
        const ProviderPtr inner = provider(backend);
        const auto faulty = [&](const char* text) {
            const auto faults = parse_faults(text);
            return with_faults(inner, faults.ok() ? *faults : Faults{});
        };
        const auto is = [](const Error& error, ErrorCode code) {
            return error.code == code && error.message.starts_with("injected fault");
        };
        auto on = faulty("memory@2");
        QVERIFY(on->allocate(64, BufferUse::device).ok());
        QVERIFY(is(on->allocate(64, BufferUse::device).error(), out_of_memory));
        QVERIFY(on->allocate(64, BufferUse::device).ok());

        on = faulty("refused");
        QVERIFY(is(on->kernel(mix_kernel(1, 1)).error(), kernel_refused));
        QVERIFY(on->kernel(mix_kernel(1, 1)).ok());

        on = faulty("lost@2");
        const auto list = on->commands();
        QVERIFY(list.ok());
        QCOMPARE(run(*on, *list), QString());
        const auto ticket = on->submit(*list);
        QVERIFY(ticket.ok()); // it is lost while it runs
        QVERIFY(!on->done(*ticket));
        QVERIFY(is(on->wait(*ticket, for_ever).error(), device_lost));
        QVERIFY(is(on->submit(*list).error(), device_lost));
        QVERIFY(is(on->allocate(64, BufferUse::device).error(), device_lost));
        QVERIFY(is(on->commands().error(), device_lost));

        on = faulty("timeout@2");
        QCOMPARE(run(*on, *list), QString());
        const auto hung = on->submit(*list);
        QVERIFY(hung.ok() && !on->done(*hung));
        QVERIFY(is(on->wait(*hung, for_ever).error(), timed_out));
        QVERIFY(inner->wait(*hung, for_ever).ok());

        on = faulty("corrupt@2");
        const auto down = buffer(*on, 400, BufferUse::download);
        QVERIFY((*list)->clear().ok());
        (*list)->fill(down, 0, 400, 0);
        const auto wrong_bytes = [&] {
            return std::count_if(down->mapped().begin(), down->mapped().end(),
                                 [](std::byte byte) { return byte != std::byte{0}; });
        };
        QCOMPARE(run(*on, *list), QString());
        QCOMPARE(wrong_bytes(), 0);
        QCOMPARE(run(*on, *list), QString());
        QCOMPARE(wrong_bytes(), 5);
    }
};

QTEST_APPLESS_MAIN(TestSelection)
#include "test_selection.moc"
