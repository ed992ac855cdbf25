// Trace-event JSON as Perfetto and chrome://tracing read it; runs that take their spans along.
#include "profile/nesting.h"
#include "profile/recorder.h"
#include "profile/trace_bytes.h"
#include "report/trace_events.h"
#include "runs/base64.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <map>
#include <random>
#include <set>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

/// Names that try to break out, a device, counters.
profile::Trace sample() {
    using profile::Category;
    profile::Trace trace;
    trace.duration = 2'000'000'123;
    trace.names = {"execute", "mess\"age\\\n\xff</script>"};
    trace.heights = {960'000};
    profile::Lane driver{"driver", profile::LaneKind::driver, {}};
    driver.spans.push_back(
        {0, 1'999'999'999, profile::none, profile::none, 0, 0, Category::phase, 0});
    driver.spans.push_back({1'001, 2'003, 0, profile::none, 7, 1, Category::round, 0});
    profile::Lane worker{"worker \"0\"", profile::LaneKind::worker, {}};
    for (int i = 0; i < 20; ++i)
        worker.spans.push_back(
            {i * 100, i * 100 + 99, 0, static_cast<std::uint32_t>(i), 3, 1, Category::message, 0});
    profile::Lane wave{"wave 0", profile::LaneKind::wave, {}};
    wave.spans.push_back({500, 900, profile::none, profile::none, 2, 0, Category::slice, 0});
    for (const std::uint32_t task : {4U, 5U}) // in step: they share all of their time
        wave.spans.push_back({500, 900, 0, task, task, 1, Category::message, 0});
    profile::nest(driver.spans);
    profile::nest(wave.spans);
    trace.lanes = {driver, worker, wave};
    trace.counters = {{"accepted", "", {{5, 1}, {1'000'000, -4}}}};
    return trace;
}

/// What the format's description asks of each kind of event; empty: it holds.
QString complaint(const QJsonObject& event) {
    const QString kind = event[text("ph")].toString();
    for (const char* number : {"pid", "tid", "ts"})
        if (!event[text(number)].isDouble()) return text(number) + text(": no number");
    if (event[text("name")].toString().isEmpty()) return text("no name");
    if (event[text("ts")].toDouble() < 0) return text("negative time");
    const QJsonObject arguments = event[text("args")].toObject();
    if (kind == text("X")) {
        if (!event[text("dur")].isDouble() || event[text("dur")].toDouble() < 0)
            return text("X without a duration");
        if (event[text("cat")].toString().isEmpty()) return text("X without a category");
        return {};
    }
    if (kind == text("C")) {
        for (const auto& value : arguments)
            if (!value.isDouble()) return text("a counter that is no number");
        return arguments.isEmpty() ? text("a counter without a value") : QString();
    }
    if (kind == text("M")) {
        static const std::map<QString, QString> known{
            {text("process_name"), text("name")},
            {text("thread_name"), text("name")},
            {text("process_sort_index"), text("sort_index")},
            {text("thread_sort_index"), text("sort_index")}};
        const auto found = known.find(event[text("name")].toString());
        if (found == known.end()) return text("metadata that nobody knows");
        return arguments.contains(found->second) ? QString() : text("metadata without its value");
    }
    return text("an unknown kind of event: ") + kind;
}

} // namespace

class TestTraceEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_event_is_as_the_format_says() {
        KeptRun run;
        run.id = "the \"run\"";
        run.backend = "cpu";
        const profile::Trace trace = sample();
        const TracedRun both[] = {{&run, &trace}, {&run, &trace}};
        Provenance made;
        made.version = "1";
        const std::string json = trace_events_json(both, made);
        QJsonParseError error;
        const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(json), &error);
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        const QJsonObject root = document.object();
        QCOMPARE(root[text("displayTimeUnit")].toString(), text("ns"));
        QCOMPARE(
            root[text("otherData")].toObject()[text("run 1")].toObject()[text("run")].toString(),
            text("the \"run\""));
        std::map<QString, int> kinds;
        std::set<std::pair<int, int>> named, used;
        for (const auto& value : root[text("traceEvents")].toArray()) {
            const QJsonObject event = value.toObject();
            const QString why = complaint(event);
            QVERIFY2(why.isEmpty(), qPrintable(why));
            const QString kind = event[text("ph")].toString();
            ++kinds[kind];
            const std::pair thread{event[text("pid")].toInt(), event[text("tid")].toInt()};
            if (kind == text("X")) used.insert(thread);
            if (event[text("name")].toString() == text("thread_name")) named.insert(thread);
        }
        QCOMPARE(kinds[text("X")], 50);
        QCOMPARE(kinds[text("C")], 4);
        QCOMPARE(used.size(), std::size_t{6});
        QVERIFY(used == named);
    }

    /// Times keep every nanosecond, and what nested still does: viewers stack by that.
    void times_are_exact() {
        KeptRun run;
        const profile::Trace trace = sample();
        const TracedRun one[] = {{&run, &trace}};
        const std::string json = trace_events_json(one, {});
        QVERIFY(json.find(R"("ts":0.000,"dur":1999999.999,)") != std::string::npos);
        QVERIFY(json.find(R"("ts":1.001,"dur":1.002,)") != std::string::npos);
        QVERIFY(json.find(R"("block":960000,"detail":7)") != std::string::npos);
        QVERIFY(json.find("</script>\"") != std::string::npos); // as a string, escaped before it
    }

    void base64_and_back() {
        QCOMPARE(base64(as_bytes("Man")), std::string("TWFu"));
        QCOMPARE(base64(as_bytes("Ma")), std::string("TWE="));
        QCOMPARE(base64(as_bytes("M")), std::string("TQ=="));
        std::mt19937_64 random(3);
        for (std::size_t size = 0; size < 200; ++size) {
            Bytes bytes(size);
            for (Byte& byte : bytes) byte = static_cast<Byte>(random());
            QVERIFY(from_base64(base64(bytes)) == bytes);
        }
        for (const char* wrong : {"T", "TWE", "TWF=", "TW=u", "====", "TWFu!A==", "TR=="})
            QVERIFY2(!from_base64(wrong), wrong);
    }

    void spans_travel_with_the_document() {
        const std::string document = "{\n  \"schema\": \"blockloom.run/1\",\n  \"run\": \"x\",\n  "
                                     "\"wall\": 1.25\n}\n";
        const Bytes bytes = profile::trace_bytes(sample());
        const std::string spans(bytes.begin(), bytes.end());
        const auto separated = without_spans(with_spans(document, spans), "file");
        QVERIFY(separated);
        QCOMPARE(separated->document, document);
        QVERIFY(separated->spans == spans);
        QVERIFY(!without_spans(document, "file")->spans);
        const auto damaged =
            without_spans(with_spans(document, spans.substr(0, spans.size() / 2)), "file");
        QVERIFY(!damaged);
        QVERIFY(damaged.error().message.starts_with("file: spans"));
        QVERIFY(!without_spans("{\"spans\": 7}", "file"));
    }
};

QTEST_APPLESS_MAIN(TestTraceEvents)
#include "test_trace_events.moc"
