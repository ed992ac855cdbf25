#include "range/protobuf.h"

namespace blockloom::range {
namespace {

void append_varint(std::string& to, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) to += static_cast<char>(number | 0x80U);
    to += static_cast<char>(number);
}

} // namespace

void append_number(std::string& message, std::uint32_t field, std::uint64_t value) {
    append_varint(message, std::uint64_t{field} << 3U);
    append_varint(message, value);
}

void append_bytes(std::string& message, std::uint32_t field, std::string_view content) {
    append_varint(message, std::uint64_t{field} << 3U | 2U);
    append_varint(message, content.size());
    message += content;
}

std::string u128_to_protobuf(u128 value) {
    std::string message;
    if (low_half(value) != 0) append_number(message, 1, low_half(value));
    if (high_half(value) != 0) append_number(message, 2, high_half(value));
    return message;
}

std::optional<std::uint64_t> ProtobufReader::number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (rest_.empty()) return std::nullopt;
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        if (shift == 63 && byte > 1) return std::nullopt;
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

std::optional<ProtobufReader::Field> ProtobufReader::fail() noexcept {
    failed_ = true;
    rest_ = {};
    return std::nullopt;
}

std::optional<ProtobufReader::Field> ProtobufReader::next() noexcept {
    if (rest_.empty()) return std::nullopt;
    const auto tag = number();
    if (!tag || *tag >> 3 == 0 || *tag >> 3 > 0x1fffffff) return fail();
    Field field;
    field.number = static_cast<std::uint32_t>(*tag >> 3);
    std::uint64_t size = 0;
    switch (*tag & 7) {
    case 0: // varint
        field.value = number();
        return field.value ? std::optional(field) : fail();
    case 1:
        size = 8;
        break; // fixed: nobody here reads them
    case 5:
        size = 4;
        break;
    case 2: {
        const auto given = number();
        if (!given) return fail();
        size = *given;
        break;
    }
    default:
        return fail();
    }
    if (size > rest_.size()) return fail();
    field.bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return field;
}

std::optional<u128> u128_from_protobuf(std::string_view message) noexcept {
    ProtobufReader reader(message);
    u128 value = 0;
    while (const auto field = reader.next()) {
        if (!field->value) continue;
        if (field->number == 1) value |= *field->value;
        if (field->number == 2) value |= u128{*field->value} << 64;
    }
    if (reader.failed()) return std::nullopt;
    return value;
}

} // namespace blockloom::range
