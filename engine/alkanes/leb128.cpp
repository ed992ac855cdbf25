#include "alkanes/leb128.h"

namespace blockloom::alkanes {

namespace {

constexpr Byte more = 0x80, low_bits = 0x7f;
/// Above the two bits of the last byte that 128 bits have room for.
constexpr Byte beyond = 0x7c;

} // namespace

Result<std::size_t> count_leb128(ByteView bytes, const char* what) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes.size(); ++count) {
        const std::size_t begin = at;
        while (at < bytes.size() && (bytes[at] & more) != 0) ++at;
        const std::size_t length = at - begin + 1;
        // A run that is too long or too large is that wherever it ends.
        if (length > longest_leb128)
            return bytes[begin + longest_leb128 - 1] & beyond
                       ? input_error(what, begin, "an integer of at most 128 bits", "a larger one")
                       : input_error(what, begin, "an integer of at most 19 bytes", "a longer one");
        if (at == bytes.size()) return input_error(what, begin, "an integer", "the end inside one");
        if (length == longest_leb128 && (bytes[at] & beyond) != 0)
            return input_error(what, begin, "an integer of at most 128 bits", "a larger one");
        ++at;
    }
    return count;
}

Result<std::vector<u128>> decode_leb128(ByteView bytes, const char* what) {
    const auto count = count_leb128(bytes, what);
    if (!count) return count.error();
    std::vector<u128> values(*count);
    for (u128& value : values) value = take_leb128(bytes);
    return values;
}

void append_leb128(Bytes& to, u128 value) {
    for (; value > low_bits; value >>= 7U)
        to.push_back(static_cast<Byte>(static_cast<Byte>(value & low_bits) | more));
    to.push_back(static_cast<Byte>(value));
}

} // namespace blockloom::alkanes
