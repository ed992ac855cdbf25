// The walls of the house: which room may include which, that no source files include each other in
// a circle, and that the engine knows no Qt (docs/architecture.md#rooms).
#include "places.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

/// A room: "engine/NAME" or "ui/NAME"; `app` is one.
struct Room {
    const char* name;
    const char* may_include; ///< other rooms, all of them above it in this list
};

// Lowest rooms first. Direct arrows: what is not written here may not be included, however it could
// be reached.
constexpr Room rooms[] = {
    {"engine/base", ""},
    {"engine/profile", "engine/base"},
    {"engine/chain", "engine/base"},
    {"engine/trace", "engine/base engine/chain"},
    {"engine/conflict", "engine/base engine/trace"},
    {"engine/schedule", "engine/base engine/trace engine/conflict"},
    {"engine/wasm", "engine/base"},
    {"engine/native", "engine/base engine/wasm"},
    {"engine/state", "engine/base"},
    {"engine/store", "engine/base engine/state"},
    {"engine/node", "engine/base"},
    {"engine/alkanes",
     "engine/base engine/chain engine/trace engine/wasm engine/native engine/state"},
    {"engine/vulkan", "engine/base"},
    {"engine/compute", "engine/base engine/vulkan"},
    {"engine/gpuvm", "engine/base engine/wasm engine/compute"},
    {"engine/simt", "engine/base engine/wasm engine/native engine/compute engine/gpuvm"},
    {"engine/execute", "engine/base engine/profile engine/chain engine/trace engine/conflict "
                       "engine/wasm engine/state engine/store engine/alkanes engine/compute "
                       "engine/gpuvm engine/simt"},
    {"engine/recipes", "engine/base engine/chain engine/alkanes"},
    {"engine/range", "engine/base engine/chain engine/trace engine/schedule engine/state "
                     "engine/store engine/node engine/alkanes engine/execute engine/recipes"},
    {"engine/runs", "engine/base engine/profile engine/trace engine/conflict engine/schedule "
                    "engine/wasm engine/store "
                    "engine/alkanes engine/compute engine/execute engine/range"},
    {"engine/scene", "engine/base engine/schedule engine/vulkan"},
    {"engine/charts", "engine/base engine/profile engine/scene"},
    {"engine/report", "engine/base engine/profile engine/alkanes engine/range engine/runs "
                      "engine/scene engine/charts"},
    {"ui/text", "engine/base engine/runs"},
    {"ui/look", "engine/scene"},
    {"ui/session", "engine/base engine/profile engine/schedule engine/store engine/alkanes "
                   "engine/compute engine/execute engine/range engine/runs ui/text"},
    {"ui/models", "engine/base engine/profile engine/execute engine/range engine/runs engine/scene "
                  "engine/report ui/text ui/look ui/session"},
    {"ui/canvas", "engine/base engine/range engine/scene ui/text ui/look ui/session"},
    {"ui/charts", "engine/base engine/charts engine/report ui/text ui/look ui/models ui/canvas"},
    {"ui/docks",
     "engine/base engine/profile engine/schedule engine/execute engine/range "
     "engine/runs engine/scene engine/report ui/text ui/look ui/session ui/models ui/canvas "
     "ui/charts"},
    {"ui/window", "engine/base engine/trace engine/store engine/alkanes engine/compute "
                  "engine/recipes engine/range engine/runs engine/report ui/text ui/look "
                  "ui/session ui/models ui/docks"},
    {"app", "engine/base engine/profile engine/chain engine/schedule engine/wasm engine/native "
            "engine/state engine/store engine/alkanes engine/vulkan engine/compute "
            "engine/gpuvm engine/simt "
            "engine/execute engine/recipes engine/range engine/runs engine/scene engine/report "
            "ui/session ui/window"},
};

QString text_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// "FOLDER/NAME/…" → "FOLDER/NAME"; of app's files "app".
QString room_of(const QString& path) {
    if (path.startsWith(QLatin1StringView("app/"))) return QStringLiteral("app");
    return path.section(u'/', 0, 1);
}

/// foo.h and foo.cpp are one unit.
QString unit_of(const QString& path) {
    return path.left(path.lastIndexOf(u'.'));
}

/// Files by their path from the top, and which files of ours each of them includes.
using Includes = QMap<QString, QStringList>;

/// What a file includes with quotes: "room/file.h".
QStringList quoted_includes(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("^\\s*#\\s*include\\s*\"([^\"]+)\""),
                                            QRegularExpression::MultilineOption);
    QStringList found;
    for (auto it = pattern.globalMatch(text); it.hasNext();) found.append(it.next().captured(1));
    return found;
}

/// `is_there` says whether a path from the top is a file.
template <typename IsThere>
QStringList included_files(const QString& file, const QString& text, IsThere&& is_there) {
    QStringList found;
    const QString folder = file.left(file.lastIndexOf(u'/') + 1);
    for (const QString& include : quoted_includes(text))
        for (const QString& place : {QStringLiteral("engine/"), QStringLiteral("ui/"), folder})
            if (is_there(place + include)) {
                found.append(place + include);
                break;
            }
    return found;
}

Includes includes_below(const QString& top, const QStringList& parts) {
    Includes includes;
    for (const QString& part : parts)
        for (QDirIterator it(top + u'/' + part, {QStringLiteral("*.h"), QStringLiteral("*.cpp")},
                             QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();) {
            const QString path = it.next().mid(top.size() + 1);
            includes[path] =
                included_files(path, text_of(top + u'/' + path), [&](const QString& other) {
                    return QFile::exists(top + u'/' + other);
                });
        }
    return includes;
}

/// The first circle of units that a walk along the arrows finds; empty: there is none.
class CircleSearch {
public:
    explicit CircleSearch(const Includes& includes) {
        for (auto it = includes.begin(); it != includes.end(); ++it)
            for (const QString& other : it.value())
                if (unit_of(other) != unit_of(it.key()))
                    arrows_[unit_of(it.key())].insert(unit_of(other));
    }

    QStringList find() {
        const QStringList units = arrows_.keys();
        for (const QString& unit : units)
            if (const QStringList circle = walk(unit); !circle.isEmpty()) return circle;
        return {};
    }

private:
    QStringList walk(const QString& unit) {
        if (done_.contains(unit)) return {};
        if (const qsizetype at = way_.indexOf(unit); at >= 0) return way_.mid(at) << unit;
        way_.append(unit);
        for (const QString& next : arrows_.value(unit))
            if (const QStringList circle = walk(next); !circle.isEmpty()) return circle;
        way_.removeLast();
        done_.insert(unit);
        return {};
    }

    QMap<QString, QSet<QString>> arrows_;
    QSet<QString> done_;
    QStringList way_;
};

QStringList names_of(const char* list) {
    return QString::fromLatin1(list).split(u' ', Qt::SkipEmptyParts);
}

/// Arrows of `includes` that the list of rooms does not have: "FILE includes FILE".
QStringList broken_walls(const Includes& includes) {
    QMap<QString, QStringList> allowed;
    for (const Room& room : rooms)
        allowed[QString::fromLatin1(room.name)] = names_of(room.may_include);
    QStringList broken;
    for (auto it = includes.begin(); it != includes.end(); ++it) {
        const QString from = room_of(it.key());
        for (const QString& other : it.value())
            if (room_of(other) != from && !allowed.value(from).contains(room_of(other)))
                broken.append(it.key() + QStringLiteral(" includes ") + other);
    }
    return broken;
}

bool knows_qt(const QString& text) {
    static const QRegularExpression qt(QStringLiteral("#\\s*include\\s*<Q[A-Z]|\\bQ_OBJECT\\b"));
    return text.contains(qt);
}

} // namespace

class TestArrows : public QObject {
    Q_OBJECT

    const QString root_ = QStringLiteral(BLOCKLOOM_SOURCE_DIR);
    Includes includes_;

private Q_SLOTS:
    void initTestCase() {
        includes_ = includes_below(
            root_, {QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app")});
        QVERIFY(includes_.size() > 100);
    }

    void every_room_is_listed() {
        QSet<QString> listed, found;
        for (const Room& room : rooms) listed.insert(QString::fromLatin1(room.name));
        for (const QString& file : includes_.keys()) found.insert(room_of(file));
        QCOMPARE(QStringList((found - listed).values()), QStringList());
        QCOMPARE(QStringList((listed - found).values()), QStringList());
    }

    void arrows_point_down() {
        QSet<QString> below;
        for (const Room& room : rooms) {
            for (const QString& other : names_of(room.may_include))
                QVERIFY2(below.contains(other), qPrintable(QString::fromLatin1(room.name) +
                                                           QStringLiteral(" → ") + other));
            below.insert(QString::fromLatin1(room.name));
        }
    }

    void rooms_keep_their_walls() {
        const QStringList broken = broken_walls(includes_);
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(u'\n')));
    }

    /// An arrow that nobody needs any more is taken off the list.
    void every_arrow_is_used() {
        QSet<QString> used;
        for (auto it = includes_.begin(); it != includes_.end(); ++it)
            for (const QString& other : it.value())
                used.insert(room_of(it.key()) + QStringLiteral(" → ") + room_of(other));
        QStringList unused;
        for (const Room& room : rooms)
            for (const QString& other : names_of(room.may_include)) {
                const QString arrow =
                    QString::fromLatin1(room.name) + QStringLiteral(" → ") + other;
                if (!used.contains(arrow)) unused.append(arrow);
            }
        QVERIFY2(unused.isEmpty(), qPrintable(unused.join(u'\n')));
    }

    void no_circles() {
        const QStringList circle = CircleSearch(includes_).find();
        QVERIFY2(circle.isEmpty(), qPrintable(circle.join(QStringLiteral(" → "))));
    }

    void the_engine_knows_no_qt() {
        QStringList broken;
        for (const QString& file : includes_.keys())
            if (file.startsWith(QLatin1StringView("engine/")) &&
                knows_qt(text_of(root_ + u'/' + file)))
                broken.append(file);
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(u'\n')));
    }

    /// Charts are Qt Charts with items on their scene (ui/charts), dense views are scenes
    /// (ui/canvas). Elsewhere a painter is for cells of tables, marks and edges.
    void panels_paint_no_charts() {
        const QStringList cells_and_marks{QStringLiteral("ui/docks/compare/pair_cell"),
                                          QStringLiteral("ui/docks/compare/run_card"),
                                          QStringLiteral("ui/docks/parts/status_badge"),
                                          QStringLiteral("ui/docks/timeline/timeline_canvas"),
                                          QStringLiteral("ui/window/command_palette"),
                                          QStringLiteral("ui/window/main_window"),
                                          QStringLiteral("ui/window/recent_cell"),
                                          QStringLiteral("ui/window/screenshot"),
                                          QStringLiteral("ui/window/status_row")};
        QStringList painters;
        bool charts = false;
        for (const QString& file : includes_.keys()) {
            const QString text = text_of(root_ + u'/' + file);
            if (file.startsWith(QLatin1StringView("ui/charts/")))
                charts = charts || text.contains(QLatin1StringView("#include <QChart>"));
            const bool panel = file.startsWith(QLatin1StringView("ui/docks/")) ||
                               file.startsWith(QLatin1StringView("ui/window/")) ||
                               file.startsWith(QLatin1StringView("ui/models/")) ||
                               file.startsWith(QLatin1StringView("ui/session/"));
            if (panel && text.contains(QLatin1StringView("QPainter ")) &&
                !cells_and_marks.contains(file.section(u'.', 0, 0)))
                painters.append(file);
        }
        QVERIFY(charts);
        QVERIFY2(painters.isEmpty(), qPrintable(painters.join(u'\n')));
    }

    void broken_walls_are_seen() {
        const QSet<QString> files{QStringLiteral("engine/schedule/a.h"),
                                  QStringLiteral("engine/trace/b.h"), QStringLiteral("ui/look/c.h"),
                                  QStringLiteral("ui/docks/d.h")};
        const auto broken = [&](const char* file, const char* text) {
            const QString path = QString::fromLatin1(file);
            const QStringList found =
                included_files(path, QString::fromLatin1(text),
                               [&](const QString& other) { return files.contains(other); });
            return broken_walls({{path, found}}).size();
        };
        QCOMPARE(broken("engine/trace/x.cpp", "#include \"schedule/a.h\"\n"), 1);
        QCOMPARE(broken("engine/trace/x.cpp", " # include \"trace/b.h\"\n#include <vector>\n"), 0);
        // Reached by way of others is not enough.
        QCOMPARE(broken("engine/report/x.cpp", "#include \"trace/b.h\"\n"), 1);
        QCOMPARE(broken("ui/look/x.cpp", "#include \"docks/d.h\"\n"), 1);
        QCOMPARE(broken("ui/docks/x.cpp", "#include \"look/c.h\"\n"), 0);
        QVERIFY(knows_qt(QStringLiteral("#include <QString>")));
        QVERIFY(!knows_qt(QStringLiteral("#include <queue>")));
    }

    /// What a panel shows the session hands to it: no panel opens a workspace, by the store's own
    /// headers or by those of other rooms that name what lies in one.
    void no_dock_opens_a_workspace() {
        static const QRegularExpression store(
            QStringLiteral("\\bstore::|namespace blockloom::store\\b"));
        QStringList broken;
        std::size_t docks = 0;
        for (auto it = includes_.begin(); it != includes_.end(); ++it) {
            if (room_of(it.key()) != QLatin1StringView("ui/docks")) continue;
            ++docks;
            for (const QString& other : it.value())
                if (text_of(root_ + u'/' + other).contains(store))
                    broken.append(it.key() + QStringLiteral(" includes ") + other);
        }
        QVERIFY(docks > 50);
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(u'\n')));
        QVERIFY(text_of(root_ + QStringLiteral("/engine/runs/kept_runs.h")).contains(store));
        QVERIFY(text_of(root_ + QStringLiteral("/engine/store/kept_folders.h")).contains(store));
    }

    void circles_are_seen() {
        Includes includes{
            {QStringLiteral("a/x.cpp"), {QStringLiteral("a/x.h"), QStringLiteral("a/y.h")}},
            {QStringLiteral("a/y.h"), {QStringLiteral("a/z.h")}},
            {QStringLiteral("a/z.h"), {}}};
        QVERIFY(CircleSearch(includes).find().isEmpty());
        includes[QStringLiteral("a/z.cpp")] = {QStringLiteral("a/z.h"), QStringLiteral("a/x.h")};
        QCOMPARE(CircleSearch(includes).find().size(), 4);
    }

    void names_say_what_they_are() {
        static const QRegularExpression vague(QStringLiteral("(util|helper|manager|misc)"),
                                              QRegularExpression::CaseInsensitiveOption);
        for (const QString& file : includes_.keys())
            QVERIFY2(!file.contains(vague), qPrintable(file));
    }
};

QTEST_APPLESS_MAIN(TestArrows)
#include "test_arrows.moc"
