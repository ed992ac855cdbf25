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

/// Shows a sentence that quotes others in a label with word wrap, so that no name sets the size of
/// a panel: a word wider than `widest_word` breaks anywhere, and a sentence of more than
/// `longest_sentence` characters or `most_lines` lines loses its middle, or its end. What was
/// changed is whole in the tool tip; what is copied has no breaks.
void show_sentence(QLabel& label, const QString& sentence);
inline constexpr int widest_word = 200; ///< logical pixels
inline constexpr int longest_sentence = 800, most_lines = 12;

/// Plain text for a menu, a button or a tab, where a single & marks the key of the letter behind
/// it.
[[nodiscard]] QString literal_title(QString text);

} // namespace blockloom::ui
