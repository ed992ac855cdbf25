#include "range/protobuf_writer.h"

namespace blockloom::test {

std::string varint(std::uint64_t number) {
    std::string bytes;
    for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
    return bytes + static_cast<char>(number);
}

std::string field(unsigned number, const std::string& content) {
    return varint(number << 3 | 2) + varint(content.size()) + content;
}

std::string number_field(unsigned number, std::uint64_t value) {
    return value == 0 ? std::string() : varint(number << 3) + varint(value);
}

std::string message(u128 number) {
    return number_field(1, low_half(number)) + number_field(2, high_half(number));
}

std::string id_message(const alkanes::AlkaneId& id) {
    return field(1, message(id.block)) + field(2, message(id.tx));
}

} // namespace blockloom::test
