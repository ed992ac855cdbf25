// UTF-8: the one place that checks, reads and writes it; and how text of others is shown on a
// terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace blockloom {

/// Bytes of the well-formed UTF-8 sequence at the front, 0 if there is none (Unicode 15, table
/// 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] std::size_t utf8_sequence(std::string_view text) noexcept;

/// Whether all of it is well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// Takes the next character off a text that is not empty; U+FFFD for a byte that belongs to no
/// well-formed sequence.
[[nodiscard]] char32_t next_character(std::string_view& text) noexcept;

/// The sequence of a Unicode scalar value.
[[nodiscard]] std::string utf8_of(char32_t character);

/// How many characters well-formed text has.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

/// The text with U+FFFD for every byte that belongs to no well-formed sequence.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// The beginning of a text in at most `most` bytes that does not end within a sequence.
[[nodiscard]] std::string_view utf8_beginning(std::string_view text, std::size_t most) noexcept;

/// What may steer a terminal or turn the direction of text, given one well-formed sequence: control
/// characters (C0, DEL, C1), separators of lines and paragraphs, bidirectional marks, embeddings,
/// overrides and isolates, tags and other invisible format characters.
[[nodiscard]] bool steers_terminal(std::string_view sequence) noexcept;

/// One line for a terminal: bytes that are no UTF-8 and everything that steers a terminal become
/// U+FFFD, line feeds and tabs too.
[[nodiscard]] std::string printable(std::string_view text);

/// Whatever a program prints, of several lines: what steers a terminal becomes an escape (\u009b),
/// which means the same where the text is JSON; bytes that are no UTF-8 become U+FFFD. Ends of
/// lines and tabs stay.
[[nodiscard]] std::string printable_document(std::string_view text);

} // namespace blockloom
