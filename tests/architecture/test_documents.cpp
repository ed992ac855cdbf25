// References to documents and files: each page, heading and file that a comment, a text of the
// program or a page names is there.
//
// One form everywhere: docs/PAGE.md or docs/PAGE.md#heading in code, links in pages.
#include "architecture/markdown.h"
#include "places.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace blockloom::test;

namespace {

/// The files of the tree by their path from its root, and the headings of its pages.
struct Tree {
    QSet<QString> files, folders;
    QHash<QString, QSet<QString>> anchors; ///< of each page

    void add(const QString& path, const QString& page = {}) {
        files.insert(path);
        for (QString at = path; at.contains(u'/');) {
            at = at.section(u'/', 0, -2);
            folders.insert(at);
        }
        if (path.endsWith(QStringLiteral(".md"))) {
            const QStringList found = anchors_of(page);
            anchors[path] = {found.begin(), found.end()};
        }
    }

    /// A file, a folder, or names with * and {h,cpp} of which at least one is there.
    [[nodiscard]] bool has(QString path) const {
        if (path.endsWith(u'/')) path.chop(1);
        if (files.contains(path) || folders.contains(path)) return true;
        if (!path.contains(u'*') && !path.contains(u'{')) return false;
        QString pattern = QRegularExpression::escape(path);
        pattern.replace(QStringLiteral("\\*"), QStringLiteral("[^/]*"));
        static const QRegularExpression choice(QStringLiteral("\\\\\\{([^}]*)\\\\\\}"));
        for (auto found = choice.match(pattern); found.hasMatch(); found = choice.match(pattern))
            pattern.replace(found.capturedStart(), found.capturedLength(),
                            QStringLiteral("(?:%1)").arg(found.captured(1).replace(
                                QStringLiteral("\\,"), QStringLiteral("|"))));
        const QRegularExpression name(QRegularExpression::anchoredPattern(pattern));
        return std::any_of(files.begin(), files.end(),
                           [&name](const QString& file) { return name.match(file).hasMatch(); });
    }
};

/// A reference that leads nowhere: "PLACE:LINE: REFERENCE".
void complain(QStringList& broken, const QString& place, int line, const QString& reference) {
    broken.append(QStringLiteral("%1:%2: %3").arg(place).arg(line).arg(reference));
}

/// "docs/NAME.cpp" stands for any name.
bool is_placeholder(const QString& path) {
    static const QRegularExpression capitals(QStringLiteral("(?<![A-Za-z])[A-Z]{3,}(?![a-z])"));
    return capitals.match(path.section(u'.', 0, 0)).hasMatch();
}

/// Paths from the root of the tree, and pages wherever they are said to be.
void check_paths(const Tree& tree, const QString& place, int line, const QString& text,
                 QStringList& broken) {
    static const QRegularExpression path(QStringLiteral(
        "(?<![\\w/.$}>~-])(?:app|cmake|docs|engine|packaging|resources|shaders|tests|"
        "ui)/[\\w./*{},-]*[\\w*}/]"));
    static const QRegularExpression page(
        QStringLiteral("(?<![\\w/.$}>~*-])([\\w./-]*[\\w-]\\.md)(?:#([\\w-]*))?\\b"));
    for (auto at = path.globalMatch(text); at.hasNext();) {
        const QString found = at.next().captured();
        if (!found.endsWith(QStringLiteral(".md")) && !is_placeholder(found) && !tree.has(found))
            complain(broken, place, line, found);
    }
    for (auto at = page.globalMatch(text); at.hasNext();) {
        const auto found = at.next();
        if (is_placeholder(found.captured(1))) continue;
        // In pages, as links are: from their own folder.
        QString file = found.captured(1);
        if (!tree.files.contains(file))
            file = QDir::cleanPath(place.section(u'/', 0, -2) + u'/' + file);
        const bool inside_pages = place.endsWith(QStringLiteral(".md"));
        if (!tree.anchors.contains(file) || (!inside_pages && file != found.captured(1)))
            complain(broken, place, line, found.captured());
        else if (!found.captured(2).isEmpty() && !tree.anchors[file].contains(found.captured(2)))
            complain(broken, place, line, found.captured());
    }
}

QStringList broken_in_page(const Tree& tree, const QString& place, const QString& text) {
    static const QRegularExpression link(QStringLiteral("\\]\\(([^()\\s]+)\\)"));
    QStringList broken;
    for (const Section& section : sections_of(text)) {
        int line = section.line;
        for (QString words : section.text.split(u'\n')) {
            for (auto at = link.globalMatch(words); at.hasNext();) {
                const QString target = at.next().captured(1);
                if (target.contains(QStringLiteral("://"))) continue;
                const QString name = target.section(u'#', 0, 0), anchor = target.section(u'#', 1);
                const QString folder = place.section(u'/', 0, -2);
                const QString file =
                    name.isEmpty()
                        ? place
                        : QDir::cleanPath(folder.isEmpty() ? name : folder + u'/' + name);
                if (!tree.has(file) ||
                    (target.contains(u'#') && !tree.anchors[file].contains(anchor)))
                    complain(broken, place, line, target);
            }
            words.replace(link, QStringLiteral("]"));
            check_paths(tree, place, line, words, broken);
            ++line;
        }
    }
    return broken;
}

/// The comments of a line, for languages with // and /* */; `inside`: of a comment of several
/// lines.
QString comment_of(const QString& line, bool& inside) {
    QString said;
    QChar quote;
    for (int i = 0; i < line.size(); ++i) {
        const QStringView two = QStringView(line).mid(i, 2);
        if (inside) {
            if (two == QStringLiteral("*/")) {
                inside = false;
                ++i;
            } else {
                said += line[i];
            }
        } else if (!quote.isNull()) {
            if (line[i] == u'\\')
                ++i;
            else if (line[i] == quote)
                quote = QChar();
        } else if (two == QStringLiteral("//")) {
            return said + line.mid(i + 2);
        } else if (two == QStringLiteral("/*")) {
            inside = true;
            ++i;
        } else if (line[i] == u'"') {
            quote = line[i];
        }
    }
    return said;
}

/// Of scripts and CMake: what follows a #.
QString script_comment_of(const QString& line) {
    static const QRegularExpression comment(QStringLiteral("(?:^|\\s)#\\s(.*)$"));
    return comment.match(line).captured(1);
}

/// Comments name what is there; so does every docs/PAGE.md in a text of the program.
QStringList broken_in_source(const Tree& tree, const QString& place, const QString& text) {
    static const QRegularExpression document(
        QStringLiteral("(?<![\\w/.])docs/[\\w-]+\\.md(#[\\w-]+)?"));
    static const QRegularExpression with_slashes(
        QStringLiteral("\\.(h|cpp|c|glsl|comp|vert|frag)$"));
    const bool slashes = with_slashes.match(place).hasMatch();
    QStringList broken;
    bool inside = false;
    int line = 0;
    for (const QString& words : text.split(u'\n')) {
        ++line;
        const QString comment = slashes ? comment_of(words, inside) : script_comment_of(words);
        check_paths(tree, place, line, comment, broken);
        QString rest = words;
        if (!comment.isEmpty()) rest.remove(comment);
        for (auto at = document.globalMatch(rest); at.hasNext();)
            check_paths(tree, place, line, at.next().captured(), broken);
    }
    return broken;
}

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

bool is_page(const QString& path) {
    return path.endsWith(QStringLiteral(".md"));
}

/// What can hold references: no data, no pictures.
bool is_text(const QString& path) {
    static const QRegularExpression kinds(QStringLiteral(
        "(\\.(h|cpp|c|glsl|comp|vert|frag|cmake|sh|qss|in)|CMakeLists\\.txt|(^|/)[a-z-]+)$"));
    return is_page(path) || kinds.match(path).hasMatch();
}

} // namespace

class TestDocuments : public QObject {
    Q_OBJECT

    const QString root_ = QStringLiteral(BLOCKLOOM_SOURCE_DIR "/");
    Tree tree_;

private Q_SLOTS:
    void initTestCase() {
        const QDir top(root_);
        for (const QString& name : top.entryList(QDir::Files | QDir::Hidden))
            tree_.add(name, is_page(name) ? read(root_ + name) : QString());
        for (const char* folder : {"app", "cmake", "docs", "engine", "packaging", "resources",
                                   "shaders", "tests", "ui"}) {
            QDirIterator at(root_ + QLatin1String(folder), QDir::Files,
                            QDirIterator::Subdirectories);
            while (at.hasNext()) {
                const QString path = top.relativeFilePath(at.next());
                tree_.add(path, is_page(path) ? read(root_ + path) : QString());
            }
        }
        QVERIFY(tree_.anchors.contains(QStringLiteral("docs/architecture.md")));
    }

    void every_reference_leads_somewhere() {
        QStringList broken;
        int pages = 0, sources = 0;
        // Its examples of broken references.
        const QString own = QStringLiteral("tests/architecture/test_documents.cpp");
        for (const QString& path : tree_.files) {
            if (!is_text(path) || path == own) continue;
            const QString text = read(root_ + path);
            broken += is_page(path) ? broken_in_page(tree_, path, text)
                                    : broken_in_source(tree_, path, text);
            ++(is_page(path) ? pages : sources);
        }
        broken.sort();
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(u'\n')));
        QVERIFY2(pages >= 15 && sources >= 800,
                 qPrintable(QStringLiteral("%1 pages, %2 sources").arg(pages).arg(sources)));
    }

    void every_page_is_linked_from_the_readme() {
        const QString readme = read(root_ + QStringLiteral("README.md"));
        for (const QString& path : tree_.anchors.keys())
            if (path.startsWith(QStringLiteral("docs/")))
                QVERIFY2(readme.contains(QStringLiteral("](%1)").arg(path)), qPrintable(path));
    }

    /// docs/make-rooms draws it from the build.
    void the_picture_of_the_rooms_has_every_room() {
        const QString picture = read(root_ + QStringLiteral("docs/pictures/rooms.svg"));
        const QDir engine(root_ + QStringLiteral("engine"));
        for (const QString& room : engine.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QVERIFY2(picture.contains(QStringLiteral("<title>%1</title>").arg(room)),
                     qPrintable(room + QStringLiteral(": run docs/make-rooms")));
    }

    void a_reference_that_leads_nowhere_is_found() {
        Tree tree;
        tree.add(QStringLiteral("README.md"), QStringLiteral("# House\n"));
        tree.add(QStringLiteral("docs/words.md"),
                 QStringLiteral("# Words\n## The (8, 8) `prefix`\n## Twice\n## Twice\n"
                                "```\n# no heading\n```\n"));
        tree.add(QStringLiteral("engine/base/clock.h"));
        tree.add(QStringLiteral("engine/base/clock.cpp"));

        const auto in_page = [&tree](const char* text) {
            return broken_in_page(tree, QStringLiteral("docs/words.md"), QString::fromUtf8(text));
        };
        for (const char* good :
             {"[a](#words) [b](words.md#the-8-8-prefix) [c](#twice-1) [d](../README.md#house)",
              "[a](../engine/base/clock.h) [b](https://nowhere.example/x.md#y)",
              "`engine/base/clock.*` engine/base/ words.md engine/NAME/x.h "
              "engine/base/clock.{h,cpp}",
              "```\n[a](gone.md) engine/gone.h\n```\n"})
            QVERIFY2(in_page(good).isEmpty(), qPrintable(in_page(good).join(u' ')));
        for (const char* bad :
             {"[a](gone.md)", "[a](words.md#gone)", "[a](#no-heading)", "[a](#twice-2)",
              "[a](../engine/base/gone.h)", "`engine/base/gone.*`", "engine/gone/",
              "as gone.md says", "engine/base/clock.{h,c}x"})
            QCOMPARE(in_page(bad).size(), 1);
        QCOMPARE(in_page("\n\n[a](gone.md)"),
                 QStringList{QStringLiteral("docs/words.md:3: gone.md")});

        const auto in_code = [&tree](const char* text) {
            return broken_in_source(tree, QStringLiteral("engine/base/clock.h"),
                                    QString::fromUtf8(text));
        };
        for (const char* good :
             {"// docs/words.md#words: so", "int x; /// engine/base/clock.cpp",
              "auto a = \"gone.md\";", "say(\"docs/words.md\");", "auto a = \"// gone.md\";"})
            QVERIFY2(in_code(good).isEmpty(), qPrintable(in_code(good).join(u' ')));
        for (const char* bad :
             {"// words.md", "// docs/words.md#gone", "/* a\n gone.md */", "x; // engine/gone.h",
              "say(\"as docs/gone.md says\");", "// spec/words.md, section 5"})
            QCOMPARE(in_code(bad).size(), 1);
        QCOMPARE(
            broken_in_source(tree, QStringLiteral("run"), QStringLiteral("ls  # docs/gone.md\n"))
                .size(),
            1);
    }
};

QTEST_APPLESS_MAIN(TestDocuments)
#include "test_documents.moc"
