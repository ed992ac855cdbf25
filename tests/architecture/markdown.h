// Headings, sections and links of a page in Markdown, as GitHub reads them: as much of it as docs/
// uses.
#pragma once

#include <QHash>
#include <QList>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace blockloom::test {

/// The part of a page from one heading to the next, whatever its level.
struct Section {
    QString anchor; ///< as links name it; empty: what comes before the first heading
    int line = 1;   ///< of the heading, or 1
    QString text;   ///< the heading and all that follows it; code in fences is left out
};

/// "The (8, 8) prefix" → "the-8-8-prefix".
inline QString anchor_of(QString heading) {
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
    heading.replace(link, QStringLiteral("\\1"));
    QString anchor;
    for (const QChar letter : heading.trimmed().toLower()) {
        if (letter.isLetterOrNumber() || letter == u'-' || letter == u'_') anchor += letter;
        if (letter == u' ') anchor += u'-';
    }
    return anchor;
}

/// Headings with the same text are numbered: "fuel", "fuel-1".
inline QList<Section> sections_of(const QString& page) {
    static const QRegularExpression heading(QStringLiteral("^#{1,6}\\s+(.*)$"));
    QList<Section> sections{Section{}};
    QHash<QString, int> seen;
    bool fenced = false;
    int line = 0;
    for (const QString& words : page.split(u'\n')) {
        ++line;
        if (words.startsWith(QStringLiteral("```"))) {
            fenced = !fenced;
            continue;
        }
        if (fenced) {
            sections.last().text += u'\n'; // lines keep their numbers
            continue;
        }
        if (const auto found = heading.match(words); found.hasMatch()) {
            const QString anchor = anchor_of(found.captured(1));
            const int before = seen[anchor]++;
            sections.append(
                {before == 0 ? anchor : QStringLiteral("%1-%2").arg(anchor).arg(before), line, {}});
        }
        sections.last().text += words + u'\n';
    }
    return sections;
}

inline QStringList anchors_of(const QString& page) {
    QStringList anchors;
    for (const Section& section : sections_of(page))
        if (!section.anchor.isEmpty()) anchors.append(section.anchor);
    return anchors;
}

} // namespace blockloom::test
