// Documents of runs that another machine may have written: what is out of bounds or of another type
// is refused by its path, what this version does not know is left alone.
#include "runs/contract_code_json.h"
#include "runs/run_json.h"
#include "runs/run_notes.h"

#include <QTest>

using namespace blockloom;
using namespace blockloom::runs;
using runs::read_run;

class TestRunDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bounds_are_kept_data() {
        QTest::addColumn<QByteArray>("rest");
        QTest::addColumn<QByteArray>("expected"); // in the message; empty: it is read
        const QByteArray time = "expected a whole number from -9007199254740992 to "
                                "9007199254740992, found ";
        const auto row = [](const char* name, const char* rest, const QByteArray& found) {
            QTest::newRow(name) << QByteArray(rest)
                                << (found.isEmpty() ? found : "there: " + found);
        };
        row("nothing else", "", "");
        row("longest", ",\"totals\":{\"wall_ns\":{\"median\":9007199254740992}}", "");
        row("wall", ",\"totals\":{\"wall_ns\":{\"median\":18446744073709551615}}",
            "totals.wall_ns.median: " + time + "18446744073709551615");
        row("sample", ",\"totals\":{\"samples_ns\":{\"wall\":[1,-9223372036854775808]}}",
            "totals.samples_ns.wall[1]: " + time + "-9223372036854775808");
        row("sample of another type", ",\"totals\":{\"samples_ns\":{\"wall\":[1,1.5]}}",
            "totals.samples_ns.wall[1]: " + time + "1.5");
        row("no sample", ",\"totals\":{\"samples_ns\":{\"wall\":[1,null]}}",
            "totals.samples_ns.wall[1]: expected a value, found none");
        row("interval", ",\"totals\":{\"wall_ns\":{\"ci95\":[1,9007199254740993]}}",
            "totals.wall_ns.ci95[1]: " + time + "9007199254740993");
        row("an interval turned over", ",\"totals\":{\"wall_ns\":{\"ci95\":[4,2]}}",
            "totals.wall_ns.ci95: expected the lower end and the upper end, found [4,2]");
        row("half an interval", ",\"totals\":{\"wall_ns\":{\"ci95\":[1]}}",
            "totals.wall_ns.ci95: expected two numbers, found [1]");
        row("sum of unknown phases",
            ",\"blocks\":[{\"hash\":\"1\",\"phases_ns\":{\"a\":9007199254740992,\"b\":1}}]",
            "blocks[0].phases_ns.b: expected times with a sum within 9007199254740992 ns, found "
            "9007199254740993");
        row("sum of tasks",
            ",\"blocks\":[{\"hash\":\"1\",\"tasks\":18446744073709551615},{\"hash\":\"2\","
            "\"tasks\":1}]",
            "blocks[1].tasks: expected counts with a sum below 2^64");
        row("a rest below zero", ",\"blocks\":[{\"hash\":\"1\",\"phases_ns\":{\"other\":-5}}]", "");
        row("a block without a hash", ",\"blocks\":[{}]",
            "blocks[0].hash: expected a value, found none");
        row("height", ",\"blocks\":[{\"hash\":\"1\",\"height\":\"7\"}]",
            "blocks[0].height: expected a whole number");
        row("list for an object", ",\"totals\":[]", "totals: expected an object, found []");
        row("date", ",\"date\":1", "date: expected a text, found 1");
        row("workers", ",\"settings\":{\"workers\":4294967296}",
            "settings.workers: expected a whole number from 1 to 1048576, found 4294967296");
        row("repetitions", ",\"settings\":{\"repeat\":-1}",
            "settings.repeat: expected a whole number");
        row("window", ",\"settings\":{\"window\":\"two\"}",
            "settings.window: expected a whole number");
        row("colour", ",\"baseline\":{\"name\":\"b\",\"colour\":5}",
            "baseline.colour: expected a whole number from 0 to 4, found 5");
        row("speed-up", ",\"totals\":{\"measured_speedup\":-1e300}",
            "totals.measured_speedup: expected a number from 0");
        row("moments that go back", ",\"usage\":{\"at_ns\":[5,4],\"lines\":[]}",
            "usage.at_ns[1]: expected a whole number from 5");
        row("a pause that ends before it begins", ",\"pauses_ns\":[[2,1]]",
            "pauses_ns[0]: expected the start and the end of a pause, found [2,1]");
        row("a check's place", ",\"check\":{\"listed\":[{\"event\":-1}]}",
            "check.listed[0].event: expected a whole number");
        row("a check's count", ",\"check\":{\"blocks\":[{\"height\":1,\"values\":1e300}]}",
            "check.blocks[0].values: expected a whole number");
        row("a check's block", ",\"check\":{\"blocks\":[{\"height\":1,\"hash\":\"x\"}]}",
            "check.blocks[0].hash: expected 64 hexadecimal digits");
        row("code of another type", ",\"device_code\":[{\"module\":\"1\",\"lanes\":7}]",
            "device_code[0].lanes: expected an object, found 7");
        row("code without a module", ",\"device_code\":[{}]",
            "device_code[0].module: expected a value, found none");
        row("a time of compilation", ",\"device_code\":[{\"module\":\"1\",\"compile_ns\":-1}]",
            "device_code[0].compile_ns: expected a whole number from 0");
        row("code that this version does not know",
            ",\"device_code\":[{\"module\":\"1\",\"state\":\"new\",\"x\":{}}]", "");
        row("unknown fields", ",\"x\":{\"y\":[1e300,\"z\"]},\"blocks\":[{\"hash\":\"1\",\"x\":[]}]",
            "");
    }
    void bounds_are_kept() {
        QFETCH(QByteArray, rest);
        QFETCH(QByteArray, expected);
        const QByteArray document = "{\"schema\":\"blockloom.run/1\",\"run\":\"r\"" + rest + "}";
        const auto run = read_run(document.toStdString(), "there");
        QCOMPARE(run.ok(), expected.isEmpty());
        if (!run)
            QVERIFY2(run.error().message.starts_with(expected.constData()),
                     run.error().message.c_str());
    }

    /// What a device ran of each contract is kept; documents of older versions have none.
    void code_is_kept() {
        RunRecord record;
        record.id = "r";
        record.backend = "cuda";
        execute::ContractCode code;
        code.module[0] = 0xab;
        code.contracts = {{2, 7}, {4, 1}};
        code.function = 12;
        code.compiled = 1000, code.on_processor = 64;
        code.ejected = {{"trap", 1}, {"window", 2}};
        gpuvm::CodeFacts facts;
        facts.state = gpuvm::CodeState::ready;
        facts.compilations = {{1'000, 3'000'000, false}, {4'000'000, 5'000'000, true}};
        facts.lane_bytes = 16'384, facts.windows = 3;
        code.code = {facts};
        execute::ContractCode refused;
        refused.module[0] = 0xcd;
        refused.ejected = {{"program", 5}};
        facts = {};
        facts.state = gpuvm::CodeState::refused;
        facts.refusal = "too much memory";
        refused.code = {facts};
        execute::ContractCode interpreted;
        interpreted.contracts = {{2, 9}};
        interpreted.interpreted = 3;
        record.summary.code = {code, refused, interpreted};

        const auto run = read_run(run_json(record, {}), "there");
        QVERIFY2(run.ok(), run ? "" : run.error().message.c_str());
        QCOMPARE(run->code.size(), 3U);
        const KeptCode& kept = run->code[0];
        QVERIFY(kept == kept_code(code));
        QCOMPARE(kept.module.substr(0, 4), std::string("ab00"));
        QCOMPARE(kept.contracts, (std::vector<std::string>{"2:7", "4:1"}));
        QCOMPARE(kept.compile_time, 3'999'000);
        QCOMPARE(kept.code_words(),
                 std::string("compiled and loaded in 4.00 ms, the last time in 1.00 ms"));
        QCOMPARE(kept.call_words(),
                 std::string("1,000 in compiled lanes, 64 on the processor, to show their memory, "
                             "3 ejected (1 trap, 2 window)"));
        QCOMPARE(run->code[1].code_words(), std::string("cannot be compiled: too much memory"));
        QCOMPARE(run->code[2].code_words(), std::string("interpreted"));
        QCOMPARE(code_of(run->code, to_hex(code.module)), &kept);
        QVERIFY(code_of(run->code, to_hex(Hash256{})) == &run->code[2]);
        QVERIFY(code_of(run->code, "2:7") == nullptr);

        record.backend = "cpu"; // nothing was asked of a device
        QVERIFY(read_run(run_json(record, {}), "there")->code.empty());
        const auto older = read_run("{\"schema\":\"blockloom.run/1\",\"run\":\"r\"}", "there");
        QVERIFY(older.ok() && older->code.empty());
    }

    void ids_are_names_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<bool>("good");
        for (const char* good : {"r", "20260829-140322-vulkan:1-speculative-2", "2026_a.b+c,d"})
            QTest::newRow(good) << QByteArray(good) << true;
        QTest::newRow("longest") << QByteArray(128, 'x') << true;
        for (const char* bad : {"", ".", "..", "../../../tmp/x", "/tmp/x", "a/b", "a\\\\b", ".x",
                                "-x", "a b", "a\\u0000", "\\u001b[31m", "\\u202ex", "é"})
            QTest::newRow(bad) << QByteArray(bad) << false;
        QTest::newRow("too long") << QByteArray(129, 'x') << false;
    }
    void ids_are_names() {
        QFETCH(QByteArray, id);
        QFETCH(bool, good);
        const QByteArray document = "{\"schema\":\"blockloom.run/1\",\"run\":\"" + id + "\"}";
        const auto run = read_run(document.toStdString(), "there");
        QCOMPARE(run.ok(), good);
        if (!run)
            QVERIFY2(run.error().message.starts_with("there: run: expected an id of 1 to 128"),
                     run.error().message.c_str());
    }

    void depth_is_limited() {
        const std::string before = "{\"schema\":\"blockloom.run/1\",\"run\":\"r\",\"x\":";
        const std::string deep = before + std::string(20000, '[') + std::string(20000, ']') + "}";
        for (const std::string& text : {deep, before + std::string(200000, '[')}) {
            for (const std::string& message : {read_run(text, "there").error().message,
                                               runs::without_spans(text, "there").error().message,
                                               runs::with_notes(text, {}, "there").error().message})
                QVERIFY2(message.starts_with("there: x[0][0]") &&
                             message.ends_with(
                                 "expected at most 16 nested arrays and objects, found more"),
                         message.c_str());
            QCOMPARE(runs::with_spans(text, "s"), text);
        }
    }

    /// A check is read as it was written.
    void a_check_is_kept() {
        RunRecord run;
        run.id = "r";
        QVERIFY(!read_run(run_json(run, {}), "there")->check);
        range::NodeCheck check;
        check.place = "metashrew:/data/node";
        check.blocks = {{892'614, {}, {1, 2}, 165, 700, 210, 5'000, 2},
                        {892'615, {}, {}, 1, 2, 3, 4, 0}};
        check.blocks.front().hash[31] = 0xab;
        check.differences = {{892'614, 12, std::string(64, 'a'), 1, 3, "fuel", "", "5", "6"},
                             {892'614, {}, "", {}, {}, "value", "sequence", "1", "absent"}};
        check.not_compared = {{"texts of failures", 7}};
        run.check = check;
        const auto kept = read_run(run_json(run, {}), "there");
        QVERIFY2(kept.ok(), kept.ok() ? "" : kept.error().message.c_str());
        QVERIFY(kept->check.has_value());
        QCOMPARE(kept->check->place, check.place);
        QCOMPARE(kept->check->total().values, std::uint64_t{5'004});
        QCOMPARE(kept->check->total().differences, std::uint64_t{2});
        QVERIFY(kept->check->blocks.front().hash == check.blocks.front().hash);
        QVERIFY(kept->check->blocks.front().digest == check.blocks.front().digest);
        // Added afterwards, it is the same document.
        run.check.reset();
        const auto added = runs::with_check(run_json(run, {}), check, "there");
        QVERIFY(added.ok());
        run.check = check;
        QCOMPARE(read_run(*added, "there")->check->total().values, std::uint64_t{5'004});
        QCOMPARE(*runs::with_check(*added, check, "there"), *added);
        QVERIFY(kept->check->not_compared == check.not_compared);
        QCOMPARE(kept->check->differences.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            const auto &a = kept->check->differences[i], &b = check.differences[i];
            QCOMPARE(range::place_words(a), range::place_words(b));
            QCOMPARE(a.node + '|' + a.replay, b.node + '|' + b.replay);
        }
        QCOMPARE(range::place_words(check.differences[0]), "block 892614, transaction 12 (" +
                                                               std::string(64, 'a') +
                                                               "), protostone 1, event 3: fuel");
        QCOMPARE(range::place_words(check.differences[1]),
                 std::string("block 892614: value of sequence"));
        QCOMPARE(range::check_words(check),
                 std::string("MISMATCH: 2 differences in 1 of 2 blocks; 5,004 values of 166 "
                             "messages and 213 keys were compared"));
    }

    /// Notes and spans change nothing else, and take no longer for many unknown members.
    void unknown_fields_are_kept() {
        std::string text = "{\n  \"schema\": \"blockloom.run/1\",\n  \"run\": \"r\"";
        for (int i = 0; i < 50000; ++i) text += ",\n  \"x" + std::to_string(i) + "\": 2.50";
        text += "\n}\n";
        const auto noted = runs::with_notes(text, {"a note", "b", 1}, "there");
        QVERIFY(noted);
        QCOMPARE(read_run(*noted, "there")->notes.baseline, std::string("b"));
        QCOMPARE(*runs::with_notes(*noted, {}, "there"), text);
    }
};

QTEST_GUILESS_MAIN(TestRunDocument)
#include "test_run_document.moc"
