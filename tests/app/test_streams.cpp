// What surrounds the program: FIFOs and devices for files, readers that leave, signals at any time.
#include "headers/waiting.h"
#include "program.h"

#include <QDir>

#include <csignal>
#include <random>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace blockloom::test;

namespace {

QStringList words(const QString& text) {
    return text.split(u' ', Qt::SkipEmptyParts);
}

/// A line of shell with $cli for the program.
Answer shell(const QString& line, const QString& folder = {}) {
    return run({QStringLiteral("-c"), QStringLiteral("cli='%1'; %2").arg(program(), line)}, folder,
               QStringLiteral("/bin/bash"));
}

} // namespace

class TestStreams : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;
    QString path(const QString& name) const { return folder.filePath(name); }

private Q_SLOTS:
    void initTestCase() {
        QCOMPARE(run(words(QStringLiteral("synth amm --blocks 3 --tasks 20 -o"))
                     << path(QStringLiteral("blocks")))
                     .status,
                 0);
        QCOMPARE(::mkfifo(path(QStringLiteral("fifo")).toLocal8Bit().constData(), 0600), 0);
        for (const char* name : {"fifo.json", "fifo.bloomtrace", "fifo.wasm"})
            QVERIFY(QFile::link(path(QStringLiteral("fifo")), path(QLatin1String(name))));
    }

    void a_fifo_as_a_source_is_refused_data() {
        QTest::addColumn<QString>("command");
        for (const char* command : {"analyze fifo",
                                    "analyze fifo.bloomtrace",
                                    "analyze fifo.json",
                                    "report fifo.json -o r.html",
                                    "--workspace w state seed fifo",
                                    "--workspace w state put-code 2:1 fifo",
                                    "color fifo",
                                    "wasm inspect fifo.wasm",
                                    "wasm run fifo --invoke f",
                                    "wasm spectest fifo.json",
                                    "synth fifo -o x",
                                    "alkanes decode fifo",
                                    "alkanes call --code fifo",
                                    "alkanes call --code fifo --tx fifo",
                                    "runs import fifo",
                                    "compare fifo fifo",
                                    "replay fifo",
                                    "render fifo -o x.png",
                                    "scaling fifo",
                                    "tune fifo"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }

    void a_fifo_as_a_source_is_refused() {
        QFETCH(QString, command);
        const Answer answer = run(words(command), folder.path());
        QVERIFY2(answer.status == 3, answer.err + " " + QByteArray::number(answer.status));
        QVERIFY2(answer.err.contains("fifo"), answer.err.constData());
    }

    void a_target_that_is_no_file_is_written_to() {
        const Answer piped =
            shell(QStringLiteral("(cat fifo > got) & $cli --quiet report blocks -o fifo.json;"
                                 " s=$?; wait; exit $s"),
                  folder.path());
        QVERIFY2(piped.status == 0, piped.err.constData());
        QVERIFY(content(path(QStringLiteral("got"))).contains("blockloom.analysis"));
        struct stat about {};
        QCOMPARE(::stat(path(QStringLiteral("fifo")).toLocal8Bit().constData(), &about), 0);
        QVERIFY(S_ISFIFO(about.st_mode));
        QVERIFY(QFile::link(QStringLiteral("/dev/full"), path(QStringLiteral("full.html"))));
        QCOMPARE(run(words(QStringLiteral("report blocks -o full.html")), folder.path()).status, 3);
        QCOMPARE(::stat("/dev/full", &about), 0);
        QVERIFY(S_ISCHR(about.st_mode));
    }

    void output_that_is_lost_is_an_error_data() {
        QTest::addColumn<QString>("command");
        for (const char* command :
             {"--version", "--help", "analyze --help", "analyze blocks", "analyze --json blocks",
              "analyze --json --details blocks", "alkanes decode blocks --height 960101 --json",
              "synth --list", "devices", "state digest --help", "wasm inspect --features"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }

    /// A full device, a reader that has gone and no standard output at all, whatever the length.
    void output_that_is_lost_is_an_error() {
        QFETCH(QString, command);
        QCOMPARE(shell(QStringLiteral("$cli %1 > all").arg(command), folder.path()).status, 0);
        for (const char* lost :
             {"$cli %1 > /dev/full", "$cli %1 >&-", "exec 3> >(exec true); wait $!; $cli %1 >&3"}) {
            const Answer answer = shell(QString::fromLatin1(lost).arg(command), folder.path());
            QVERIFY2(answer.status == 3, lost + QByteArray::number(answer.status) + answer.err);
            QVERIFY2(answer.err.contains("standard output"), answer.err.constData());
        }
    }

    void errors_that_nobody_reads_change_no_status() {
        for (const char* line : {"$cli analyze absent 2> /dev/full", "$cli analyze absent 2>&-",
                                 "exec 3> >(exec true); wait $!; $cli analyze absent 2>&3"})
            QCOMPARE(shell(QString::fromLatin1(line), folder.path()).status, 3);
        QCOMPARE(shell(QStringLiteral("$cli nonsense 2> /dev/full")).status, 2);
        QCOMPARE(shell(QStringLiteral("$cli analyze blocks 0<&- > all"), folder.path()).status, 0);
    }

    void the_same_block_given_twice_is_one_block() {
        const QByteArray alone = digest(QStringLiteral("blocks"));
        QVERIFY(alone.size() == 64);
        for (const char* sources :
             {"blocks blocks", "blocks blocks/960102.bin", "blocks/960102.bin blocks",
              "blocks/960100.bin blocks/960102.bin blocks blocks/960101.bin"})
            QCOMPARE(digest(QString::fromLatin1(sources)), alone);
    }

    /// A signal at the n-th stop of a system call, from the very first one on: before the C library
    /// is initialised, while the loader maps the libraries, in their constructors, in main.
    void a_signal_at_any_system_call_cancels() {
        for (const int signal : {SIGINT, SIGTERM})
            for (int stops = 1; stops <= 512; stops += 1 + stops / 2) {
                const auto ended = signalled_at(signal, stops);
                QVERIFY2(WIFEXITED(ended) && WEXITSTATUS(ended) == 130,
                         qPrintable(QStringLiteral("signal %1 at stop %2: %3")
                                        .arg(signal)
                                        .arg(stops)
                                        .arg(ended)));
            }
    }

    void the_program_is_called_as_its_launcher() {
        for (const QString& file : {program(), launched_program()}) {
            QProcess process;
            process.setWorkingDirectory(folder.path());
            process.start(file,
                          words(QStringLiteral("--quiet replay blocks --repeat 10000 --no-keep")));
            QVERIFY(process.waitForStarted(without_limit));
            const QString name = QStringLiteral("/proc/%1/comm").arg(process.processId());
            WAIT_UNTIL(content(name) == QByteArray("blockloom-cli\n"));
            process.terminate();
            QVERIFY(process.waitForFinished(without_limit));
        }
        QVERIFY(run({QStringLiteral("--version")}, {}, launched_program())
                    .out.startsWith("blockloom-cli "));
    }

    /// After this much work of its own, counted in ticks of processor time.
    void a_signal_during_the_work_cancels() {
        for (const int signal : {SIGINT, SIGTERM})
            for (int ticks = 0; ticks <= 5; ++ticks) {
                QProcess process;
                process.setWorkingDirectory(folder.path());
                process.start(program(), words(QStringLiteral(
                                             "--quiet replay blocks --repeat 10000 --no-keep")));
                QVERIFY(process.waitForStarted(without_limit));
                const auto pid = static_cast<pid_t>(process.processId());
                WAIT_UNTIL(takes(pid, signal));
                WAIT_UNTIL(ticks_of(pid) >= ticks);
                QCOMPARE(::kill(pid, signal), 0);
                QVERIFY(process.waitForFinished(without_limit));
                QCOMPARE(process.exitStatus(), QProcess::NormalExit);
                QCOMPARE(process.exitCode(), 130);
            }
    }

private:
    /// How a replay without an end ended that got this signal so many stops of the tracer after it
    /// was started; a system call is two stops. -1: it could not be traced.
    [[nodiscard]] int signalled_at(int signal, int stops) const {
        const QByteArray file = program().toLocal8Bit(), where = folder.path().toLocal8Bit();
        const pid_t pid = ::fork();
        if (pid == 0) {
            ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
            if (::chdir(where.constData()) == 0)
                ::execl(file.constData(), file.constData(), "--quiet", "replay", "blocks",
                        "--repeat", "10000", "--no-keep", nullptr);
            ::_exit(127);
        }
        int status = 0;
        for (int stop = 0; stop < stops; ++stop) { // the first stop of all is that of exec
            if (::waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) return -1;
            if (stop == 0) ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_EXITKILL);
            ::ptrace(PTRACE_SYSCALL, pid, nullptr, nullptr);
        }
        if (::waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) return -1;
        ::kill(pid, signal);
        ::ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
        return ::waitpid(pid, &status, 0) == pid ? status : -1;
    }

    [[nodiscard]] QByteArray digest(const QString& sources) const {
        const Answer answer =
            run(words(QStringLiteral("--quiet replay --json --no-keep ") + sources), folder.path());
        if (answer.status != 0) return answer.err;
        return json(answer)[QLatin1String("state_digest")].toString().toLatin1();
    }

    /// Ticks of processor time that all threads of the process have had.
    static int ticks_of(pid_t pid) {
        const auto fields = content(QStringLiteral("/proc/%1/stat").arg(pid)).split(' ');
        return fields.size() > 14 ? fields[13].toInt() + fields[14].toInt() : 0;
    }

    /// Whether the process handles the signal or keeps it for later.
    static bool takes(pid_t pid, int signal) {
        const QByteArray status = content(QStringLiteral("/proc/%1/status").arg(pid));
        for (const char* field : {"SigCgt:", "SigBlk:"}) {
            const qsizetype at = status.indexOf(field);
            if (at < 0) return false;
            const quint64 mask = status.mid(at + 8, 16).toULongLong(nullptr, 16);
            if (((mask >> (signal - 1)) & 1) != 0) return true;
        }
        return false;
    }
};

QTEST_GUILESS_MAIN(TestStreams)
#include "test_streams.moc"
