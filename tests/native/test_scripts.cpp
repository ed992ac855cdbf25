// The scripts of tests/wasm/scripts on machine code: nothing may fail.
#include "headers/waiting.h"
#include "native/runner.h"
#include "places.h"
#include "wasm/spec_script.h"

#include <QtTest>

#include <fstream>

using namespace blockloom;
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

} // namespace

class TestScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable(QStringLiteral("wast2json")).isEmpty())
            QSKIP("wast2json is not installed (package wabt)");
    }

    void passes_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<unsigned>("pages");
        const QStringList names =
            QDir(scripts).entryList({QStringLiteral("*.wast")}, QDir::Files, QDir::Name);
        QVERIFY(names.size() >= 6);
        // Instances whose memory may have 4 GiB get other code (native/attached.h).
        for (const QString& name : names)
            for (const unsigned pages : {most_pages, most_pages - 1})
                if (pages == most_pages || name != QLatin1String("memory_4gib.wast"))
                    QTest::addRow("%s, %u pages", qPrintable(name), pages) << name << pages;
    }

    void passes() {
        QFETCH(QString, script);
        QFETCH(unsigned, pages);
        const QTemporaryDir folder;
        const QString json = convert(scripts + u'/' + script, folder.path());
        QVERIFY(!json.isEmpty());
        std::uint64_t calls = 0;
        ScriptOptions options;
        options.memory_pages = pages;
        options.engine = [&](Instance& instance, std::uint32_t function,
                             std::span<const Cell> arguments, const RunLimits& limits) {
            ++calls;
            return native::run(instance, function, arguments, limits);
        };
        const auto result = run_spec_script(json.toStdString(), options);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
        for (const ScriptFailure& failure : result->failures)
            qWarning("%s:%u: %s", failure.file.c_str(), failure.line, failure.what.c_str());
        QCOMPARE(result->failed, 0u);
        QVERIFY(result->passed > 10);
        QVERIFY(calls > 0 || script == QLatin1String("refused.wast"));
    }

    /// An engine that refuses ejects, with its reason: never the other engine's answer.
    void an_engine_that_refuses_ejects() {
        const QTemporaryDir folder;
        const QString wast = folder.filePath(QStringLiteral("one.wast"));
        std::ofstream(wast.toStdString()) << "(module (func (export \"f\") (result i32) (i32.const "
                                             "1)))(assert_return (invoke \"f\") (i32.const 1))\n";
        const QString json = convert(wast, folder.path());
        QVERIFY(!json.isEmpty());
        ScriptOptions options;
        options.engine = [](Instance&, std::uint32_t, std::span<const Cell>,
                            const RunLimits&) -> Result<RunResult> {
            return Error{ErrorCode::unavailable, "not today"};
        };
        const auto result = run_spec_script(json.toStdString(), options);
        QVERIFY(result.ok());
        QCOMPARE(result->failed, 0u);
        QCOMPARE(result->ejected, 1u);
        QCOMPARE(result->ejections.begin()->first, std::string("not today"));
    }
};

QTEST_GUILESS_MAIN(TestScripts)
#include "test_scripts.moc"
