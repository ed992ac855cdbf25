// The scripts of tests/wasm/scripts, converted by wabt's wast2json and run: nothing may fail.
#include "headers/waiting.h"
#include "places.h"
#include "wasm/spec_script.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace blockloom::wasm;

namespace {

const QString scripts = QStringLiteral(BLOCKLOOM_SOURCE_DIR "/tests/wasm/scripts");

/// Makes the JSON of a script in `folder`; an empty text if the tool refuses.
QString convert(const QString& script, const QString& folder) {
    const QString json = folder + QStringLiteral("/script.json");
    QProcess tool;
    tool.start(QStringLiteral("wast2json"), {script, QStringLiteral("-o"), json});
    if (!tool.waitForFinished(blockloom::test::without_limit) || tool.exitCode() != 0) {
        qWarning() << tool.readAllStandardError();
        return {};
    }
    return json;
}

std::filesystem::path written(const QTemporaryDir& folder, const char* text) {
    const std::filesystem::path path = folder.filePath(QStringLiteral("x.json")).toStdString();
    std::ofstream(path) << text;
    return path;
}

} // namespace

class TestScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void passes_data() {
        QTest::addColumn<QString>("script");
        const QStringList names =
            QDir(scripts).entryList({QStringLiteral("*.wast")}, QDir::Files, QDir::Name);
        QVERIFY(names.size() >= 6);
        for (const QString& name : names) QTest::newRow(qPrintable(name)) << name;
    }

    void passes() {
        if (QStandardPaths::findExecutable(QStringLiteral("wast2json")).isEmpty())
            QSKIP("wast2json is not installed (package wabt)");
        QFETCH(QString, script);
        const QTemporaryDir folder;
        const QString json = convert(scripts + u'/' + script, folder.path());
        QVERIFY(!json.isEmpty());
        const auto result = run_spec_script(json.toStdString());
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
        for (const ScriptFailure& failure : result->failures)
            qWarning("%s:%u: %s", failure.file.c_str(), failure.line, failure.what.c_str());
        QCOMPARE(result->failed, 0u);
        QVERIFY(result->passed > 10);
    }

    /// Wrong expectations must fail, or the scripts above prove nothing.
    void wrong_expectations_fail() {
        if (QStandardPaths::findExecutable(QStringLiteral("wast2json")).isEmpty())
            QSKIP("wast2json is not installed (package wabt)");
        const QTemporaryDir folder;
        const QString wast = folder.filePath(QStringLiteral("wrong.wast"));
        std::ofstream(wast.toStdString())
            << "(module (memory 1) (global (export \"g\") i32 (i32.const 3))\n"
               " (func (export \"f\") (result i32) (i32.const 1))\n"
               " (func (export \"t\") unreachable)\n"
               " (func (export \"loop\") (loop (br 0))))\n"
               "(assert_return (invoke \"f\") (i32.const 2))\n"
               "(assert_return (get \"g\") (i32.const 4))\n"
               "(assert_return (invoke \"t\"))\n"
               "(assert_trap (invoke \"f\") \"unreachable\")\n"
               "(assert_trap (invoke \"t\") \"integer overflow\")\n"
               "(assert_exhaustion (invoke \"t\") \"call stack exhausted\")\n"
               "(assert_return (invoke \"loop\"))\n"
               "(assert_malformed (module binary \"\\00asm\\01\\00\\00\\00\") \"x\")\n"
               "(assert_trap (module (func)) \"unreachable\")\n"
               "(assert_unlinkable (module (import \"spectest\" \"print\" (func))) \"x\")\n";
        const QString json = convert(wast, folder.path());
        QVERIFY(!json.isEmpty());
        ScriptOptions options;
        options.steps = 1'000'000;
        const auto result = run_spec_script(json.toStdString(), options);
        QVERIFY(result.ok());
        QCOMPARE(result->passed, 1u);
        QCOMPARE(result->failed, 10u);
        QCOMPARE(result->failures.size(), std::size_t{10});
        QCOMPARE(result->failures.front().line, 5u);
    }

    void unreadable_json_is_an_error() {
        const QTemporaryDir folder;
        QVERIFY(!run_spec_script(folder.filePath(QStringLiteral("none.json")).toStdString()).ok());
        for (const char* text : {"", "[]", "{", "{\"commands\":3}", "null"})
            QVERIFY(!run_spec_script(written(folder, text)).ok());
    }

    void unknown_commands_fail_one_by_one() {
        const QTemporaryDir folder;
        const auto result = run_spec_script(
            written(folder, "{\"commands\":[{}, null, {\"type\":\"dance\"}, {\"type\":7}, "
                            "{\"type\":\"assert_trap\",\"action\":[]}]}"));
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
        QCOMPARE(result->failed, 5u);
    }

    void commands_of_wrong_types_are_errors_data() {
        QTest::addColumn<QByteArray>("command");
        for (const char* command : {"3", "[]", "{\"type\":\"module\",\"line\":-1}"})
            QTest::newRow(command) << QByteArray(command);
    }
    /// The document is at fault there, and says where.
    void commands_of_wrong_types_are_errors() {
        QFETCH(QByteArray, command);
        const QTemporaryDir folder;
        const auto result = run_spec_script(
            written(folder, ("{\"commands\":[{\"type\":\"dance\"}," + command + "]}").constData()));
        QVERIFY(!result.ok());
        QVERIFY2(result.error().message.find("commands[1]") != std::string::npos,
                 result.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestScripts)
#include "test_scripts.moc"
