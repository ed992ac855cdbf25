#include "look/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFontMetrics>
#include <QLabel>
#include <QScreen>

namespace {

constexpr const char* own_markup = "ownMarkup";

/// A label is polished before it is drawn. Where a layout asks it for a height before, it has made
/// the child that would parse a text that Qt guessed to be HTML: that is seen, too.
class PlainLabels final : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Polish && event->type() != QEvent::ChildAdded) return false;
        auto* label = qobject_cast<QLabel*>(watched);
        if (label == nullptr) return false;
        if (!label->property(own_markup).toBool()) label->setTextFormat(Qt::PlainText);
        // A tool tip grows with its text, beyond what a display can show or even hold.
        if (label->windowType() == Qt::ToolTip && label->screen() != nullptr)
            label->setMaximumSize(label->screen()->availableSize());
        return false;
    }
};

constexpr QChar zero_width_space(0x200B);

/// A path that was selected in a label and copied has to be the path.
void copy_without_breaks() {
    QClipboard* clipboard = QGuiApplication::clipboard();
    QObject::connect(clipboard, &QClipboard::dataChanged, clipboard, [clipboard] {
        const auto* label = qobject_cast<QLabel*>(QApplication::focusWidget());
        QString copied = clipboard->text();
        if (label != nullptr && copied.size() == label->selectedText().size() &&
            copied.contains(zero_width_space))
            clipboard->setText(copied.remove(zero_width_space));
    });
}

/// Whether QLabel may break a line before the character at `at`: after a space, and in a path.
bool breaks_before(const QString& text, qsizetype at) {
    if (at == 0 || text[at - 1].isSpace()) return true;
    const char16_t c = text[at].unicode();
    const bool letter = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
    return text[at - 1] == QLatin1Char('/') && letter; // UAX #14, class SY
}

/// With a break where a word has grown wider than `widest_word`.
QString breakable(const QString& text, const QFontMetrics& metrics) {
    QString broken;
    int width = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text[at];
        if (breaks_before(text, at)) width = 0;
        width += metrics.horizontalAdvance(c);
        if (width > blockloom::ui::widest_word && !c.isLowSurrogate()) {
            broken += zero_width_space;
            width = metrics.horizontalAdvance(c);
        }
        broken += c;
    }
    return broken;
}

void keep_labels_plain() {
    QCoreApplication* app = QCoreApplication::instance();
    app->installEventFilter(new PlainLabels(app));
}

} // namespace

// Installed here, so that no program or test can forget the call.
Q_COREAPP_STARTUP_FUNCTION(keep_labels_plain)

namespace blockloom::ui {

void show_markup(QLabel& label, const QString& html) {
    label.setProperty(own_markup, true);
    label.setTextFormat(Qt::RichText);
    label.setText(html);
}

bool shows_markup(const QLabel& label) {
    return label.property(own_markup).toBool();
}

void show_sentence(QLabel& label, const QString& sentence) {
    constexpr QChar ellipsis(0x2026);
    constexpr int end = longest_sentence / 4;
    static const bool once = (copy_without_breaks(), true);
    (void)once;
    QString shown = sentence.size() <= longest_sentence
                        ? sentence
                        : sentence.left(longest_sentence - end) + ellipsis + sentence.right(end);
    if (shown.count(QLatin1Char('\n')) >= most_lines)
        shown = shown.section(QLatin1Char('\n'), 0, most_lines - 1) + ellipsis;
    shown = breakable(shown, label.fontMetrics());
    label.setText(shown);
    label.setToolTip(shown == sentence ? QString() : sentence);
}

QString literal_help(const QString& text) {
    return QStringLiteral("<p style=\"white-space:pre-wrap\">%1</p>").arg(text.toHtmlEscaped());
}

QString literal_title(QString text) {
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace blockloom::ui
