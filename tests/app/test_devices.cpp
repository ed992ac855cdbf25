// blockloom-cli devices: what is there, why not, what is taken; environment, file, exit status.
#include "compute/fake_cuda/fake_device.h"
#include "program.h"

#include <QDir>
#include <QJsonArray>

#include <sys/stat.h>

using namespace blockloom::test;

namespace {

/// A variable of the environment of the programs that are started while it lives.
class Variable {
public:
    Variable(const char* name, const char* value)
        : name_(name), was_set_(qEnvironmentVariableIsSet(name)), before_(qgetenv(name)) {
        qputenv(name, value);
    }
    ~Variable() {
        if (was_set_)
            qputenv(name_, before_);
        else
            qunsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    bool was_set_;
    QByteArray before_;
};

Answer devices(const char* arguments = "") {
    QStringList list{QStringLiteral("devices")};
    list.append(QString::fromLatin1(arguments).split(QLatin1Char(' '), Qt::SkipEmptyParts));
    return run(list);
}

QString text(const QJsonObject& object, const char* name) {
    return object[QLatin1String(name)].toString();
}

} // namespace

class TestDevices : public QObject {
    Q_OBJECT

    const QTemporaryDir home_;

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_CONFIG_HOME", home_.path().toUtf8());
        qputenv("XDG_CACHE_HOME", home_.path().toUtf8());
    }

    /// What is mistyped is an error in every command, whether it asks for a device or not.
    void invalid_settings_end_every_command() {
        const QTemporaryDir folder;
        const QString conf = home_.filePath(QStringLiteral("blockloom/blockloom.conf"));
        QVERIFY(QDir().mkpath(QFileInfo(conf).path()));
        const QList<QStringList> commands{
            {QStringLiteral("replay"), QStringLiteral("demo"), QStringLiteral("--strategy"),
             QStringLiteral("serial"), QStringLiteral("--no-keep")},
            {QStringLiteral("replay"), QStringLiteral("demo"), QStringLiteral("--backend"),
             QStringLiteral("cpu")},
            {QStringLiteral("analyze"), QStringLiteral("demo")},
            {QStringLiteral("devices")},
            {QStringLiteral("runs"), QStringLiteral("list")},
            {QStringLiteral("state"), QStringLiteral("digest")},
            {QStringLiteral("synth"), QStringLiteral("mixed"), QStringLiteral("-o"),
             folder.filePath(QStringLiteral("blocks"))}};
        for (const QStringList& command : commands) {
            {
                const Variable backend("BLOCKLOOM_BACKEND", "gpu");
                const Answer answer = run(command);
                QCOMPARE(answer.status, 2);
                QVERIFY2(answer.err.contains("BLOCKLOOM_BACKEND: expected auto"),
                         answer.err.constData());
            }
            {
                const Variable renderer("BLOCKLOOM_RENDERER", "opengl");
                QCOMPARE(run(command).status, 2);
            }
            QFile file(conf);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("backend = gpu\n");
            file.close();
            const Answer answer = run(command);
            QVERIFY(file.remove());
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("blockloom.conf:1: expected auto"),
                     answer.err.constData());
        }
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("blocks"))));
        QCOMPARE(run({QStringLiteral("--help")}).status, 0);
        // A folder or a FIFO in its place is no empty file, and is not waited for.
        QVERIFY(QDir().mkpath(conf));
        QCOMPARE(run({QStringLiteral("devices")}).status, 3);
        QVERIFY(QDir(conf).removeRecursively());
        QCOMPARE(::mkfifo(conf.toLocal8Bit().constData(), 0600), 0);
        QCOMPARE(run({QStringLiteral("devices")}).status, 3);
        QVERIFY(QFile::remove(conf));
    }

    void every_device_is_described() {
        const Answer answer = devices("--json");
        QCOMPARE(answer.status, 0);
        const QJsonObject all = json(answer);
        const QJsonArray list = all[QLatin1String("devices")].toArray();
        QCOMPARE(text(list[0].toObject(), "backend"), QStringLiteral("cpu"));
        QVERIFY(list[0].toObject()[QLatin1String("available")].toBool());
        bool gpu = false;
        for (const QJsonValue& value : list) {
            const QJsonObject device = value.toObject();
            QCOMPARE(device[QLatin1String("available")].toBool(),
                     device[QLatin1String("why")].isNull());
            if (text(device, "backend") != QStringLiteral("vulkan")) continue;
            if (!device[QLatin1String("available")].toBool()) continue;
            const QJsonObject limits = device[QLatin1String("limits")].toObject();
            for (const char* name : {"max_buffer_bytes", "max_storage_buffer_bytes",
                                     "max_workgroup_invocations", "subgroup_size", "queues"})
                QVERIFY2(limits[QLatin1String(name)].toDouble() > 0, name);
            QVERIFY(!device[QLatin1String("features")].toArray().isEmpty());
            QVERIFY(!text(device, "driver").isEmpty());
            gpu = gpu || text(device, "type") != QStringLiteral("software");
        }
        // What is taken is one of them, with a reason; a software device is not.
        if (!gpu) QCOMPARE(text(all, "auto"), QStringLiteral("cpu"));
        QVERIFY(!text(all, "auto_reason").isEmpty());
        QVERIFY(!text(all[QLatin1String("auto_device")].toObject(), "name").isEmpty());
        const Answer table = devices();
        QCOMPARE(table.status, 0);
        QVERIFY(table.out.contains("auto chooses:"));
        QVERIFY(table.out.contains(text(all, "renderer").toUtf8()));
    }

    void what_is_asked_for_must_be_there() {
        const Answer cpu = devices("--backend cpu");
        QCOMPARE(cpu.status, 0);
        QVERIFY(cpu.out.contains("cpu was requested (--backend)"));
        const Answer cuda = devices("--backend cuda --device 99 --json");
        QCOMPARE(cuda.status, 4);
        QVERIFY(cuda.out.isEmpty());
        QVERIFY2(cuda.err.contains("cuda"), cuda.err.constData());
        QCOMPARE(devices("--backend vulkan --device 99").status, 4);
        QCOMPARE(devices("--backend gpu").status, 2);
    }

    /// A fake driver, also where there is a real one: what it says is the reason.
    void cuda_says_why_it_is_not_there_data() {
        QTest::addColumn<QString>("library");
        QTest::addColumn<QByteArray>("reason");
        const QString fake = QString::fromStdString(blockloom::fake_cuda::library());
        const QString old = QString::fromStdString(blockloom::fake_cuda::old_library());
        QTest::newRow("") << old << QByteArray("the CUDA driver is too old: libcuda.so.1 has no");
        QTest::newRow("cuInit=100")
            << fake << QByteArray("the CUDA driver does not start: CUDA_ERROR_NO_DEVICE");
        QTest::newRow("devices=0") << fake << QByteArray("the CUDA driver has no device");
        QTest::newRow("crash") << fake << QByteArray("the CUDA driver crashed (signal 11)");
        QTest::newRow("major=6") << fake << QByteArray("expected compute capability 7.0");
        QTest::newRow("cuCtxCreate_v2=2")
            << fake << QByteArray(); // it is listed, as it can be used
    }
    void cuda_says_why_it_is_not_there() {
        QFETCH(QString, library);
        QFETCH(QByteArray, reason);
        const Variable path("LD_LIBRARY_PATH", QFileInfo(library).path().toUtf8().constData());
        const Variable faults("FAKE_CUDA", QTest::currentDataTag());
        const Answer all = devices();
        QCOMPARE(all.status, 0);
        QVERIFY2(all.out.contains(reason.isEmpty() ? "Fake GPU 0" : reason), all.out.constData());
        if (reason.isEmpty()) {
            const QByteArray none = home_.filePath(QStringLiteral("none")).toUtf8();
            const Variable cache("XDG_CACHE_HOME", none.constData());
            QVERIFY(devices().out.contains("compiled code: nothing has been kept yet"));
            for (const QJsonValue& value :
                 json(devices("--json"))[QLatin1String("devices")].toArray()) {
                const QJsonObject device = value.toObject();
                const QJsonValue kept = device[QLatin1String("kept_code")];
                if (text(device, "backend") != QStringLiteral("cuda"))
                    QVERIFY(kept.toObject().isEmpty());
                else
                    QCOMPARE(kept.toObject()[QLatin1String("programs")].toInt(-1), 0);
            }
        }
        const Answer asked = devices("--backend cuda");
        QCOMPARE(asked.status, reason.isEmpty() ? 0 : 4);
        QVERIFY2(asked.err.contains(reason), asked.err.constData());
        const Answer replayed =
            run({QStringLiteral("replay"), QStringLiteral("demo"), QStringLiteral("--backend"),
                 QStringLiteral("cuda"), QStringLiteral("--strategy"),
                 QStringLiteral("speculative"), QStringLiteral("--no-keep")});
        QCOMPARE(replayed.status, 4);
        QVERIFY2(replayed.err.contains(reason.isEmpty() ? "CUDA: a context" : reason),
                 replayed.err.constData());
    }

    /// A card whose reference batch is known to be the shortest; then it does not open.
    void auto_takes_cuda_where_it_opens() {
        const QTemporaryDir cache;
        const Variable place("XDG_CACHE_HOME", cache.path().toUtf8().constData());
        const QString library = QString::fromStdString(blockloom::fake_cuda::library());
        const Variable path("LD_LIBRARY_PATH", QFileInfo(library).path().toUtf8().constData());
        QVERIFY(QDir(cache.path()).mkpath(QStringLiteral("blockloom")));
        write(cache.filePath(QStringLiteral(
                  "blockloom/worth-cuda-fafafafafafafafafafafafafafafa00-12040.json")),
              R"({"schema":"blockloom.worth/2","operations_per_second":1e20,)"
              R"("copy_bytes_per_second":1e20})");
        {
            const Variable faults("FAKE_CUDA", "");
            const Answer answer = devices("--json");
            QCOMPARE(answer.status, 0);
            const QJsonObject all = json(answer);
            QCOMPARE(text(all, "auto"), QStringLiteral("cuda"));
            QCOMPARE(text(all[QLatin1String("auto_device")].toObject(), "name"),
                     QStringLiteral("Fake GPU 0"));
            QVERIFY2(text(all, "auto_reason").contains(QStringLiteral("cuda Fake GPU 0 ")),
                     answer.out.constData());
            QStringList compared;
            for (const QJsonValue& each : all[QLatin1String("measured")].toArray())
                compared += text(each.toObject(), "backend");
            QVERIFY(compared.contains(QStringLiteral("cpu")));
            QVERIFY(compared.contains(QStringLiteral("cuda")));
            QVERIFY(devices().out.contains("auto chooses: cuda 0 · Fake GPU 0"));
            QCOMPARE(devices("--device 99").status, 0); // of no backend: the processor's turn
        }
        for (const char* fault : {"cuCtxCreate_v2=2", "crash", "cuInit=100", "version=10020"}) {
            const Variable faults("FAKE_CUDA", fault);
            const Answer answer = devices("--json");
            QCOMPARE(answer.status, 0);
            const QJsonObject all = json(answer);
            QVERIFY(text(all, "auto") != QStringLiteral("cuda"));
            QVERIFY2(text(all, "auto_reason").contains(QStringLiteral("CUDA")),
                     answer.out.constData());
        }
        // Nobody asked for it: the replay runs, and says where.
        const Variable faults("FAKE_CUDA", "cuCtxCreate_v2=2");
        const Answer replayed =
            run({QStringLiteral("--log"), QStringLiteral("info"), QStringLiteral("replay"),
                 QStringLiteral("demo"), QStringLiteral("--strategy"),
                 QStringLiteral("speculative"), QStringLiteral("--no-keep")});
        QCOMPARE(replayed.status, 0);
        QVERIFY2(replayed.err.contains("cuda Fake GPU 0: CUDA: a context"),
                 replayed.err.constData());
    }

    void environment_is_heard() {
        {
            const Variable set("BLOCKLOOM_BACKEND", "cuda");
            QCOMPARE(devices("--device 99").status, 4);
            QCOMPARE(devices("--backend cpu").status, 0); // an option wins
        }
        {
            const Variable set("BLOCKLOOM_DISABLE_GPU", "1");
            QCOMPARE(devices("--backend vulkan").status, 4);
            const QJsonObject all = json(devices("--json"));
            QCOMPARE(text(all, "auto"), QStringLiteral("cpu"));
        }
        {
            const Variable set("BLOCKLOOM_TIMEOUT", "soon");
            const Answer answer = devices();
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("BLOCKLOOM_TIMEOUT: expected a time"),
                     answer.err.constData());
        }
    }

    void the_file_is_heard() {
        QDir(home_.path()).mkpath(QStringLiteral("blockloom"));
        const QString file = home_.filePath(QStringLiteral("blockloom/blockloom.conf"));
        write(file, "memory_limit = 1G\nbackend = cpu\n");
        const Answer answer = devices();
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.out.contains("blockloom.conf:2"), answer.out.constData());
        QVERIFY(answer.out.contains("memory_limit = 1073741824 bytes"));
        write(file, "memory_limit = lots\n");
        const Answer wrong = devices();
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("blockloom.conf:1: expected a size in bytes"),
                 wrong.err.constData());
        QVERIFY(QFile::remove(file));
    }

    void a_machine_without_a_driver_is_told_so() {
        const Variable old_name("VK_ICD_FILENAMES", "/nonexistent.json");
        const Variable new_name("VK_DRIVER_FILES", "/nonexistent.json");
        const Answer answer = devices("--json");
        QCOMPARE(answer.status, 0);
        QCOMPARE(text(json(answer), "auto"), QStringLiteral("cpu"));
        QVERIFY2(answer.out.contains("driver"), answer.out.constData());
        QCOMPARE(devices("--backend vulkan").status, 4);
    }
};

QTEST_GUILESS_MAIN(TestDevices)
#include "test_devices.moc"
