// Text of others (names in traces, runs and files) is never markup. Qt guesses: a label whose text
// looks like HTML is drawn as HTML, and reads the files that an <img> names.
#pragma once

#include <QString>

class QLabel;

namespace blockloom::ui {

/// Every label of the application shows plain text, from the first application object on: those of
/// panels and dialogs, those inside Qt's message boxes, and the tool tip, which is a label too.
/// This is the one exception: `html` is our own markup, and whatever it says of others went through
/// QString::toHtmlEscaped().
void show_markup(QLabel& label, const QString& html);

/// Whether the label was given to show_markup().
[[nodiscard]] bool shows_markup(const QLabel& label);

/// Plain text for QWhatsThis, which guesses by itself: markup that shows the text as it stands.
[[nodiscard]] QString literal_help(const QString& text);

/// Plain text for a menu, a button or a tab, where a single & marks the key of the letter behind
/// it.
[[nodiscard]] QString literal_title(QString text);

} // namespace blockloom::ui
