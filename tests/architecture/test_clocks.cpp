// No test depends on the clock: it waits for a condition (headers/waiting.h) or counts, so that it
// passes at any load. And the slots of all tests are named in one style, as ctest and `-functions`
// list them.
#include "places.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

/// What measures or waits for a time. A method of the product whose name begins so is no wait
/// (`wait_until_optimised`).
const QRegularExpression& clocks() {
    static const QRegularExpression pattern(
        QStringLiteral(
            R"(\bQTRY_\w+|\bqWait\w*|\bqSleep\b|\bm?u?sleep\s*\(|\bsleep_(?:for|until)\b|\bwait_(?:for|until)\s*\(\s*\w+\s*,)"
            R"(|\b(?:steady|system|high_resolution)_clock\b|\bQ(?:Elapsed|Deadline)Timer\b|\bQTime\b|\balarm\s*\()"
            R"(|\bwaitFor(?:Started|Finished|ReadyRead|BytesWritten|Connected|Disconnected)\s*\((?!\s*(?:\w+::)*without_limit\b))"
            R"(|\btryAcquire\w*\s*\([^)]*,|\btry_(?:acquire|lock)_(?:for|until)\b|\.wait\s*\(\s*\d|^\s*[^#\n]*\btimeout -)"),
        QRegularExpression::MultilineOption);
    return pattern;
}

/// Files that may, and why.
struct Allowed {
    const char* file;
    const char* why;
};
constexpr Allowed allowed[] = {
    {"headers/waiting.h", "polls its condition; the sleep gives the processor away"},
    {"architecture/test_clocks.cpp", "names what it looks for"},
};

/// Benchmarks measure time, and a fuzz target runs by hand for as long as it is asked to.
bool is_test(const QString& file) {
    return !file.startsWith(QStringLiteral("bench/")) && !file.startsWith(QStringLiteral("fuzz/"));
}

/// Everything that `text` takes from the clock.
QStringList uses_of_clocks(const QString& text) {
    QStringList found;
    for (auto it = clocks().globalMatch(text); it.hasNext();)
        found.append(it.next().captured(0).trimmed());
    return found;
}

/// Slots in another style than snake_case, but for those that Qt Test calls by name.
QStringList badly_named_slots(const QString& text) {
    static const QRegularExpression section(
        QStringLiteral(R"(Q_SLOTS:(.*?)(?=^(?:private|public|protected|\}|Q_SIGNALS)|\z))"),
        QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression slot(QStringLiteral(R"(^    void (\w+)\(\))"),
                                         QRegularExpression::MultilineOption);
    static const QRegularExpression style(
        QStringLiteral("^(?:(?:initTestCase|init|cleanup|cleanupTestCase)(?:_data)?|[a-z0-9_]+)$"));
    QStringList found;
    for (auto part = section.globalMatch(text); part.hasNext();) {
        const QString names = part.next().captured(1);
        for (auto it = slot.globalMatch(names); it.hasNext();)
            if (const QString name = it.next().captured(1); !style.match(name).hasMatch())
                found.append(name);
    }
    return found;
}

} // namespace

class TestClocks : public QObject {
    Q_OBJECT

    const QString root = QStringLiteral(BLOCKLOOM_SOURCE_DIR "/tests/");

    /// Calls `look` with each source below tests/, by its path from there.
    template <typename Look> void each_source(Look look) const {
        int files = 0;
        QDirIterator it(root,
                        {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.sh")},
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
            look(file.fileName().mid(root.size()), QString::fromUtf8(file.readAll()));
            ++files;
        }
        QVERIFY(files > 100);
    }

private Q_SLOTS:
    void no_test_waits_for_a_time() {
        QStringList wrong;
        each_source([&](const QString& file, const QString& text) {
            const auto may = [&](const Allowed& one) {
                return file == QLatin1StringView(one.file);
            };
            if (!is_test(file) || std::any_of(std::begin(allowed), std::end(allowed), may)) return;
            for (const QString& use : uses_of_clocks(text))
                wrong.append(file + QStringLiteral(": ") + use);
        });
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    /// An entry that nobody needs any more goes.
    void each_exception_is_needed() {
        for (const Allowed& one : allowed) {
            QFile file(root + QLatin1StringView(one.file));
            QVERIFY2(file.open(QIODevice::ReadOnly), one.file);
            QVERIFY2(!uses_of_clocks(QString::fromUtf8(file.readAll())).isEmpty(), one.file);
        }
    }

    void slots_are_in_snake_case() {
        QStringList wrong;
        each_source([&](const QString& file, const QString& text) {
            for (const QString& name : badly_named_slots(text))
                wrong.append(file + QStringLiteral(": ") + name);
        });
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void what_is_wrong_is_seen() {
        for (const char* use :
             {"QTRY_VERIFY(done);", "QTRY_COMPARE_WITH_TIMEOUT(a, b, 5)", "QTest::qWait(50);",
              "QTest::qWaitFor([] {", "std::this_thread::sleep_for(10ms)", "::usleep(5)",
              "sleep(1)", "std::chrono::steady_clock::now()", "QElapsedTimer clock;",
              "process.waitForFinished();", "process.waitForStarted(30'000)", "::alarm(300);",
              "gate.tryAcquire(1, patience)", "spy.wait(5'000)", "changed.wait_for(lock, 2s)",
              "exec timeout -k 5 60 program"})
            QVERIFY2(!uses_of_clocks(QString::fromLatin1(use)).isEmpty(), use);
        for (const char* use :
             {"WAIT_UNTIL(spy.count() == 1);", "process.waitForFinished(test::without_limit)",
              "contracts->wait_until_optimised(*contract);", "void tasks_wait_for_each_other() {",
              "cache.wait(id, program)", "go.wait(false);", "gate.acquire(1);", "now_ns()"})
            QVERIFY2(uses_of_clocks(QString::fromLatin1(use)).isEmpty(), use);
        const QString text = QStringLiteral(
            "class A {\nprivate Q_SLOTS:\n    void initTestCase() {}\n    void good_one() {\n"
            "    }\n    void badOne();\n    void worseOne_data();\nprivate:\n    void "
            "notASlot();\n};\n");
        QCOMPARE(badly_named_slots(text),
                 (QStringList{QStringLiteral("badOne"), QStringLiteral("worseOne_data")}));
    }
};

QTEST_APPLESS_MAIN(TestClocks)
#include "test_clocks.moc"
