// UTF-8: the only place that checks, reads and writes it; and how untrusted text is shown on a
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

/// Removes and returns the first character of a non-empty text; U+FFFD for a byte that belongs to
/// no well-formed sequence.
[[nodiscard]] char32_t next_character(std::string_view& text) noexcept;

/// The UTF-8 sequence of a Unicode scalar value.
[[nodiscard]] std::string utf8_of(char32_t character);

/// The number of characters in well-formed text.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

/// The text with U+FFFD for every byte that belongs to no well-formed sequence.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// The longest beginning of a text that has at most `most` bytes and does not end within a
/// sequence.
[[nodiscard]] std::string_view utf8_beginning(std::string_view text, std::size_t most) noexcept;

/// Whether one well-formed sequence may control a terminal or change the direction of text: control
/// characters (C0, DEL, C1), separators of lines and paragraphs, bidirectional marks, embeddings,
/// overrides and isolates, tags and other invisible format characters.
[[nodiscard]] bool steers_terminal(std::string_view sequence) noexcept;

/// One line for a terminal: invalid UTF-8 bytes and everything that controls a terminal become
/// U+FFFD, including line feeds and tabs.
[[nodiscard]] std::string printable(std::string_view text);

/// Multi-line program output: characters that control a terminal become an escape (\u009b), which
/// means the same in JSON; invalid UTF-8 bytes become U+FFFD. Line feeds and tabs stay.
[[nodiscard]] std::string printable_document(std::string_view text);

} // namespace blockloom
