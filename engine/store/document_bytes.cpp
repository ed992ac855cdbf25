#include "store/document_bytes.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace blockloom::store {
namespace {

constexpr std::string_view magic = "blockloom kept 1";
static_assert(heading_start == magic.size() + 4);

template <typename Number> void append_number(std::string& text, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        text += static_cast<char>(number >> (8 * i) & 0xffU);
}

/// Little-endian numbers and texts, one after the other; past the end everything is zero or empty.
class Reader {
public:
    explicit Reader(std::string_view left) : left_(left) {}
    template <typename Number> Number number() {
        const std::string_view bytes = text(sizeof(Number));
        Number number = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            number |=
                static_cast<Number>(static_cast<Number>(static_cast<Byte>(bytes[i])) << (8 * i));
        return number;
    }
    std::string_view text(std::size_t size) {
        if (size > left_.size()) {
            left_ = {};
            whole_ = false;
            return {};
        }
        const std::string_view found = left_.substr(0, size);
        left_.remove_prefix(size);
        return found;
    }
    [[nodiscard]] bool ended() const noexcept { return whole_ && left_.empty(); }
    [[nodiscard]] bool whole() const noexcept { return whole_; }

private:
    std::string_view left_;
    bool whole_ = true;
};

std::uint64_t checksum_of(std::string_view bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

Error damaged(std::string_view place, std::string_view what) {
    return {ErrorCode::bad_input, fmt::format("{}: the file is damaged: {}", place, what)};
}

} // namespace

std::string document_bytes(std::span<const Section> sections) {
    std::size_t heading = heading_start + 4 + 8, whole = 0;
    for (const Section& section : sections) {
        heading += 4 + section.name.size() + 8 + 8;
        whole += section.content.size();
    }
    std::string bytes;
    bytes.reserve(heading + whole);
    bytes += magic;
    append_number(bytes, static_cast<std::uint32_t>(heading));
    append_number(bytes, static_cast<std::uint32_t>(sections.size()));
    for (const Section& section : sections) {
        append_number(bytes, static_cast<std::uint32_t>(section.name.size()));
        bytes += section.name;
        append_number(bytes, static_cast<std::uint64_t>(section.content.size()));
        append_number(bytes, checksum_of(section.content));
    }
    append_number(bytes, checksum_of(bytes));
    for (const Section& section : sections) bytes += section.content;
    return bytes;
}

Result<std::uint64_t> heading_size(std::string_view start, std::uint64_t file_size,
                                   std::string_view place) {
    if (start.size() < heading_start || start.substr(0, magic.size()) != magic)
        return damaged(place, "expected a kept document, found something else");
    Reader reader(start.substr(magic.size(), 4));
    const auto size = reader.number<std::uint32_t>();
    if (size < heading_start + 4 + 8 || size > file_size)
        return damaged(
            place, fmt::format("expected a heading of {} bytes, found {} in all", size, file_size));
    return size;
}

Result<std::vector<SectionPlace>> read_heading(std::string_view heading, std::uint64_t file_size,
                                               std::string_view place) {
    constexpr std::size_t sum = 8;
    if (heading.size() < heading_start + 4 + sum || heading.size() > file_size)
        return damaged(place, "its heading is truncated");
    Reader end(heading.substr(heading.size() - sum));
    heading.remove_suffix(sum);
    if (end.number<std::uint64_t>() != checksum_of(heading))
        return damaged(place, "the checksum of its heading is wrong");
    Reader reader(heading.substr(heading_start));
    const auto count = reader.number<std::uint32_t>();
    if (count > most_sections) return damaged(place, "too many sections");
    std::vector<SectionPlace> sections;
    std::uint64_t offset = heading.size() + sum;
    for (std::uint32_t i = 0; i < count && reader.whole(); ++i) {
        const auto length = reader.number<std::uint32_t>();
        if (length > longest_section_name)
            return damaged(place, "the name of a section is too long");
        SectionPlace section;
        section.name = reader.text(length);
        section.offset = offset;
        section.size = reader.number<std::uint64_t>();
        section.checksum = reader.number<std::uint64_t>();
        if (section.size > file_size - offset)
            return damaged(place, fmt::format("section \"{}\" is truncated", section.name));
        offset += section.size;
        sections.push_back(std::move(section));
    }
    if (!reader.ended()) return damaged(place, "its heading is not valid");
    if (offset != file_size)
        return damaged(place, fmt::format("expected {} bytes, found {}", offset, file_size));
    return sections;
}

Status check_section(const SectionPlace& section, std::string_view content,
                     std::string_view place) {
    if (content.size() == section.size && checksum_of(content) == section.checksum) return {};
    return damaged(place, fmt::format("the checksum of section \"{}\" is wrong", section.name));
}

} // namespace blockloom::store
