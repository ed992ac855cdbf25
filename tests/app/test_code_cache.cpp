// Kept machine code as a user meets it: filled by runs, shown, cleared, switched off, refused.
#include "modules.h"
#include "program.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>

using namespace blockloom::test;

namespace {

QStringList words_of(const char* text) {
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

} // namespace

class TestCodeCache : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> home_;

    QString path(const char* name) const { return home_->filePath(QLatin1String(name)); }
    static QJsonObject shown() { return json(run(words_of("wasm cache --json"))); }
    static qint64 entries() { return shown()[QLatin1String("entries")].toInteger(-1); }
    Answer call() const {
        return run(words_of("wasm run toy.wasm --engine native --json --invoke outer 1"),
                   home_->path());
    }

private Q_SLOTS:
    void init() {
        home_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", home_->path().toUtf8());
        qputenv("XDG_DATA_HOME", path("data").toUtf8());
        qputenv("BLOCKLOOM_CODE_CACHE", "on");
        write(path("toy.wasm"), toy_module());
    }

    void filled_shown_and_cleared() {
        QCOMPARE(entries(), 0);
        QVERIFY(!QFileInfo::exists(path("blockloom/code"))); // showing makes no folder
        const Answer first = call();
        QVERIFY2(first.status == 0 && first.err.isEmpty(), first.err.constData());
        const qint64 kept = entries();
        QVERIFY(kept >= 1);
        const Answer second = call();
        QCOMPARE(second.out, first.out);
        QCOMPARE(entries(), kept);

        const QJsonObject cache = shown();
        QCOMPARE(cache[QLatin1String("folder")].toString(), path("blockloom/code"));
        QVERIFY(cache[QLatin1String("bytes")].toInteger() > 0);
        QCOMPARE(cache[QLatin1String("bound")].toInteger(), qint64{256} << 20);
        QVERIFY(!cache.contains(QLatin1String("removed")));
        const Answer text = run(words_of("wasm cache"));
        QVERIFY2(text.out.contains("blockloom/code\n") && text.out.contains("at most 268"),
                 text.out.constData());

        const QJsonObject cleared = json(run(words_of("wasm cache --clear --json")));
        QCOMPARE(cleared[QLatin1String("entries")].toInteger(-1), 0);
        QCOMPARE(cleared[QLatin1String("removed")].toObject()[QLatin1String("entries")].toInteger(),
                 kept);
        QVERIFY(run(words_of("wasm cache --clear")).out.contains("removed 0 entries"));
        QCOMPARE(call().out, first.out);
        QCOMPARE(entries(), kept);
    }

    void another_folder_or_none() {
        qputenv("BLOCKLOOM_CODE_CACHE", "off");
        QCOMPARE(call().status, 0);
        QVERIFY(shown()[QLatin1String("folder")].isNull());
        QCOMPARE(run(words_of("wasm cache")).out,
                 QByteArray("machine code is not kept (code_cache)\n"));
        QVERIFY(!QFileInfo::exists(path("blockloom")));
        qputenv("BLOCKLOOM_CODE_CACHE", path("mine").toUtf8());
        QCOMPARE(call().status, 0);
        QVERIFY(entries() >= 1);
        QVERIFY(QFileInfo::exists(path("mine")) && !QFileInfo::exists(path("blockloom")));
        qputenv("BLOCKLOOM_CODE_CACHE", "mine");
        const Answer wrong = run(words_of("wasm cache"));
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("BLOCKLOOM_CODE_CACHE: expected on, off or"),
                 wrong.err.constData());
    }

    /// Nothing of it is used, and the run itself does not fail.
    void a_folder_that_others_may_enter() {
        QVERIFY(QDir().mkpath(path("open")));
        QVERIFY(QFile::setPermissions(path("open"), QFile::ReadOwner | QFile::WriteOwner |
                                                        QFile::ExeOwner | QFile::ReadOther |
                                                        QFile::ExeOther));
        qputenv("BLOCKLOOM_CODE_CACHE", path("open").toUtf8());
        const Answer ran = call();
        QVERIFY2(ran.status == 0 && ran.err.isEmpty(), ran.err.constData());
        QVERIFY(QDir(path("open")).isEmpty());
        for (const char* command : {"wasm cache", "wasm cache --clear"}) {
            const Answer refused = run(words_of(command));
            QCOMPARE(refused.status, 3);
            QVERIFY2(refused.err.contains("with mode 0700, found"), refused.err.constData());
        }
    }

    /// The same answers from compiled, loaded and no machine code.
    void digests_do_not_depend_on_it() {
        const Answer made =
            run({QStringLiteral("synth"), QStringLiteral("mixed"), QStringLiteral("-o"),
                 path("blocks"), QStringLiteral("--blocks"), QStringLiteral("2"),
                 QStringLiteral("--tasks"), QStringLiteral("40")});
        QVERIFY2(made.status == 0, made.err.constData());
        const auto digest = [&](const char* setting, const char* workspace) {
            qputenv("BLOCKLOOM_CODE_CACHE", setting);
            const Answer replayed =
                run({QStringLiteral("--workspace"), path(workspace), QStringLiteral("replay"),
                     path("blocks"), QStringLiteral("--json"), QStringLiteral("--verify")});
            if (replayed.status != 0) qWarning("%s", replayed.err.constData());
            return json(replayed)[QLatin1String("state_digest")].toString();
        };
        const QString without = digest("off", "a");
        QCOMPARE(without.size(), 64);
        QCOMPARE(digest("on", "b"), without);
        QVERIFY(entries() >= 1);
        QCOMPARE(digest("on", "c"), without);
    }
};

QTEST_GUILESS_MAIN(TestCodeCache)
#include "test_code_cache.moc"
