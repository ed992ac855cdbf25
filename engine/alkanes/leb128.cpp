#include "alkanes/leb128.h"

#include <algorithm>

namespace blockloom::alkanes {

namespace {

constexpr Byte more = 0x80, low_bits = 0x7f;
/// Above the two bits of the last byte that 128 bits have room for.
constexpr Byte beyond = 0x7c;

} // namespace

Result<std::vector<u128>> decode_leb128(ByteView bytes, const std::string& what) {
    std::vector<u128> values;
    values.reserve(std::min<std::size_t>(bytes.size(), 64));
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t begin = at;
        u128 value = 0;
        for (unsigned index = 0;; ++index, ++at) {
            if (at == bytes.size())
                return input_error(what, begin, "an integer", "the end inside one");
            if (index == longest_leb128)
                return input_error(what, begin, "an integer of at most 19 bytes", "a longer one");
            const Byte byte = bytes[at];
            if (index == longest_leb128 - 1 && (byte & beyond) != 0)
                return input_error(what, begin, "an integer of at most 128 bits", "a larger one");
            value |= static_cast<u128>(byte & low_bits) << (7 * index);
            if ((byte & more) == 0) break;
        }
        ++at;
        values.push_back(value);
    }
    return values;
}

void append_leb128(Bytes& to, u128 value) {
    for (; value > low_bits; value >>= 7U)
        to.push_back(static_cast<Byte>(static_cast<Byte>(value & low_bits) | more));
    to.push_back(static_cast<Byte>(value));
}

} // namespace blockloom::alkanes
