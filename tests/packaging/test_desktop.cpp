// What a desktop reads of the program: entry, AppStream data and file types name the same things.
#include "places.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

namespace {

const QString folder = QStringLiteral(BLOCKLOOM_SOURCE_DIR "/packaging/desktop/");

QString entry(const char* key) {
    QFile file(folder + QStringLiteral("blockloom.desktop"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QRegularExpression line(QStringLiteral("^%1=(.*)$").arg(QLatin1String(key)),
                                  QRegularExpression::MultilineOption);
    return line.match(QString::fromUtf8(file.readAll())).captured(1);
}

struct Element {
    QString name, text;
    QXmlStreamAttributes attributes;
};

/// All elements of a document; none where it is not well-formed.
QList<Element> elements(const char* name) {
    QFile file(folder + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&file);
    QList<Element> found;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement())
            found.append({xml.name().toString(), {}, xml.attributes()});
        else if (xml.isCharacters() && !found.isEmpty())
            found.last().text += xml.text().toString().simplified();
    }
    return xml.hasError() ? QList<Element>() : found;
}

QStringList texts(const QList<Element>& of, const char* tag, const char* attribute = nullptr) {
    QStringList found;
    for (const Element& element : of)
        if (element.name == QLatin1String(tag))
            found.append(attribute == nullptr
                             ? element.text
                             : element.attributes.value(QLatin1String(attribute)).toString());
    return found;
}

} // namespace

class TestDesktop : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_entry_starts_the_program() {
        QCOMPARE(entry("Exec"), QStringLiteral("blockloom %F"));
        QCOMPARE(entry("Type"), QStringLiteral("Application"));
        QCOMPARE(entry("Terminal"), QStringLiteral("false"));
        QVERIFY(QFile::exists(folder + entry("Icon") + QStringLiteral(".svg")));
        for (const char* list : {"Categories", "Keywords", "MimeType"})
            QVERIFY2(entry(list).endsWith(u';'), list);
    }

    void every_type_is_defined() {
        const auto types = elements("blockloom-mime.xml");
        const auto data = elements("blockloom.metainfo.xml");
        QVERIFY(!types.isEmpty() && !data.isEmpty());
        const QStringList defined = texts(types, "mime-type", "type");
        QStringList taken = entry("MimeType").split(u';', Qt::SkipEmptyParts);
        taken.removeOne(QStringLiteral("inode/directory"));
        for (const QString& type : taken) QVERIFY2(defined.contains(type), qPrintable(type));
        QCOMPARE(texts(data, "mediatype"), taken);
        QVERIFY(texts(types, "glob", "pattern").contains(QStringLiteral("*.bloomtrace")));
        QCOMPARE(texts(data, "launchable"), QStringList{QStringLiteral("blockloom.desktop")});
        QCOMPARE(texts(data, "name").constFirst(), entry("Name"));
        QCOMPARE(texts(data, "project_license").constFirst(), QStringLiteral("GPL-3.0-or-later"));
    }
};

QTEST_GUILESS_MAIN(TestDesktop)
#include "test_desktop.moc"
