// Kept runs as files: every form holds what it should, and nothing of a name gets out of its place.
#include "profile/recorder.h"
#include "report/run_report.h"
#include "runs/run_json.h"
#include "runs/run_words.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;
using execute::Phase;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

/// `id`: as a workspace may hold one from before ids were names.
ReportedRun reported(const std::string& id, const char* strategy, Nanoseconds execute_ns) {
    runs::RunRecord run;
    run.id = strategy;
    run.date = "2026-11-21 20:00:00 UTC";
    run.network = "regtest";
    run.engine = "native";
    run.strategy = strategy;
    run.sources = {"demo<&>"};
    if (run.strategy != "serial") run.workers = 4;
    for (std::uint64_t height = 7; height < 9; ++height) {
        runs::RunBlock block;
        block.height = height;
        block.hash[0] = static_cast<std::uint8_t>(height);
        block.digest[0] = 1;
        block.tasks = block.messages = block.succeeded = 10;
        block.phases[Phase::decode] = 1'000'000;
        block.phases[Phase::execute] = execute_ns;
        run.blocks.push_back(block);
    }
    run.walls = {2 * (1'000'000 + execute_ns)};
    Provenance made;
    made.version = "1.2.3";
    made.machine.processor = "a <processor>";
    ReportedRun whole;
    whole.document = run_json(run, made);
    if (auto read = read_run(whole.document, "test")) whole.run = *std::move(read);
    whole.run.id = id;
    profile::Recorder recorder({"execute"});
    recorder.lane("driver", profile::LaneKind::driver).add_ns(now_ns(), now_ns(), {});
    whole.spans = std::make_shared<const profile::Trace>(recorder.finish());
    return whole;
}

std::vector<ReportedRun> two() {
    return {reported("serial \"run\" <1>", "serial", 9'000'000),
            reported("=cmd()", "speculative", 3'000'000)};
}

QByteArray written(const std::vector<ReportedRun>& runs, const char* name) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QLatin1String(name));
    SilentProgress silent;
    const Status done = export_runs(runs, {}, path.toStdString(), {{"1", "now", {}}}, silent);
    QFile file(path);
    if (!done || !file.open(QIODevice::ReadOnly)) return {};
    return file.readAll();
}

} // namespace

class TestRunReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void forms() {
        QCOMPARE(run_form_of("a.trace.json"), std::optional(RunForm::trace_events));
        QCOMPARE(run_form_of("a.TRACE.JSON"), std::optional(RunForm::trace_events));
        QCOMPARE(run_form_of("a.json"), std::optional(RunForm::json));
        QCOMPARE(run_form_of("a.Html"), std::optional(RunForm::html));
        QVERIFY(!run_form_of("a.svgz"));
        SilentProgress silent;
        QVERIFY(!export_runs({}, {}, "a.html", {}, silent));
        QVERIFY(!export_runs(two(), {}, "a.doc", {}, silent));
    }

    void words_name_the_strategies_that_were_chosen() {
        KeptRun run = two()[1].run;
        const auto has_choices = [&] {
            const auto lines = profiling_report(run, nullptr);
            return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
                return line.starts_with("Strategies chosen");
            });
        };
        QVERIFY(!has_choices());
        run.blocks.resize(3);
        run.blocks[0].choice = "predict: nothing is known";
        run.blocks[1].choice = "dag: dependencies allow 3.0 at once";
        run.blocks[2].choice = "dag: dependencies allow 4.5 at once";
        QVERIFY(has_choices());
        QCOMPARE(profiling_report(run, nullptr)[1],
                 std::string("Strategies chosen: dag for 2 of 3 blocks (dependencies allow 4.5 at "
                             "once); predict for 1 of 3 blocks (nothing is known)"));
    }

    void words_name_the_shares_and_the_bound() {
        const auto runs = two();
        const auto after_wall_time = [](const KeptRun& run, const KeptRun* serial) {
            std::vector<std::string> lines = profiling_report(run, serial);
            if (lines.empty() || !lines[0].starts_with("Wall time: ")) return decltype(lines)();
            lines.erase(lines.begin());
            return lines;
        };
        QVERIFY(after_wall_time(runs[1].run, nullptr).size() > 3);
        const auto alone = after_wall_time(runs[1].run, nullptr);
        QVERIFY(alone[0].find("75.0 %") != std::string::npos); // 3 of 4 ms
        QVERIFY(alone[0].find("4 CPU workers") != std::string::npos);
        QVERIFY(alone[1].find("25.0 %") != std::string::npos);
        QVERIFY(alone[1].find("decode 2.00 ms") != std::string::npos);
        QVERIFY(alone[2].starts_with("Bound, predicted"));
        QVERIFY(alone[3].find("unknown without a serial run") != std::string::npos);
        KeptRun partly = runs[1].run; // what ran on one thread is not called accelerated unsaid
        partly.executions = 3'000;
        partly.in_order = 1'000;
        QVERIFY(after_wall_time(partly, nullptr)[1].starts_with(
            "This is an upper bound: 1,000 of 3,000 executions ran in order"));
        partly.phases.execute_serial = 1'000'000; // measured: a part of the other share
        const auto timed = after_wall_time(partly, nullptr);
        QVERIFY(timed[0].find("62.5 %") != std::string::npos); // 5 of 8 ms
        QVERIFY(timed[1].starts_with("Serial"));
        QVERIFY(timed[1].find("execute in order 1.00 ms") != std::string::npos);
        QVERIFY(timed[2].starts_with("Execute in order: 1,000 of 3,000 executions"));
        QVERIFY(timed[3].find("for all of execute") != std::string::npos);
        const auto against = after_wall_time(runs[1].run, &runs[0].run);
        QVERIFY(against[2].find("10.0×") != std::string::npos); // 20 ms over the 2 ms that are left
        QVERIFY(against[3].find("2.50×") != std::string::npos); // 20 over 8
        // Karp–Flatt of 2.5 on 4 workers: (1/2.5 − 1/4) / (1 − 1/4) = 20 %.
        QVERIFY(against[4].find("20.0 %") != std::string::npos);
        const auto serial = after_wall_time(runs[0].run, &runs[0].run);
        QCOMPARE(serial[0], std::string("Nothing ran in parallel"));
    }

    void html_is_whole_and_safe() {
        const QByteArray html = written(two(), "runs.html");
        QVERIFY(html.contains("B is 2.50") || html.contains("2.50×"));
        QVERIFY(html.contains("serial &quot;run&quot; &lt;1&gt;"));
        QVERIFY(html.contains("a &lt;processor&gt;"));
        QVERIFY(html.contains("<desc>") && html.contains("hatched: serial"));
        QVERIFY(!html.contains("<script"));
        QVERIFY(!html.contains("http://") && !html.contains("https://"));
        for (const char* part :
             {"Profiling report", "Provenance", "State digest", "Comparison", "predicted"})
            QVERIFY2(html.contains(part), part);
        QByteArray xml = html.mid(html.indexOf("<html"));
        xml.replace("<meta charset=\"utf-8\">", "");
        xml.replace(xml.mid(xml.indexOf("<meta"), xml.indexOf("<title>") - xml.indexOf("<meta")),
                    "");
        QXmlStreamReader reader(xml);
        while (!reader.atEnd()) reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    void json_has_the_documents_and_the_comparison() {
        const auto runs = two();
        const QJsonObject json = QJsonDocument::fromJson(written(runs, "runs.json")).object();
        QCOMPARE(json[text("schema")].toString(), text("blockloom.report/1"));
        QCOMPARE(json[text("runs")].toArray().size(), 2);
        QCOMPARE(json[text("runs")].toArray()[1].toObject()[text("run")].toString(),
                 text("speculative"));
        QCOMPARE(json[text("comparison")].toObject()[text("digests")].toString(), text("equal"));
        QCOMPARE(
            json[text("comparison")].toObject()[text("wall")].toObject()[text("ratio")].toDouble(),
            2.5);
    }

    void csv_has_a_row_a_block() {
        const QByteArray csv = written(two(), "runs.csv");
        const auto rows = csv.split('\n');
        QCOMPARE(rows.size(), 6); // header, four blocks, the end
        QCOMPARE(rows[0].count(','), rows[3].count(','));
        QVERIFY(rows[3].startsWith("'=cmd()")); // no formula
        QVERIFY(rows[1].startsWith("\"serial \"\"run\"\" <1>\""));
        QVERIFY(rows[1].contains("1000000"));
    }

    /// Progress never goes back and keeps its total; a report that is cancelled writes no file.
    void progress_and_cancel() {
        struct Steps final : ProgressSink {
            void report(const Progress& progress) override {
                forward = forward && progress.done >= last.done &&
                          progress.done <= progress.total &&
                          (last.total == 0 || last.total == progress.total);
                last = progress;
                ++announced;
                if (announced == stop_at) source.request_stop();
            }
            Progress last;
            std::stop_source source;
            std::size_t announced = 0, stop_at = 0;
            bool forward = true;
        };
        const QTemporaryDir folder;
        for (const char* name : {"runs.html", "runs.pdf"}) {
            const std::string path = folder.filePath(QLatin1String(name)).toStdString();
            Steps steps;
            QVERIFY(
                export_runs(two(), {}, path, {{"1", "now", {}}}, steps, steps.source.get_token()));
            QVERIFY(steps.forward && steps.announced > 2);
            QVERIFY(std::filesystem::remove(path));
            for (std::size_t at = 1; at <= steps.announced; ++at) {
                Steps stopped;
                stopped.stop_at = at;
                const Status none = export_runs(two(), {}, path, {{"1", "now", {}}}, stopped,
                                                stopped.source.get_token());
                QVERIFY(!none && none.error().code == ErrorCode::cancelled);
                QVERIFY(!std::filesystem::exists(path));
            }
        }
    }

    void spans_are_needed_for_events() {
        auto runs = two();
        const QJsonObject json = QJsonDocument::fromJson(written(runs, "runs.trace.json")).object();
        QVERIFY(!json[text("traceEvents")].toArray().isEmpty());
        runs[1].spans = nullptr;
        SilentProgress silent;
        const Status refused = export_runs(runs, {}, "x.trace.json", {}, silent);
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("=cmd()") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRunReport)
#include "test_run_report.moc"
