// Folders that are no workspace, newer, damaged, or in another's hands: refused with a sentence
// that says what is wrong, and never taken for an empty workspace.
#include "blocks.h"
#include "headers/waiting.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <cstdio>
#include <thread>

using namespace blockloom;
using namespace blockloom::store;
using namespace blockloom::test;

namespace {

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What a second process says; empty: it could open the workspace.
int tell_what_opening_says(const char* folder, bool read_only) {
    const auto workspace = Workspace::open(folder, {.read_only = read_only});
    if (!workspace) std::fputs(workspace.error().message.c_str(), stdout);
    return 0;
}

QString said_by_another_process(const QString& folder, const QString& how) {
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("test_damage"), how, folder});
    process.waitForFinished(without_limit);
    return QString::fromUtf8(process.readAllStandardOutput());
}

} // namespace

class TestDamage : public QObject {
    Q_OBJECT

    QTemporaryDir folder;
    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }

    /// What opening says; empty: it opened.
    static QString said(const QString& where, const OpenOptions& options = {}) {
        const auto workspace = Workspace::open(where.toStdString(), options);
        return workspace ? QString() : QString::fromStdString(workspace.error().message);
    }

    /// A workspace with blocks in table files.
    void make(const QString& where) {
        const auto workspace = Workspace::open(where.toStdString(), {.bulk = true});
        VERIFY_OK(workspace);
        for (std::uint64_t height = 1; height <= 20; ++height)
            VERIFY_OK(commit_block(**workspace, height));
    }

private Q_SLOTS:
    void folders_that_are_none() {
        QVERIFY(
            said(path("absent"), {.read_only = true}).contains(QLatin1String("no such folder")));
        QVERIFY(said(path("absent"), {.create = false}).contains(QLatin1String("no such folder")));
        QVERIFY(!QDir(path("absent")).exists());

        QVERIFY(QDir().mkdir(path("letters")));
        write(path("letters/letter.txt"), "dear");
        const QString letters = said(path("letters"));
        QVERIFY2(letters.contains(QLatin1String("\"letter.txt\"")), qPrintable(letters));
        QCOMPARE(QDir(path("letters")).entryList(QDir::Files),
                 QStringList{QStringLiteral("letter.txt")});

        write(path("file"), "text");
        QVERIFY(said(path("file")).contains(QLatin1String("found a file")));
    }

    void a_newer_format_is_refused() {
        make(path("newer"));
        write(path("newer/format"), "blockloom workspace 4\n");
        const QString message = said(path("newer"));
        QVERIFY2(message.contains(QLatin1String("format 4")) &&
                     message.contains(QLatin1String("newer Blockloom")),
                 qPrintable(message));
        write(path("newer/format"), "blockloom workspace 3\n");
        QCOMPARE(said(path("newer")), QString());
    }

    void a_damaged_format_file_is_refused() {
        make(path("format"));
        for (const QByteArray& text :
             {QByteArray(), QByteArray("blockloom workspace \n"),
              QByteArray("blockloom workspace 0\n"), QByteArray("blockloom workspace 1"),
              QByteArray("something else\n"), QByteArray(100, '\xff')}) {
            write(path("format/format"), text);
            QVERIFY(said(path("format")).contains(QLatin1String("format: expected")));
        }
        // Without the file, the version inside the database still counts, and nothing is lost.
        QVERIFY(QFile::remove(path("format/format")));
        const auto workspace = Workspace::open(path("format").toStdString());
        VERIFY_OK(workspace);
        QCOMPARE(*(*workspace)->state_digest(), ReferenceChain().digest(20));
    }

    void a_killed_creation_is_finished() {
        QVERIFY(QDir().mkdir(path("half")));
        write(path("half/lock"), "1");
        QCOMPARE(said(path("half")), QString());
        QCOMPARE(content(path("half/format")), QByteArray("blockloom workspace 3\n"));
    }

    void missing_files_are_no_empty_workspace() {
        for (const char* what : {"db", "CURRENT", "MANIFEST*", "*.sst"}) {
            QTemporaryDir own;
            make(own.path());
            if (what == std::string("db")) {
                QVERIFY(QDir(own.filePath(QStringLiteral("db"))).removeRecursively());
            } else {
                const QDir db(own.filePath(QStringLiteral("db")));
                const QStringList files = db.entryList({QLatin1String(what)}, QDir::Files);
                QVERIFY(!files.isEmpty());
                for (const QString& file : files) QVERIFY(QFile::remove(db.filePath(file)));
            }
            const QString message = said(own.path());
            QVERIFY2(message.contains(QLatin1String("damaged")) && message.startsWith(own.path()),
                     qPrintable(QLatin1String(what) + QStringLiteral(": ") + message));
        }
    }

    /// Whatever byte is bad: an error, or the right state. Never another one.
    void damaged_tables_never_give_wrong_values() {
        std::mt19937_64 random(3);
        ReferenceChain reference;
        make(path("whole"));
        int noticed = 0;
        for (int round = 0; round < 25; ++round) {
            QTemporaryDir own;
            QVERIFY(QDir().mkpath(own.filePath(QStringLiteral("db"))));
            QStringList tables;
            for (const QString& sub : {QStringLiteral("."), QStringLiteral("db")}) {
                const QDir from(path("whole/") + sub);
                for (const QString& file : from.entryList(QDir::Files)) {
                    const QString copy = own.filePath(sub + QLatin1Char('/') + file);
                    QVERIFY(QFile::copy(from.filePath(file), copy));
                    if (file.endsWith(QLatin1String(".sst"))) tables.append(copy);
                }
            }
            const QString victim =
                tables[static_cast<qsizetype>(random() % static_cast<unsigned>(tables.size()))];
            QByteArray bytes = content(victim);
            for (int i = 0; i < 64; ++i) {
                const auto at =
                    static_cast<qsizetype>(random() % static_cast<std::uint64_t>(bytes.size()));
                bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
            }
            write(victim, bytes);

            const auto workspace = Workspace::open(own.path().toStdString());
            if (!workspace) {
                QVERIFY(!workspace.error().message.empty());
                ++noticed;
                continue;
            }
            const auto digest = (*workspace)->state_digest();
            if (!digest) {
                QVERIFY(digest.error().message.find("damaged") != std::string::npos);
                ++noticed;
            } else {
                QCOMPARE(*digest, reference.digest(20));
            }
        }
        QVERIFY(noticed > 5);
    }

    void a_second_process_is_refused_and_told_what_to_do() {
        const auto workspace = Workspace::open(path("locked").toStdString());
        VERIFY_OK(workspace);
        for (const char* how : {"--write", "--read"}) {
            const QString message = said_by_another_process(path("locked"), QLatin1String(how));
            QVERIFY2(message.contains(
                         QStringLiteral("process %1").arg(QCoreApplication::applicationPid())) &&
                         message.contains(QLatin1String("--workspace")),
                     qPrintable(message));
        }
        QVERIFY(
            said(path("locked")).contains(QLatin1String("has this workspace open"))); // nor twice
    }

    void a_closed_one_is_free_and_readers_share() {
        QCOMPARE(said(path("free")), QString());
        QCOMPARE(said_by_another_process(path("free"), QStringLiteral("--write")), QString());
        const auto reader = Workspace::open(path("free").toStdString(), {.read_only = true});
        VERIFY_OK(reader);
        QCOMPARE(said_by_another_process(path("free"), QStringLiteral("--read")), QString());
        QVERIFY(!said_by_another_process(path("free"), QStringLiteral("--write")).isEmpty());
    }
};

int main(int argc, char** argv) {
    if (argc == 3 && (argv[1] == std::string("--write") || argv[1] == std::string("--read")))
        return tell_what_opening_says(argv[2], argv[1] == std::string("--read"));
    const QCoreApplication app(argc, argv);
    TestDamage test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_damage.moc"
