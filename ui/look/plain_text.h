// Text from outside (names in traces, runs and files) is never markup. Qt guesses: a label whose
// text looks like HTML is drawn as HTML and reads the files that an <img> names.
#pragma once

#include <QString>

class QLabel;

namespace blockloom::ui {

/// Every label of the application shows plain text from the first application object on: those of
/// panels and dialogs, those inside Qt's message boxes, and the tooltip, which is a label, too.
/// This is the only exception: `html` is our own markup, and any outside text in it went through
/// QString::toHtmlEscaped().
void show_markup(QLabel& label, const QString& html);

/// Whether the label was given to show_markup().
[[nodiscard]] bool shows_markup(const QLabel& label);

/// Plain text for QWhatsThis, which guesses as well: markup that shows the text unchanged.
[[nodiscard]] QString literal_help(const QString& text);

/// Shows a sentence with outside text in a word-wrapped label so that no name determines the size
/// of a panel: a word wider than `widest_word` may break anywhere, and a sentence of more than
/// `longest_sentence` characters or `most_lines` lines loses its middle or its end. The tooltip has
/// the full text; copied text has no added breaks.
void show_sentence(QLabel& label, const QString& sentence);
inline constexpr int widest_word = 200; ///< logical pixels
inline constexpr int longest_sentence = 800, most_lines = 12;

/// Plain text for a menu, a button or a tab, where a single & would mark the following letter as a
/// mnemonic.
[[nodiscard]] QString literal_title(QString text);

} // namespace blockloom::ui
