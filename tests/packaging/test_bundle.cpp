// The bundle: what lies in it, and that it starts without our packages' libraries.
#include "headers/waiting.h"
#include "places.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Answer {
    int status = -1;
    QString out, err;
};

Answer run(const QString& program, const QStringList& arguments,
           const QProcessEnvironment& environment) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.waitForFinished(blockloom::test::without_limit);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// As on a server where nobody set anything.
QProcessEnvironment bare() {
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    return environment;
}

} // namespace

class TestBundle : public QObject {
    Q_OBJECT

    QTemporaryDir temporary;
    QString folder = temporary.filePath(QStringLiteral("a folder/bundle"));
    QString in_it(const char* name) const { return folder + u'/' + QLatin1String(name); }

private Q_SLOTS:
    void initTestCase() {
        const Answer made = run(QStringLiteral(BLOCKLOOM_SOURCE_DIR "/packaging/bundle"),
                                {QStringLiteral("--build"), QStringLiteral(BLOCKLOOM_BIN_DIR "/.."),
                                 QStringLiteral("--folder"), QStringLiteral("-o"), folder},
                                QProcessEnvironment::systemEnvironment());
        QVERIFY2(made.status == 0, qPrintable(made.err));
        QCOMPARE(made.out.trimmed(), folder);
    }

    void it_has_what_it_needs() {
        for (const char* name :
             {"blockloom-cli", "bin/blockloom-cli", "libexec/blockloom/blockloom-cli-program",
              "LICENSE", "README", "licenses/NOTICES", "licenses/libllvm14", "licenses/libvulkan1",
              "lib/libvulkan.so.1", "lib/fallback/libstdc++.so.6", "share/fonts.conf",
              "share/fonts/Roboto-Regular.ttf"})
            QVERIFY2(QFileInfo(in_it(name)).size() > 0, name);
        // Each library's licence, and no C library: it must be the server's.
        const QStringList libraries = QDir(in_it("lib")).entryList(QDir::Files) +
                                      QDir(in_it("lib/fallback")).entryList(QDir::Files);
        QVERIFY(libraries.size() > 10);
        for (const QString& library : libraries)
            QVERIFY2(!QRegularExpression(QStringLiteral("^(libc|libm|ld-linux.*)\\.so"))
                          .match(library)
                          .hasMatch(),
                     qPrintable(library));
        QVERIFY(!QDir(folder).exists(QStringLiteral("share/vulkan"))); // no drivers
    }

    void every_library_comes_from_it_or_is_the_c_library() {
        QProcessEnvironment environment = bare();
        environment.insert(QStringLiteral("LD_LIBRARY_PATH"),
                           in_it("lib") + u':' + in_it("lib/fallback"));
        const Answer loaded = run(QStringLiteral("/usr/bin/ldd"),
                                  {in_it("libexec/blockloom/blockloom-cli-program")}, environment);
        QCOMPARE(loaded.status, 0);
        const QRegularExpression own(
            QStringLiteral("linux-vdso|ld-linux|^\\s*lib(c|m|pthread|dl|rt|resolv)\\.so\\.\\d+ "));
        for (const QString& line : loaded.out.split(u'\n', Qt::SkipEmptyParts))
            QVERIFY2(line.contains(folder) || own.match(line).hasMatch(), qPrintable(line));
    }

    void it_starts() {
        const Answer version = run(in_it("blockloom-cli"), {QStringLiteral("--version")}, bare());
        QVERIFY2(version.status == 0, qPrintable(version.err));
        QVERIFY(version.out.startsWith(QLatin1String("blockloom-cli ")));
        const Answer devices = run(in_it("blockloom-cli"), {QStringLiteral("devices")}, bare());
        QVERIFY2(devices.status == 0, qPrintable(devices.err));
        QVERIFY(devices.out.contains(QLatin1String("cpu ")));
    }

    void it_starts_through_a_link() {
        const QString link = temporary.filePath(QStringLiteral("link"));
        QVERIFY(QFile::link(in_it("blockloom-cli"), link));
        QCOMPARE(run(link, {QStringLiteral("--version")}, bare()).status, 0);
    }
};

QTEST_APPLESS_MAIN(TestBundle)
#include "test_bundle.moc"
