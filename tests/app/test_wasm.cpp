// The wasm commands as a user meets them: what is printed, kept, refused, and what a trap answers.
#include "modules.h"
#include "program.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QXmlStreamReader>

using namespace blockloom::test;

namespace {

QStringList words(const char* text) {
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

qint64 number(const QJsonObject& object, const char* key) {
    return object[QLatin1String(key)].toInteger(-1);
}

QString text(const QJsonObject& object, const char* key) {
    return object[QLatin1String(key)].toString();
}

QStringList names(const QJsonObject& object, const char* list) {
    QStringList found;
    for (const QJsonValue& item : object[QLatin1String(list)].toArray())
        found.append(item[QLatin1String("name")].toString());
    return found;
}

} // namespace

class TestWasm : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;
    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }

    /// "wasm run toy.wasm --invoke …" in the folder.
    Answer call(const char* rest) const {
        return run(words("wasm run toy.wasm --invoke") + words(rest), folder.path());
    }

private Q_SLOTS:
    void initTestCase() {
        write(path("toy.wasm"), toy_module());
        write(path("needs.wasm"), importing_module());
    }

    void inspect_tells_what_is_in_a_module() {
        const Answer answer = run(words("wasm inspect toy.wasm"), folder.path());
        QVERIFY2(answer.status == 0 && answer.err.isEmpty(), answer.err.constData());
        for (const char* line :
             {"toy.wasm: 191 bytes, 8 functions (0 imported), 0 globals, 0 data segments; program "
              "of 24 instructions\n",
              "memory: 1 to 2 pages\n", "features used: bulk-memory\n",
              "outer   function      5  (i32) -> (i32)\n",
              "memory  memory        0  1 to 2 pages\n",
              "leaf          0      6             2      3  (i32) -> (i32)\n",
              "twice         1      7             4      2  (i32) -> (i32)\n",
              "falls         2      2             1      0  () -> ()\n"})
            QVERIFY2(answer.out.contains(line), line);
        const Answer needs = run(words("wasm inspect needs.wasm"), folder.path());
        for (const char* line :
             {"table: funcref, 1 element or more\n", "env.log    function  (i32) -> ()\n",
              "env.table  table     funcref, 1 element or more\n"})
            QVERIFY2(needs.out.contains(line), needs.out.constData());
    }

    void inspect_as_json() {
        const QJsonObject toy = json(run(words("wasm inspect --json toy.wasm"), folder.path()));
        QCOMPARE(number(toy, "bytes"), qint64{toy_module().size()});
        QCOMPARE(names(toy, "functions").mid(0, 3),
                 QStringList(
                     {QStringLiteral("leaf"), QStringLiteral("twice"), QStringLiteral("falls")}));
        QCOMPARE(names(toy, "exports").size(), qsizetype{7});
        const QJsonObject memory = toy[QLatin1String("memories")][0].toObject();
        QCOMPARE(number(memory, "min"), qint64{1});
        QCOMPARE(number(memory, "max"), qint64{2});
        QCOMPARE(toy[QLatin1String("features")].toArray(),
                 QJsonArray({QStringLiteral("bulk-memory")}));
        qint64 bytes = 0;
        for (const QJsonValue& function : toy[QLatin1String("functions")].toArray())
            bytes += number(function.toObject(), "bytes");
        QCOMPARE(bytes, qint64{6 + 7 + 2 + 6 + 8 + 10 + 10 + 3}); // with `end`, without locals
        const QJsonObject needs = json(run(words("wasm inspect --json needs.wasm"), folder.path()));
        QCOMPARE(names(needs, "imports"),
                 QStringList({QStringLiteral("log"), QStringLiteral("table")}));
    }

    void inspect_features_and_program() {
        const Answer claimed = run(words("wasm inspect --features"));
        QCOMPARE(claimed.status, 0);
        for (const char* feature : {"sign-extension", "multi-value", "bulk-memory",
                                    "nontrapping-float-to-int-conversions", "mutable-globals"})
            QVERIFY2(claimed.out.contains(feature), feature);
        const QByteArray used =
            run(words("wasm inspect toy.wasm --features"), folder.path()).out.split('\n').first();
        QCOMPARE(used, QByteArray("used: bulk-memory"));

        const QByteArray one = "f1: (i32) -> (i32), 2 cells, cost 2\n";
        for (const char* named :
             {"wasm inspect toy.wasm --program twice", "wasm inspect toy.wasm --program 1"}) {
            const Answer answer = run(words(named), folder.path());
            QVERIFY2(answer.out.startsWith(one) && !answer.out.contains("leaf:"),
                     answer.out.constData());
        }
        // The file may follow the option without a function.
        const Answer all = run(words("wasm inspect toy.wasm --program"), folder.path());
        QVERIFY(all.out.contains(one) && all.out.contains("f0 leaf:") &&
                all.out.contains("f7: () -> ()"));
        QCOMPARE(run(words("wasm inspect --program toy.wasm"), folder.path()).out, all.out);
        const QJsonObject both =
            json(run(words("wasm inspect toy.wasm --json --program twice"), folder.path()));
        QVERIFY(text(both, "program").toUtf8().startsWith(one));
        QCOMPARE(names(both, "functions").size(), qsizetype{8});
    }

    void broken_modules_are_named_with_the_place() {
        const QByteArray whole = toy_module();
        const qsizetype code_end = whole.indexOf("\4name") - 2; // a cut name section is no error
        for (qsizetype size = 0; size < code_end; size += 7) {
            write(path("cut.wasm"), whole.left(size));
            for (const char* command :
                 {"wasm inspect cut.wasm", "wasm run cut.wasm --invoke twice 1"}) {
                const Answer answer = run(words(command), folder.path());
                if (answer.status == 0) continue; // the cut fell between two sections
                QCOMPARE(answer.status, 3);
                QVERIFY(answer.out.isEmpty());
                QVERIFY2(answer.err.contains("cut.wasm: offset "), answer.err.constData());
            }
        }
        QByteArray invalid = whole;
        invalid[invalid.indexOf(QByteArray("\x41\1\x6a", 3)) + 2] = '\x7c'; // i64.add of two i32
        write(path("typed.wasm"), invalid);
        const Answer typed = run(words("wasm inspect typed.wasm"), folder.path());
        QCOMPARE(typed.status, 3);
        QVERIFY2(typed.err.contains("typed.wasm: offset ") && typed.err.contains("invalid") &&
                     typed.err.contains("expected i64") && typed.err.contains("i32"),
                 typed.err.constData());
        QCOMPARE(run(words("wasm inspect nowhere.wasm"), folder.path()).status, 3);
    }

    void run_answers_in_one_line() {
        const Answer answer = call("outer 5");
        QCOMPARE(answer.out, QByteArray("i32: 13\nfuel used 17, steps 17; 0 memory pages of 4 KiB "
                                        "touched, 1 page of 64 KiB at the end\n"));
        QCOMPARE(call("outer 0x5").out, answer.out);
        QVERIFY(call("outer -- -7").out.startsWith("i32: -11\n"));
        QVERIFY(call("outer 4294967295").out.startsWith("i32: 1\n")); // −1, unsigned
        QVERIFY(call("leaf 1").out.startsWith("i32: 2\n"));           // by the name section
        QVERIFY(call("0 1").out.startsWith("i32: 2\n"));              // by index
        QVERIFY(call("store 4097").out.contains("1 memory page of 4 KiB touched"));
    }

    void run_as_json() {
        const QJsonObject answer = json(call("wipe 6400 --json"));
        QCOMPARE(text(answer, "outcome"), QStringLiteral("returned"));
        QVERIFY(answer[QLatin1String("trap")].isNull());
        QCOMPARE(number(answer, "steps"), qint64{4});
        QCOMPARE(number(answer, "fuel_used"), qint64{4 + 6400 / 64});
        const QJsonObject pages = answer[QLatin1String("pages")].toObject();
        QCOMPARE(number(pages, "touched"), qint64{2});
        QCOMPARE(number(pages, "final"), qint64{1});
        QVERIFY(!answer.contains(QLatin1String("profile")));
        QCOMPARE(text(answer, "fuel_rule"), QStringLiteral("counted"));
        // The body, memory.fill and the return; the bytes as before.
        for (const char* engine : {"interpreter", "native"}) {
            const QJsonObject exact =
                json(call("wipe 6400 --json --fuel-rule exact --engine " + QByteArray(engine)));
            QCOMPARE(text(exact, "fuel_rule"), QStringLiteral("exact"));
            QCOMPARE(number(exact, "steps"), qint64{3});
            QCOMPARE(number(exact, "fuel_used"), qint64{3 + 6400 / 64});
        }
        const QJsonObject result =
            json(call("twice 8 --json"))[QLatin1String("results")][0].toObject();
        QCOMPARE(text(result, "type"), QStringLiteral("i32"));
        QCOMPARE(text(result, "value"), QStringLiteral("10"));
    }

    void a_trap_is_an_answer() {
        const Answer words_of = call("into");
        QCOMPARE(words_of.status, 0);
        const qsizetype offset = toy_module().indexOf(QByteArray("\3\0\0\x0b", 4)) + 2;
        const QByteArray line =
            "trap: unreachable in falls at offset " + QByteArray::number(offset);
        QVERIFY2(words_of.out.startsWith(line + "\n"), words_of.out.constData());
        const QJsonObject answer = json(call("into --json"));
        QCOMPARE(text(answer, "outcome"), QStringLiteral("trapped"));
        const QJsonObject trap = answer[QLatin1String("trap")].toObject();
        QCOMPARE(text(trap, "kind"), QStringLiteral("unreachable"));
        QCOMPARE(text(trap, "name"), QStringLiteral("falls"));
        QCOMPARE(number(trap, "function"), qint64{2});
        QCOMPARE(number(trap, "offset"), qint64{offset});
        QVERIFY(call("wipe 66000").out.startsWith("trap: out of bounds memory access in wipe"));
        const Answer endless = call("spin --fuel 77");
        QCOMPARE(endless.status, 0);
        QVERIFY2(endless.out.startsWith("trap: out of fuel in spin") &&
                     endless.out.contains("fuel used 77"),
                 endless.out.constData());
    }

    void missing_imports_are_listed() {
        const Answer answer = run(words("wasm run needs.wasm --invoke f 1"), folder.path());
        QCOMPARE(answer.status, 3);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.contains("needs.wasm") && answer.err.contains("found 2") &&
                     answer.err.contains("env.log: (i32) -> ()") &&
                     answer.err.contains("env.table: funcref"),
                 answer.err.constData());
    }

    void the_profile_is_a_table_by_own_fuel() {
        const Answer answer = call("outer 5 --profile");
        const QByteArray rows = "leaf          3         9  52.9 %           9   52.9 %\n"
                                "outer         1         5  29.4 %          17  100.0 %\n"
                                "twice         1         3  17.6 %           9   52.9 %\n";
        QVERIFY2(answer.out.endsWith(rows), answer.out.constData());
    }

    void profiles_add_up_data() {
        QTest::addColumn<QByteArray>("call");
        for (const char* call : {"outer 5", "into", "wipe 6400", "wipe 66000", "spin --fuel 77",
                                 "outer 5 --fuel 16", "outer 5 --fuel 1", "wipe 6400 --fuel 50"})
            QTest::newRow(call) << QByteArray(call);
    }

    void profiles_add_up() {
        QFETCH(QByteArray, call);
        const QJsonObject answer = json(this->call(call + " --profile --json"));
        const QJsonObject profile = answer[QLatin1String("profile")].toObject();
        QCOMPARE(text(profile, "schema"), QStringLiteral("blockloom.profile/1"));
        const qint64 fuel = number(answer, "fuel_used");
        QCOMPARE(number(profile, "fuel"), fuel);
        qint64 functions = 0, stacks = 0, most = 0;
        for (const QJsonValue& row : profile[QLatin1String("functions")].toArray()) {
            functions += number(row.toObject(), "self");
            most = std::max(most, number(row.toObject(), "total"));
            QVERIFY(number(row.toObject(), "self") <= number(row.toObject(), "total"));
        }
        for (const QJsonValue& row : profile[QLatin1String("stacks")].toArray())
            stacks += number(row.toObject(), "self");
        QCOMPARE(functions, fuel);
        QCOMPARE(stacks, fuel);
        QCOMPARE(most, fuel); // the invoked function's
    }

    void a_profile_of_many_stacks_stays_bounded() {
        write(path("fork.wasm"), forking_module());
        const auto profile_of = [&](const char* depth) {
            const Answer answer =
                run(words("wasm run fork.wasm --invoke left --json --profile") + words(depth),
                    folder.path());
            return json(answer)[QLatin1String("profile")].toObject();
        };
        for (const char* depth : {"8", "17"}) {
            const QJsonObject profile = profile_of(depth);
            const qint64 levels = QByteArray(depth).toInt(), all = (qint64{2} << levels) - 1;
            const QJsonArray stacks = profile[QLatin1String("stacks")].toArray();
            QCOMPARE(stacks.size(), qsizetype{std::min<qint64>(all, 32'768)});
            qint64 calls = number(profile, "merged_calls"), fuel = 0;
            QCOMPARE(calls > 0, all > 32'768);
            for (const QJsonValue& stack : stacks) {
                calls += number(stack.toObject(), "calls");
                fuel += number(stack.toObject(), "self");
            }
            QCOMPARE(calls, all);
            QCOMPARE(fuel, number(profile, "fuel"));
            // Recursion: the total counts outermost calls only, so never more than all fuel.
            for (const QJsonValue& function : profile[QLatin1String("functions")].toArray()) {
                const QJsonObject row = function.toObject();
                QVERIFY(number(row, "total") <= fuel);
                QCOMPARE(number(row, "total") == fuel, text(row, "name") == QLatin1String("left"));
            }
        }
    }

    void a_profile_becomes_a_flame_graph() {
        const Answer kept = call("outer 5 --profile-out p.json --folded p.txt");
        QVERIFY2(kept.status == 0 && !kept.out.contains("Calls"), kept.err.constData());
        const QByteArray document = content(path("p.json"));
        QVERIFY(document.contains(
            QCryptographicHash::hash(toy_module(), QCryptographicHash::Sha256).toHex()));
        QVERIFY(!document.contains(folder.path().toUtf8())); // the same on every machine
        QCOMPARE(content(path("p.txt")),
                 QByteArray("outer 5\nouter;twice 3\nouter;twice;leaf 6\nouter;leaf 3\n"));

        const auto report = [&](const char* rest) {
            return run(words("report p.json -o") + words(rest), folder.path());
        };
        QCOMPARE(report("p.html").status, 0);
        const QByteArray html = content(path("p.html"));
        for (const char* part :
             {"<svg", "leaf: 35.3 % of the fuel, 6 with callees, 6 without, 2 calls</title>",
              "outer › twice › leaf", "toy.wasm", "returned"})
            QVERIFY2(html.contains(part), part);
        for (const char* outside : {"http://", "https://", "<script", "url(", "src="})
            QVERIFY2(!html.contains(outside), outside);
        QCOMPARE(report("p.svg --theme light --size 640x300").status, 0);
        QXmlStreamReader xml(content(path("p.svg")));
        while (!xml.atEnd()) xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(content(path("p.svg")).contains("viewBox=\"0 0 640 300\""));
        QCOMPARE(report("again.svg --theme light --size 640x300").status, 0);
        QCOMPARE(content(path("again.svg")), content(path("p.svg")));
        QCOMPARE(report("copy.json").status, 0);
        QCOMPARE(content(path("copy.json")), document);
        QCOMPARE(report("p.csv").status, 2);
        QCOMPARE(report("p.html --size big").status, 2);
        QCOMPARE(run(words("report p.json demo -o p.html"), folder.path()).status, 2);
    }

    void a_profile_of_another_version_is_refused() {
        QCOMPARE(call("outer 5 --profile-out v.json").status, 0);
        QByteArray document = content(path("v.json"));
        write(path("v.json"), document.replace("profile/1", "profile/2"));
        const Answer answer = run(words("report v.json -o v.html"), folder.path());
        QCOMPARE(answer.status, 3);
        QVERIFY2(answer.err.contains("v.json") && answer.err.contains("blockloom.profile/2"),
                 answer.err.constData());
        QVERIFY(!QFile::exists(path("v.html")));
    }

    void spectest_counts_and_names_the_line() {
        const QByteArray script =
            R"({"source_filename":"toy.wast","commands":[
{"type":"module","line":1,"filename":"toy.wasm"},
{"type":"assert_return","line":2,"action":{"type":"invoke","field":"twice","args":[{"type":"i32","value":"4"}]},"expected":[{"type":"i32","value":"6"}]},
{"type":"assert_trap","line":3,"action":{"type":"invoke","field":"into","args":[]},"text":"unreachable","expected":[]},
{"type":"assert_return","line":4,"action":{"type":"invoke","field":"twice","args":[{"type":"i32","value":"4"}]},"expected":[{"type":"i32","value":"7"}]}]})";
        write(path("toy.json"), script);
        const Answer answer = run(words("wasm spectest toy.json"), folder.path());
        QCOMPARE(answer.status, 1);
        QVERIFY2(answer.out.contains("3 passed, 1 failed, 0 skipped\n") &&
                     answer.out.contains("toy.wast:4: "),
                 answer.out.constData());
        const QJsonObject document =
            json(run(words("wasm spectest toy.json --json"), folder.path()));
        QCOMPARE(number(document, "passed"), qint64{3});
        QCOMPARE(number(document, "failed"), qint64{1});
        QCOMPARE(number(document, "skipped"), qint64{0});
        QCOMPARE(number(document[QLatin1String("failures")][0].toObject(), "line"), qint64{4});
        write(path("good.json"), QByteArray(script).replace("\"7\"", "\"6\""));
        QCOMPARE(run(words("wasm spectest good.json"), folder.path()).status, 0);
        QVERIFY(document[QLatin1String("device_code")].isNull());
        QCOMPARE(document[QLatin1String("engine")].toString(), QStringLiteral("interpreter"));
        write(path("no.json"), "{");
        QCOMPARE(run(words("wasm spectest no.json"), folder.path()).status, 3);
    }

    /// Compiled lanes run what they can, and nothing else runs the rest: it is counted by code.
    void spectest_on_a_device_has_its_code() {
        write(path("device.json"),
              R"({"source_filename":"toy.wast","commands":[
{"type":"module","line":1,"filename":"toy.wasm"},
{"type":"assert_return","line":2,"action":{"type":"invoke","field":"twice","args":[{"type":"i32","value":"4"}]},"expected":[{"type":"i32","value":"6"}]},
{"type":"assert_return","line":3,"action":{"type":"invoke","field":"twice","args":[{"type":"i32","value":"5"}]},"expected":[{"type":"i32","value":"7"}]},
{"type":"assert_trap","line":4,"action":{"type":"invoke","field":"into","args":[]},"text":"unreachable","expected":[]}]})");
        const Answer answer =
            run(words("wasm spectest device.json --backend simt --json"), folder.path());
        QCOMPARE(answer.status, 4);
        const QJsonObject document = json(answer);
        QCOMPARE(document[QLatin1String("engine")].toString(), QStringLiteral("simt"));
        QCOMPARE(number(document, "passed"), qint64{3}); // the module is a command, too
        QCOMPARE(number(document, "ejected"), qint64{1});
        const QJsonArray code = document[QLatin1String("device_code")].toArray();
        QCOMPARE(code.size(), 2);
        for (const QJsonValue& each : code) {
            QCOMPARE(each[QLatin1String("module")].toString().size(), 64);
            QVERIFY(each[QLatin1String("contracts")].toArray().isEmpty());
            QCOMPARE(each[QLatin1String("state")].toString(), QStringLiteral("ready"));
            QCOMPARE(each[QLatin1String("compilations")].toInt(), 1);
            QVERIFY(each[QLatin1String("compile_ns")].toDouble() > 0);
            QVERIFY(each[QLatin1String("lane_bytes")].toInt() > 0);
        }
        const QJsonObject twice = code[0][QLatin1String("lanes")].toObject();
        const QJsonObject into = code[1][QLatin1String("lanes")].toObject();
        QCOMPARE(twice[QLatin1String("compiled")].toInt(), 2);
        QVERIFY(twice[QLatin1String("ejected")].toObject().isEmpty());
        QCOMPARE(into[QLatin1String("compiled")].toInt(), 0);
        QCOMPARE(into[QLatin1String("ejected")].toObject(),
                 (QJsonObject{{QStringLiteral("trap"), 1}}));
    }

    void wrong_usage_data() {
        QTest::addColumn<QByteArray>("arguments");
        for (const char* arguments :
             {"wasm", "wasm inspect", "wasm inspect toy.wasm --program nope", "wasm run toy.wasm",
              "wasm run toy.wasm --invoke nope", "wasm run toy.wasm --invoke outer",
              "wasm run toy.wasm --invoke outer 1 2", "wasm run toy.wasm --invoke outer x",
              "wasm run toy.wasm --invoke outer 4294967296",
              "wasm run toy.wasm --invoke outer 1 --fuel many", "wasm spectest"})
            QTest::newRow(arguments) << QByteArray(arguments);
    }

    void wrong_usage() {
        QFETCH(QByteArray, arguments);
        const Answer answer = run(words(arguments.constData()), folder.path());
        QCOMPARE(answer.status, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY(!answer.err.isEmpty());
    }

    void help_says_what_a_trap_answers() {
        const Answer help = run(words("wasm run --help"));
        QCOMPARE(help.status, 0);
        for (const char* part : {"--profile-out", "--fuel", "exit status 0", "Example:"})
            QVERIFY2(help.out.contains(part), part);
    }
};

QTEST_GUILESS_MAIN(TestWasm)
#include "test_wasm.moc"
