// blockloom-cli replay and runs: documents, resuming, verification, what is refused.
#include "headers/waiting.h"
#include "program.h"

#include <QJsonArray>

#include <array>
#include <pty.h>
#include <unistd.h>

using namespace blockloom::test;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;
    QString blocks_;

    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

    /// The words in the workspace `name`; PATH stands for the generated blocks.
    Answer in(const char* name, const char* words) const {
        QStringList arguments{text("--workspace"), path(name)};
        for (QString& word : text(words).split(u' ', Qt::SkipEmptyParts))
            arguments.append(word == text("PATH") ? blocks_ : word);
        return run(arguments);
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", path("own").toUtf8()); // nobody's own workspace is touched
        blocks_ = path("blocks");
        const Answer made = run({text("synth"), text("mixed"), text("-o"), blocks_,
                                 text("--blocks"), text("4"), text("--tasks"), text("60")});
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void document() {
        const Answer answer = in("document", "--log info replay PATH --json --verify");
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QJsonObject run = json(answer);
        QCOMPARE(run[text("schema")].toString(), text("blockloom.run/1"));
        QCOMPARE(run[text("strategy")].toString(), text("auto")); // the default
        QCOMPARE(run[text("backend")].toString(), text("cpu"));
        QVERIFY(run[text("verified")].toBool());
        QCOMPARE(run[text("state_digest")].toString().size(), 64);
        const QJsonArray blocks = run[text("blocks")].toArray();
        QCOMPARE(blocks.size(), 4);
        for (const auto& value : blocks) {
            const QJsonObject block = value.toObject();
            QCOMPARE(block[text("succeeded")].toInt() + block[text("reverted")].toInt(),
                     block[text("messages")].toInt());
            QVERIFY(block[text("messages")].toInt() <= block[text("tasks")].toInt());
            QVERIFY(block[text("verified")].toBool());
            QVERIFY(block[text("committed")].toBool());
            QVERIFY(block[text("choice")].toString().contains(text(": "))); // which, and why
            QCOMPARE(block[text("digest")].toString().size(), 64);
            const QJsonObject phases = block[text("phases_ns")].toObject();
            for (const char* phase :
                 {"read", "decode", "trace", "analyse", "schedule", "gather", "pack", "upload",
                  "execute", "download", "verify", "commit", "other"})
                QVERIFY2(phases[text(phase)].isDouble(), phase);
            QVERIFY(phases[text("execute")].toDouble() > 0);
        }
        // One line per block, because it was asked for.
        QCOMPARE(answer.err.count("dependency analysis (CPU): "), 4);
        QVERIFY(answer.err.contains("storage profiles"));
    }

    /// Without a terminal on standard error, and nothing asked for, nothing is written there.
    void silence() {
        const Answer answer = in("silence", "replay PATH --repeat 2 --baseline");
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.isEmpty(), answer.err.constData());
        QVERIFY(answer.out.contains("Wall time"));
    }

    /// Where the run is kept, and nothing about that if it is not.
    void the_folder_of_a_kept_run() {
        const Answer kept = in("folder", "replay PATH");
        QCOMPARE(kept.status, 0);
        QVERIFY2(kept.out.contains((text(", kept in ") + path("folder")).toUtf8()),
                 kept.out.constData());
        const Answer dropped = in("folder", "replay PATH --no-keep");
        QCOMPARE(dropped.status, 0);
        QVERIFY2(dropped.out.contains("State digest"), dropped.out.constData());
        QVERIFY2(!dropped.out.contains("kept in"), dropped.out.constData());
    }

    /// On a terminal one line shows what is running, the share of the whole work and the rest.
    void a_bar_on_a_terminal() {
        int ours = -1, theirs = -1;
        const winsize size{24, 120, 0, 0};
        QCOMPARE(::openpty(&ours, &theirs, nullptr, nullptr, &size), 0);
        QProcess process;
        process.setChildProcessModifier([theirs] { ::dup2(theirs, STDERR_FILENO); });
        process.start(program(), {text("replay"), blocks_, text("--repeat"), text("3"),
                                  text("--baseline"), text("--no-keep")});
        QVERIFY(process.waitForStarted(without_limit));
        ::close(theirs);
        QByteArray shown;
        std::array<char, 4096> bytes{};
        for (ssize_t read = 0; (read = ::read(ours, bytes.data(), bytes.size())) > 0;)
            shown.append(bytes.data(), read);
        ::close(ours);
        QVERIFY(process.waitForFinished(without_limit));
        QCOMPARE(process.exitCode(), 0);
        // 4 blocks, three times with a baseline: one total.
        QVERIFY2(shown.contains(" of 24"), shown.constData());
        QVERIFY(shown.contains("[\xe2\x96"));
        QVERIFY(shown.contains("repetition 1 of 3"));
        QVERIFY(shown.endsWith("\r\x1b[2K")); // nothing of it stays
    }

    /// A kept run is verified later; what was found is in its document.
    void verified_later() {
        const Answer answer =
            in("later", "replay PATH --strategy speculative --workers 2 --repeat 2 --json");
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QString id = json(answer)[text("run")].toString();
        QVERIFY(json(answer)[text("verified")].isNull());
        const auto verify = [&](const QStringList& more = {}) {
            return run(
                QStringList{text("--workspace"), path("later"), text("runs"), text("verify"), id} +
                more);
        };
        const Answer verified = verify();
        QVERIFY2(verified.status == 0, verified.err.constData());
        QVERIFY2(verified.out.startsWith("Verified on "), verified.out.constData());
        QVERIFY(verified.out.contains("4 blocks"));
        const QJsonObject kept =
            json(run({text("--workspace"), path("later"), text("runs"), text("show"), id}));
        QVERIFY(kept[text("verified")].toBool());
        QCOMPARE(kept[text("verification")].toObject()[text("blocks")].toInt(), 4);
        const Answer gone = verify({text("--source"), path("nowhere")});
        QCOMPARE(gone.status, 3);
        QVERIFY2(gone.err.contains("Its source is gone"), gone.err.constData());
        QVERIFY(verify({text("--json")}).out.contains("\"verified\": true"));
    }

    /// Interrupted by a kill, resumed, taken back and redone, again on another engine.
    void same_state_whatever_happens() {
        // Many blocks, so that the kill after the first one comes long before the last.
        const QString many = path("many");
        QCOMPARE(run({text("synth"), text("mixed"), text("-o"), many, text("--blocks"), text("40"),
                      text("--tasks"), text("60")})
                     .status,
                 0);
        const auto replay = [&](const char* name, const QStringList& more = {}) {
            return json(run(QStringList{text("--quiet"), text("--workspace"), path(name),
                                        text("replay"), many, text("--json")} +
                            more));
        };
        const QJsonObject whole = replay("whole");
        const QString digest = whole[text("state_digest")].toString();
        QCOMPARE(digest.size(), 64);

        QProcess killed;
        killed.setReadChannel(QProcess::StandardError);
        killed.start(program(), {text("--log"), text("info"), text("--workspace"), path("cut"),
                                 text("replay"), many});
        QVERIFY(killed.waitForStarted(without_limit));
        QByteArray log;
        while (!log.contains("dependency analysis") && killed.waitForReadyRead(without_limit))
            log += killed.readAllStandardError();
        killed.kill();
        QVERIFY(killed.state() == QProcess::NotRunning || killed.waitForFinished(without_limit));
        QVERIFY2(killed.exitStatus() == QProcess::CrashExit, "it ended before the kill");
        const QJsonObject resumed = replay("cut");
        QVERIFY(resumed[text("committed_before")].toInt() > 0);
        QVERIFY(resumed[text("committed")].toInt() > 0);
        QCOMPARE(resumed[text("state_digest")].toString(), digest);

        const QJsonArray blocks = whole[text("blocks")].toArray();
        const auto height = QByteArray::number(blocks[2].toObject()[text("height")].toInt());
        QCOMPARE(in("cut", ("state undo " + height).constData()).status, 0);
        const QJsonObject redone = replay("cut");
        QCOMPARE(redone[text("committed_before")].toInt(), 2);
        QCOMPARE(redone[text("committed")].toInt(), 38);
        QCOMPARE(redone[text("state_digest")].toString(), digest);

        // All committed: executed again beside what is committed.
        const QJsonObject again = replay("cut", {text("--engine"), text("interpreter")});
        QCOMPARE(again[text("executed_again")].toInt(), 40);
        QVERIFY(again[text("verified")].toBool());
        QCOMPARE(again[text("state_digest")].toString(), digest);
        QCOMPARE(json(in("cut", "state digest --json"))[text("state_digest")].toString(), digest);
    }

    /// A broken chain, at every place where it can be broken: 3, and nothing is committed there.
    void broken_chains_are_refused() {
        const QString whole = path("whole-chain"), gap = path("gap");
        write(path("chain.json"), R"({"recipe": "mixed", "blocks": 5, "tasks": 20, "seed": 3,
                                      "first_height": 960100})");
        for (const QString& folder : {whole, gap})
            QCOMPARE(run({text("synth"), path("chain.json"), text("-o"), folder}).status, 0);
        QVERIFY(QFile::remove(gap + text("/960102.bin")));
        const auto replay = [&](const char* name, const QString& source,
                                const QStringList& more = {}) {
            return run(QStringList{text("--quiet"), text("--workspace"), path(name), text("replay"),
                                   source, text("--json")} +
                       more);
        };
        const Answer inside = replay("gap-inside", gap);
        QCOMPARE(inside.status, 3);
        QVERIFY2(inside.err.contains("block 960103 (") && inside.err.contains("block 960101 ("),
                 inside.err.constData());
        QCOMPARE(json(in("gap-inside", "state digest --json"))[text("height")].toInt(), 960101);
        const Answer after = replay("gap-inside", whole, {text("--from"), text("960103")});
        QCOMPARE(after.status, 3);
        QVERIFY2(after.err.contains("block 960103 (") && after.err.contains("block 960101 ("),
                 after.err.constData());
        const Answer fresh = replay("gap-fresh", whole, {text("--from"), text("960102")});
        QCOMPARE(fresh.status, 3);
        QVERIFY2(fresh.err.contains("--after"), fresh.err.constData());
        const Answer memory = run({text("--quiet"), text("replay"), whole, text("--from"),
                                   text("960102"), text("--no-keep")});
        QCOMPARE(memory.status, 3);
        QCOMPARE(
            run({text("--quiet"), text("analyze"), whole, text("--from"), text("960102")}).status,
            3);
        // Where the user says that the state is the one before the block, it begins there.
        QCOMPARE(
            replay("gap-fresh", whole, {text("--from"), text("960102"), text("--begin")}).status,
            0);
        QCOMPARE(replay("gap-inside", whole).status, 0); // the whole chain continues at 960102
    }

    void repetitions() {
        const QJsonObject run = json(in("repeat", "--quiet replay PATH --json --repeat 7"));
        const QJsonObject wall = run[text("totals")].toObject()[text("wall_ns")].toObject();
        QVERIFY(wall[text("median")].toDouble() > 0);
        QCOMPARE(wall[text("ci95")].toArray().size(), 2);
        QCOMPARE(run[text("committed")].toInt(), 4);
        // Each instant of a repetition's wall time is in one of its phases.
        const QJsonObject samples = run[text("totals")].toObject()[text("samples_ns")].toObject();
        const QJsonObject phases = samples[text("phases")].toObject();
        for (int i = 0; i < 7; ++i) {
            qint64 sum = 0;
            for (const auto& phase : phases) sum += phase.toArray()[i].toInteger();
            QCOMPARE(sum, samples[text("wall")].toArray()[i].toInteger());
        }
        qint64 last = 0;
        for (const auto& phase : run[text("totals")].toObject()[text("phases_ns")].toObject())
            last += phase.toInteger();
        QCOMPARE(last, samples[text("wall")].toArray()[6].toInteger());
    }

    void estimated_sets() {
        const QJsonObject run = json(in("estimate", "--quiet replay PATH --json --estimate"));
        bool differs = false;
        for (const auto& value : run[text("blocks")].toArray()) {
            const QJsonObject sets = value.toObject()[text("estimated_sets")].toObject();
            QVERIFY(sets[text("equal_tasks")].toInt() <= sets[text("tasks")].toInt());
            differs = differs || sets[text("equal_tasks")].toInt() < sets[text("tasks")].toInt();
        }
        QVERIFY(differs); // messages that depend on each other run differently alone
        const QJsonObject analysis = json(run_analysis("--sets estimated"));
        QCOMPARE(analysis[text("sets")].toString(), text("estimated"));
        QCOMPARE(json(run_analysis(""))[text("sets")].toString(), text("true"));
        QCOMPARE(json(run_analysis(""))[text("chain")].toString(), text("alkanes"));
    }

    void runs_are_kept_and_travel() {
        const QString id = json(in("runs", "--quiet replay PATH --json"))[text("run")].toString();
        QVERIFY(!id.isEmpty());
        const Answer listed = in("runs", "runs list");
        QVERIFY(listed.out.contains(id.toUtf8()));
        const QString file = path("run.json");
        QCOMPARE(run({text("--workspace"), path("runs"), text("runs"), text("export"), id,
                      text("-o"), file})
                     .status,
                 0);
        QCOMPARE(run({text("--workspace"), path("elsewhere"), text("runs"), text("import"), file})
                     .status,
                 0);
        const Answer shown =
            run({text("--workspace"), path("elsewhere"), text("runs"), text("show"), id});
        QJsonObject travelled = QJsonDocument::fromJson(content(file)).object();
        travelled.remove(text("spans")); // they are for `report`, not to be read
        QCOMPARE(json(shown), travelled);
        QCOMPARE(json(shown)[text("run")].toString(), id);
        // A file that is no run, and a run that is not there.
        write(path("none.json"), "{}");
        QCOMPARE(run({text("--workspace"), path("elsewhere"), text("runs"), text("import"),
                      path("none.json")})
                     .status,
                 3);
        QCOMPARE(in("elsewhere", "runs show nothing").status, 3);
    }

    void refused() {
        QCOMPARE(in("refused", "replay PATH --backend cuda --device 99").status, 4);
        QCOMPARE(in("refused", "replay PATH --strategy hybrid").status, 2);
        QCOMPARE(in("refused", "replay").status, 2);
        NEEDS_SHARED_DATA("bitcoin/892614.bin");
        const QString block = shared_data("bitcoin/892614.bin");
        const Answer none = run({text("--workspace"), path("empty"), text("replay"), block});
        QCOMPARE(none.status, 3);
        QVERIFY(none.err.contains("state before the block"));
        const Answer analysed = run({text("analyze"), text("--chain"), text("alkanes"), block});
        QCOMPARE(analysed.status, 3);
        QVERIFY(analysed.err.contains("state put-"));
    }

    /// A real block on a seeded state runs its messages.
    void real_block_on_seeds() {
        NEEDS_SHARED_DATA("bitcoin/892614.bin");
        const QString block = shared_data("bitcoin/892614.bin");
        QCOMPARE(in("seeds", "state put-sequence 300").status, 0);
        const Answer undeclared =
            run({text("--quiet"), text("--workspace"), path("seeds"), text("replay"), block});
        QCOMPARE(undeclared.status, 3);
        QVERIFY(undeclared.err.contains("--after 892613:"));
        QCOMPARE(in("seeds", "state put-sequence 300 --after 892613").status, 0);
        const Answer answer =
            run({text("--quiet"), text("--workspace"), path("seeds"), text("replay"), block,
                 text("--json"), text("--verify"), text("--built-in-code"), text("state")});
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QJsonObject replayed = json(answer)[text("blocks")].toArray()[0].toObject();
        QCOMPARE(replayed[text("tasks")].toInt(), 169);
        QCOMPARE(replayed[text("messages")].toInt(), 165);
        QVERIFY(replayed[text("verified")].toBool());
    }

    /// Without --workspace: real blocks on the user's own state, generated ones in memory.
    void without_a_workspace() {
        const Answer first = run({text("--quiet"), text("replay"), blocks_});
        QVERIFY2(first.status == 0, first.err.constData());
        QVERIFY(first.out.contains("in memory"));
        QVERIFY(first.out.contains("kept in " + path("own").toUtf8()));
        NEEDS_SHARED_DATA("bitcoin/892614.bin");
        const QString block = shared_data("bitcoin/892614.bin");
        // Runs lie there by now, and no state.
        QCOMPARE(run({text("replay"), block}).status, 3);
        QCOMPARE(
            run({text("state"), text("put-sequence"), text("300"), text("--after"), text("892613")})
                .status,
            0);
        const Answer analysed =
            run({text("--quiet"), text("analyze"), text("--chain"), text("alkanes"), block,
                 text("--json"), text("--built-in-code"), text("state")});
        QVERIFY2(analysed.status == 0, analysed.err.constData());
        QCOMPARE(json(analysed)[text("blocks")].toArray()[0].toObject()[text("tasks")].toInt(),
                 169);
        const Answer real =
            run({text("--quiet"), text("replay"), block, text("--built-in-code"), text("state")});
        QVERIFY2(real.status == 0, real.err.constData());
        QVERIFY(real.out.contains("1 block committed to " + path("own").toUtf8()));
        // Demo blocks still begin on nothing.
        QVERIFY(run({text("--quiet"), text("replay"), blocks_}).out.contains("in memory"));
    }

private:
    Answer run_analysis(const char* more) const {
        QStringList arguments{text("--quiet"), text("analyze"), blocks_, text("--json")};
        return run(arguments + text(more).split(u' ', Qt::SkipEmptyParts));
    }
};

QTEST_GUILESS_MAIN(TestReplay)
#include "test_replay.moc"
