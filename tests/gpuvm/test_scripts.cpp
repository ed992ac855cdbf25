// The scripts of tests/wasm/scripts with every call on the device: nothing fails, floats and what
// else does not fit are ejected.
#include "gpuvm/device.h"
#include "gpuvm/runner.h"
#include "headers/waiting.h"
#include "places.h"
#include "wasm/spec_script.h"

#include <QtTest>

using namespace blockloom;

namespace {

const QString scripts = QStringLiteral(BLOCKLOOM_SOURCE_DIR "/tests/wasm/scripts");

QString convert(const QString& script, const QString& folder) {
    const QString json = folder + QStringLiteral("/script.json");
    QProcess tool;
    tool.start(QStringLiteral("wast2json"), {script, QStringLiteral("-o"), json});
    return tool.waitForFinished(blockloom::test::without_limit) && tool.exitCode() == 0 ? json
                                                                                        : QString();
}

} // namespace

class TestScripts : public QObject {
    Q_OBJECT

    std::unique_ptr<gpuvm::Runner> runner_; ///< one for all: kernels take a while
    QString row_;

private Q_SLOTS:
    void initTestCase_data() { tests::add_machines(); }

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
        QFETCH_GLOBAL(QString, machine);
        const bool compiled = machine != QStringLiteral("kernel");
        if (row_ != machine) {
            std::string reason;
            auto made = tests::machine_of(machine, reason, gpuvm::Runner::single_calls());
            if (!made) QSKIP(reason.c_str());
            runner_ = std::make_unique<gpuvm::Runner>(std::move(made));
            row_ = machine;
        }
        QFETCH(QString, script);
        const QTemporaryDir folder;
        const QString json = convert(scripts + u'/' + script, folder.path());
        QVERIFY(!json.isEmpty());
        const std::uint64_t runs = runner_->runs(), instructions = runner_->instructions();
        const std::array ejections = runner_->ejections();
        wasm::ScriptOptions options;
        options.engine = [this](wasm::Instance& instance, std::uint32_t function,
                                std::span<const wasm::Cell> arguments,
                                const wasm::RunLimits& limits) {
            return runner_->run(instance, function, arguments, limits);
        };
        const auto result = wasm::run_spec_script(json.toStdString(), options);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
        for (const wasm::ScriptFailure& failure : result->failures)
            qWarning("%s:%u: %s", failure.file.c_str(), failure.line, failure.what.c_str());
        for (const auto& [cause, count] : result->ejections)
            qInfo("%s: %llu", cause.c_str(), static_cast<unsigned long long>(count));
        QCOMPARE(result->failed, 0u);
        QVERIFY(result->passed + result->ejected > 10);
        const auto ejected = [&](gpuvm::Ejection why) {
            const auto at = static_cast<std::size_t>(why);
            return runner_->ejections()[at] - ejections[at];
        };
        QCOMPARE(ejected(gpuvm::Ejection::fault), std::uint64_t{0});
        if (script == QStringLiteral("floats.wast")) QVERIFY(ejected(gpuvm::Ejection::floats) > 10);
        if (script == QStringLiteral("integers.wast"))
            QCOMPARE(std::uint64_t{result->ejected}, ejected(gpuvm::Ejection::trap));
        if (script == QStringLiteral("integers.wast") && !compiled) QCOMPARE(result->ejected, 0u);
        if (script == QStringLiteral("integers.wast") || script == QStringLiteral("memory.wast"))
            QVERIFY(runner_->runs() > runs + 10 && runner_->instructions() > instructions);
    }
};

QTEST_GUILESS_MAIN(TestScripts)
#include "test_scripts.moc"
