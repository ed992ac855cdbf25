// The bytes of a kept document: named sections, each with a checksum, so that a summary can be read
// without the rest and damage is detected. docs/state.md, "Kept runs", describes the layout.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::store {

/// A part of a document. The bytes are owned by the caller.
struct Section {
    std::string_view name, content;
};

/// The position of a section in its file.
struct SectionPlace {
    std::string name;
    std::uint64_t offset = 0, size = 0;
    std::uint64_t checksum = 0; ///< XXH3, 64 bits
};

/// The number of bytes at the start of a file that determine the size of the heading.
inline constexpr std::size_t heading_start = 20;
/// A file with more sections or longer names is not one of our documents.
inline constexpr std::size_t most_sections = std::size_t{1} << 20, longest_section_name = 1024;

/// The whole file.
[[nodiscard]] std::string document_bytes(std::span<const Section> sections);

/// Size of the heading, from a file's first `heading_start` bytes. Bad input if they are not those
/// of a document, or if the document was truncated. `place` names the file.
[[nodiscard]] Result<std::uint64_t> heading_size(std::string_view start, std::uint64_t file_size,
                                                 std::string_view place);

/// The sections listed in the heading, which has heading_size() bytes; all of them are within
/// `file_size`.
[[nodiscard]] Result<std::vector<SectionPlace>>
read_heading(std::string_view heading, std::uint64_t file_size, std::string_view place);

/// Bad input unless these are the bytes that were written.
Status check_section(const SectionPlace& section, std::string_view content, std::string_view place);

} // namespace blockloom::store
