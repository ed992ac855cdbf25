#include "docks/inspector/inspector_page.h"

#include "look/theme_style.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

/// A readable part of a name of any length: Qt's time to lay out a word grows with the square of
/// its length. Copying gives the whole name.
QString readable(const std::string& text) {
    return shortened(to_qt(text), 400, 100);
}

QString linked(const QString& shown, const char* kind, std::uint32_t id) {
    return QStringLiteral("<a href=\"%1:%2\">%3</a>")
        .arg(QLatin1StringView(kind))
        .arg(id)
        .arg(shown);
}

/// Numbers are never shortened.
bool is_number(const QString& word) {
    constexpr qsizetype longest = 36; // a hash of digits only is no number
    return word.size() <= longest && std::all_of(word.begin(), word.end(), [](QChar c) {
               return c.isDigit() || c == QLatin1Char(',');
           });
}

/// Long hashes and keys keep both ends; copying gives all of them.
QString with_short_words(const std::string& text, qsizetype longest) {
    QStringList words = to_qt(text).split(QLatin1Char(' '));
    for (QString& word : words) {
        if (word.size() <= longest || is_number(word)) continue;
        // A key's kind is left out, but not the parenthesis before it.
        const QString before = word.startsWith(QLatin1Char('(')) ? QStringLiteral("(") : QString();
        word = before + (word.contains(QLatin1Char(':')) ? short_key(word)
                                                         : shortened(word.mid(before.size())));
    }
    return shortened(words.join(QLatin1Char(' ')), 1600, 400).toHtmlEscaped();
}

/// A word that does not fit in the dock would push what is beside it out of sight.
constexpr qsizetype longest_mono_word = 24, longest_word = 40;

QString fitted(const range::DetailRow& row) {
    return with_short_words(row.value, row.mono ? longest_mono_word : longest_word);
}

/// A line that breaks begins with the dot.
QString joined(const std::string& note) {
    return readable(note).toHtmlEscaped().replace(QString::fromUtf8(" · "),
                                                  QString::fromUtf8(" ·\u00A0"));
}

/// A sign before the word, so that colour is not the only cue.
QString toned(const QString& value, range::Tone tone) {
    switch (tone) {
    case range::Tone::ok:
        return QStringLiteral("<span class=\"ok\">\u2713 %1</span>").arg(value);
    case range::Tone::warning:
        return QStringLiteral("<span class=\"warning\">\u25B2 %1</span>").arg(value);
    case range::Tone::plain:
        break;
    }
    return value;
}

QString row_html(const range::DetailRow& row) {
    QString label = with_short_words(row.label, longest_mono_word);
    QString value = toned(fitted(row), row.tone);
    // A row that leads to a task and is labelled by it links the label, else the value.
    if (row.task && label.startsWith(QLatin1Char('#')))
        label = linked(label, "task", *row.task);
    else if (row.task)
        value = linked(value, "task", *row.task);
    if (row.key && !row.task) value = linked(value, "key", *row.key);
    // Values of all sections line up, except where the labels are only numbers or letters.
    const bool narrow = row.label.size() <= 4 || row.label.front() == '#';
    return QStringLiteral("<tr><td class=\"label\"%1>%2</td><td class=\"%3\">%4</td></tr>")
        .arg(narrow ? QString() : QStringLiteral(" width=\"100\""), label,
             row.mono ? QStringLiteral("mono") : QStringLiteral("value"), value);
}

} // namespace

QString inspector_html(const range::TaskDetails& details, const scene::Theme& theme) {
    QString html = with_roles(
        QStringLiteral("<style>"
                       "body { color: @text; }"
                       "p, table { margin: 0; }"
                       ".title { font-size: 16px; font-weight: 500; }"
                       ".hash { color: @text2; font-family: '%1'; font-size: 11px; }"
                       ".head { color: @text2; font-weight: 500; }"
                       ".note { color: @text2; }"
                       ".label { color: @text2; padding-right: 14px; white-space: nowrap; }"
                       ".value { color: @text; }"
                       ".mono { color: @text; font-family: '%1'; font-size: 11px; }"
                       ".sentence { color: @text; }"
                       ".ok { color: @ok; }"
                       ".warning { color: @warning; }"
                       "a { color: @accent; text-decoration: none; }"
                       "hr { background-color: @line; }"
                       "</style>")
            .arg(mono_font().family()),
        theme);
    html +=
        QStringLiteral("<p class=\"title\">%1</p>").arg(readable(details.title).toHtmlEscaped());
    if (!details.hash.empty())
        html += QStringLiteral("<p class=\"hash\">%1</p>")
                    .arg(shortened(to_qt(details.hash), 20, 16).toHtmlEscaped());
    quint32 number = 0;
    for (const range::DetailSection& section : details.sections) {
        html += QStringLiteral("<hr>");
        if (!section.title.empty())
            html += QStringLiteral("<table width=\"100%\"><tr><td class=\"head\">%1</td>"
                                   "<td class=\"note\" align=\"right\">%2</td></tr></table>")
                        .arg(readable(section.title).toHtmlEscaped(), joined(section.note));
        if (!section.rows.empty()) {
            html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">");
            for (const range::DetailRow& row : section.rows) html += row_html(row);
            html += QStringLiteral("</table>");
        }
        if (!section.sentence.empty())
            html += QStringLiteral("<p class=\"sentence\">%1</p>")
                        .arg(readable(section.sentence).toHtmlEscaped());
        if (!section.command.empty())
            html += QStringLiteral("<p>%1</p>")
                        .arg(linked(readable(section.command).toHtmlEscaped(), "do", number));
        ++number;
    }
    return html;
}

QString inspector_text(const range::TaskDetails& details) {
    QStringList lines{to_qt(details.title)};
    if (!details.hash.empty()) lines.append(to_qt(details.hash));
    for (const range::DetailSection& section : details.sections) {
        lines.append(QString());
        if (!section.title.empty())
            lines.append(section.note.empty() ? to_qt(section.title)
                                              : QStringLiteral("%1 (%2)").arg(to_qt(section.title),
                                                                              to_qt(section.note)));
        for (const range::DetailRow& row : section.rows)
            lines.append(to_qt(row.label) + QLatin1Char('\t') + to_qt(row.value));
        if (!section.sentence.empty()) lines.append(to_qt(section.sentence));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

InspectorLink parsed_link(const QUrl& url) {
    bool good = false;
    const quint32 id = url.path().toUInt(&good);
    if (!good) return {};
    if (url.scheme() == QLatin1StringView("task")) return {id, std::nullopt, std::nullopt};
    if (url.scheme() == QLatin1StringView("key")) return {std::nullopt, id, std::nullopt};
    if (url.scheme() == QLatin1StringView("do")) return {std::nullopt, std::nullopt, id};
    return {};
}

} // namespace blockloom::ui
