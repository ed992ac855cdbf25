// The walls of the house: which room may include which (docs/architecture.md), and that the engine
// knows no Qt.
#include "places.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

// Direct arrows; what a room may include is everything that can be reached from it.
const QMap<QString, QStringList>& arrows() {
    static const QMap<QString, QStringList> map{
        {QStringLiteral("base"), {}},
        {QStringLiteral("profile"), {QStringLiteral("base")}},
        {QStringLiteral("chain"), {QStringLiteral("base")}},
        {QStringLiteral("trace"), {QStringLiteral("chain")}},
        {QStringLiteral("conflict"), {QStringLiteral("trace")}},
        {QStringLiteral("schedule"), {QStringLiteral("conflict")}},
        {QStringLiteral("wasm"), {QStringLiteral("base")}},
        {QStringLiteral("native"), {QStringLiteral("wasm")}},
        {QStringLiteral("state"), {QStringLiteral("base")}},
        {QStringLiteral("alkanes"),
         {QStringLiteral("trace"), QStringLiteral("wasm"), QStringLiteral("native"),
          QStringLiteral("state")}},
        {QStringLiteral("store"), {QStringLiteral("state")}},
        {QStringLiteral("execute"),
         {QStringLiteral("alkanes"), QStringLiteral("store"), QStringLiteral("schedule"),
          QStringLiteral("gpuvm"), QStringLiteral("profile")}},
        {QStringLiteral("recipes"), {QStringLiteral("alkanes"), QStringLiteral("chain")}},
        {QStringLiteral("range"), {QStringLiteral("execute"), QStringLiteral("recipes")}},
        {QStringLiteral("vulkan"), {QStringLiteral("base")}},
        {QStringLiteral("compute"), {QStringLiteral("vulkan")}},
        {QStringLiteral("gpuvm"), {QStringLiteral("compute"), QStringLiteral("wasm")}},
        {QStringLiteral("scene"), {QStringLiteral("schedule"), QStringLiteral("vulkan")}},
        {QStringLiteral("runs"),
         {QStringLiteral("execute"), QStringLiteral("store"), QStringLiteral("profile"),
          QStringLiteral("range")}},
        {QStringLiteral("report"), {QStringLiteral("runs"), QStringLiteral("scene")}},
    };
    return map;
}

QSet<QString> reachable(const QString& room) {
    QSet<QString> seen{room};
    QStringList open{room};
    while (!open.isEmpty()) {
        for (const QString& next : arrows().value(open.takeLast())) {
            if (seen.contains(next)) continue;
            seen.insert(next);
            open.append(next);
        }
    }
    return seen;
}

/// What a file includes with quotes: "room/file.h".
QStringList includes(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("^\\s*#\\s*include\\s*\"([^\"]+)\""),
                                            QRegularExpression::MultilineOption);
    QStringList found;
    for (auto it = pattern.globalMatch(text); it.hasNext();) found.append(it.next().captured(1));
    return found;
}

/// Why a file of `room` breaks a wall; empty: it does not.
QStringList broken_walls(const QString& room, const QString& text) {
    QStringList broken;
    const QSet<QString> allowed = reachable(room);
    for (const QString& include : includes(text)) {
        const QString other = include.section(QLatin1Char('/'), 0, 0);
        if (include.contains(QLatin1Char('/')) && !allowed.contains(other))
            broken.append(QStringLiteral("includes ") + include);
    }
    static const QRegularExpression qt(QStringLiteral("#\\s*include\\s*<Q[A-Z]|\\bQ_OBJECT\\b"));
    if (text.contains(qt)) broken.append(QStringLiteral("knows Qt"));
    return broken;
}

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList sources(const QString& folder) {
    QStringList found;
    QDirIterator it(folder, {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) found.append(it.next());
    return found;
}

} // namespace

class TestArrows : public QObject {
    Q_OBJECT

    const QString root = QStringLiteral(BLOCKLOOM_SOURCE_DIR);

private Q_SLOTS:
    void every_room_is_known() {
        const QDir engine(root + QStringLiteral("/engine"));
        for (const QString& room : engine.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QVERIFY2(arrows().contains(room),
                     qPrintable(room + QStringLiteral(": no arrows are written down for it")));
    }

    void rooms_keep_their_walls_data() {
        QTest::addColumn<QString>("room");
        for (const QString& room : arrows().keys()) QTest::newRow(qPrintable(room)) << room;
    }

    void rooms_keep_their_walls() {
        QFETCH(QString, room);
        const QStringList files = sources(root + QStringLiteral("/engine/") + room);
        QVERIFY2(!files.isEmpty(), "a room without files");
        QStringList broken;
        for (const QString& file : files)
            for (const QString& why : broken_walls(room, read(file)))
                broken.append(file + QStringLiteral(" ") + why);
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
    }

    void a_broken_wall_is_seen() {
        const QString text =
            QStringLiteral("#include \"schedule/schedules.h\"\n#include <QString>\n");
        QCOMPARE(broken_walls(QStringLiteral("trace"), text).size(), 2);
        QCOMPARE(broken_walls(QStringLiteral("range"), text).size(), 1);
    }

    void files_stay_small() {
        QStringList large;
        for (const char* part : {"/app", "/engine", "/ui", "/tests", "/shaders"})
            for (const QString& file : sources(root + QLatin1String(part)))
                if (read(file).count(QLatin1Char('\n')) > 700) large.append(file);
        QVERIFY2(large.isEmpty(), qPrintable(large.join(QLatin1Char('\n'))));
    }

    void names_say_what_they_are() {
        static const QRegularExpression vague(QStringLiteral("(util|helper|manager|misc)"),
                                              QRegularExpression::CaseInsensitiveOption);
        for (const char* part : {"/app", "/engine", "/ui", "/tests"})
            for (const QString& file : sources(root + QLatin1String(part)))
                QVERIFY2(!file.mid(root.size()).contains(vague), qPrintable(file));
    }
};

QTEST_APPLESS_MAIN(TestArrows)
#include "test_arrows.moc"
